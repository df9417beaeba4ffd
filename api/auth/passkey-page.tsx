/** Signing in to the web app with a passkey: alone, or after the password. */
import { sql } from '../../core/platform/database.ts'
import { Maybe, Shape } from '../../core/values/schema.ts'
import { jsonFor } from '../pages/json.ts'
import { action, pageRoutes } from '../pages/page.tsx'
import { Assertion } from '../passkeys/fields.ts'
import { signInOptions, signInWithPasskey, verifyForSignIn } from '../passkeys/sign-in.ts'
import { Problem } from '../problems.ts'
import { nextOf } from './next.ts'
import { signInPage } from './page.tsx'
import { Ticket } from './second-factor-schema.ts'
import { completeSignIn, secondStepOptions } from './second-step.ts'
import { secondStepPage } from './second-step-page.tsx'
import { openCookieSession } from './sessions.ts'

const Body = Shape({ assertion: Maybe(Assertion) })

const options = action('/sign-in/passkey/options', { open: 'requests' }, { on: signInPage, body: Body }, async ({ visitor }) =>
  jsonFor(await signInOptions(sql, visitor)),
)

const signIn = action(
  '/sign-in/passkey',
  { open: 'signIns' },
  { on: signInPage, body: Body },
  async ({ url, visitor, change }, { assertion }) => {
    if (!assertion) throw new Problem(['passkey_invalid', 401], 'The browser sent no passkey. Sign in with your password.')
    const used = await verifyForSignIn(sql, assertion, visitor)
    return { to: nextOf(url), session: await change((tx) => signInWithPasskey(tx, used, visitor, openCookieSession)) }
  },
)

const StepBody = Shape({ ...Body.properties, ticket: Ticket })

const stepOptions = action(
  '/sign-in/second-factor/options',
  { open: 'requests' },
  { on: secondStepPage, body: StepBody },
  async ({ visitor }, { ticket }) => jsonFor(await secondStepOptions(sql, ticket, visitor)),
)

const secondStep = action(
  '/sign-in/second-factor/passkey',
  { open: 'signIns' },
  { on: secondStepPage, body: StepBody },
  async ({ url, visitor }, { ticket, assertion }) => {
    if (!assertion) throw new Problem(['passkey_invalid', 401], 'The browser sent no passkey.')
    return { to: nextOf(url), session: await completeSignIn(sql, { ticket, assertion }, visitor, openCookieSession) }
  },
)

export const passkeySignInPages = pageRoutes('passkey-sign-in-pages', options, signIn, stepOptions, secondStep)
