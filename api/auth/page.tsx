/** Signing in to the web app with a password or a passkey, the second step of it, registering and signing out. */
import { config } from '../../core/platform/config.ts'
import { sql } from '../../core/platform/database.ts'
import { Maybe, Nothing, Shape, Text } from '../../core/values/schema.ts'
import { isSignOnOnly, requireOwnSignIn } from '../credentials/own-sign-in.ts'
import { asSignInPage } from '../pages/answers.tsx'
import { Field, Form, Submit } from '../pages/components/forms.tsx'
import { NewPassword, PasskeyField } from '../pages/components/proof-fields.tsx'
import { jsonFor } from '../pages/headers.ts'
import type { View } from '../pages/layout.tsx'
import { actionOn, page, pageRoutes } from '../pages/page.tsx'
import { nextOf, withNext } from '../pages/urls.ts'
import { Assertion } from '../passkeys/fields.ts'
import { signInOptions, signInWithPasskey, verifyForSignIn } from '../passkeys/sign-in.ts'
import { signOnPath } from '../plugins/sign-on-problem.ts'
import { Problem } from '../problems.ts'
import { instance } from '../sso/connections.ts'
import { connectionForAddress } from '../sso/domains.ts'
import { openCompleted } from '../sso/sign-in.ts'
import { register, signIn, verifyCredentials } from './accounts.ts'
import { hashPassword } from './passwords.ts'
import { Credentials, Registration, SecondStep, Ticket } from './schema.ts'
import { getSecondFactors } from './second-factors.ts'
import { completeSignIn, findTicket, secondStepOptions } from './second-step.ts'
import { secondStepView } from './second-step-view.tsx'
import { openCookieSession, signOut } from './sessions.ts'
import { isSixDigits } from './typed-codes.ts'

const secondStepPage = page('/sign-in/second-factor', { open: 'requests' }, async ({ caller, url, visitor, refused }) => {
  const next = nextOf(url)
  const ticket = refused?.values.get('ticket')
  if (caller && !ticket) return { to: next }
  if (!ticket) return { to: withNext('/sign-in', next) }
  try {
    const { user_id } = await findTicket(sql, ticket, visitor)
    const { methods } = await getSecondFactors(sql, user_id)
    return secondStepView({ ticket, methods }, next)
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    return { to: withNext('/sign-in', next), notice: error.detail }
  }
})

const codeStep = actionOn(
  secondStepPage,
  '',
  { open: 'signIns' },
  Shape({ ticket: SecondStep.properties.ticket, code: Text(40) }),
  async ({ url, visitor }, { ticket, code }) => {
    const proof = isSixDigits(code) ? { code } : { recovery_code: code }
    return { to: nextOf(url), session: await completeSignIn(sql, { ticket, ...proof }, visitor, openCompleted) }
  },
)

const home = page('/', { open: 'requests' }, ({ caller }) => ({ to: caller ? '/app' : '/sign-in' }))

/** The button of the provider of the instance, if there is one. */
const SignOnLink = ({ next }: { next: string }) =>
  instance && (
    <p>
      <a class="button" href={withNext(signOnPath(instance.id), next)}>
        Sign in with {instance.name}
      </a>
    </p>
  )

/** The address alone, which leads to the provider of its domain, or to the password. */
const AddressForm = ({ next }: { next: string }) => (
  <>
    <Form action={withNext('/sign-in/address', next)}>
      <Field name="email" label="E-mail address" type="email" autocomplete="username webauthn" maxLength={254} required />
      <Submit>Continue</Submit>
    </Form>
    <Form action={withNext('/sign-in/passkey', next)}>
      <PasskeyField isOffered />
      <Submit kind="quiet" passkey="/sign-in/passkey/options">
        Sign in with a passkey
      </Submit>
    </Form>
    <p class="more">
      <a href={withNext('/register', next)}>Create an account</a>
    </p>
  </>
)

const PasswordForm = ({ next, email }: { next: string; email?: string }) => (
  <>
    <Form action={withNext('/sign-in', next)}>
      <Field
        name="email"
        label="E-mail address"
        type="email"
        autocomplete="username"
        maxLength={254}
        required
        value={email}
        autofocus={email === undefined}
      />
      <Field
        name="password"
        label="Password"
        type="password"
        autocomplete="current-password"
        maxLength={256}
        required
        autofocus={email !== undefined}
      />
      <Submit>Sign in</Submit>
    </Form>
    <p class="more">
      <a href={withNext('/sign-in', next)}>Start again</a> <a href="/reset-password">Forgot your password?</a>
    </p>
  </>
)

const signInView = (main: View['main']): View => ({ title: 'Sign in', narrow: true, passkeys: !isSignOnOnly, main })

const signInPage = page('/sign-in', { open: 'requests' }, ({ caller, url, refused }) => {
  const next = nextOf(url)
  if (caller) return { to: next }
  if (isSignOnOnly) return signInView(<SignOnLink next={next} />)
  if (refused?.values.has('password') || url.searchParams.get('with') === 'password')
    return signInView(<PasswordForm next={next} />)
  return signInView([<SignOnLink next={next} />, <AddressForm next={next} />])
})

asSignInPage(signInPage)

/** Where the domain of an address has a provider, it leads there; else it asks for the password. It does so without any account, too. */
const addressAction = actionOn(
  signInPage,
  '/address',
  { open: 'requests' },
  Shape({ email: Credentials.properties.email }),
  async ({ url }, { email }) => {
    requireOwnSignIn()
    const next = nextOf(url)
    const connection_id = await connectionForAddress(sql, email)
    if (connection_id !== null) return { to: withNext(signOnPath(connection_id), next) }
    return signInView(<PasswordForm next={next} email={email} />)
  },
)

const signInAction = actionOn(signInPage, '', { open: 'signIns' }, Credentials, async ({ url, visitor, change }, body) => {
  const account = await verifyCredentials(sql, body, visitor)
  const { session, waiting } = await change((tx) => signIn(tx, account, visitor, openCompleted))
  return waiting ? secondStepView(waiting, nextOf(url)) : { to: nextOf(url), session }
})

const registerPage = page('/register', { open: 'requests' }, ({ caller, url }) => {
  requireOwnSignIn()
  const next = nextOf(url)
  if (caller) return { to: next }
  return {
    title: 'Create an account',
    narrow: true,
    main: (
      <>
        {config.REGISTRATION === 'closed' && <p>Only invited addresses can register here.</p>}
        <Form action={withNext('/register', next)}>
          <Field name="name" label="Your name" autocomplete="name" maxLength={120} required />
          <Field name="email" label="E-mail address" type="email" autocomplete="email" maxLength={254} required />
          <NewPassword label="Password" hint="At least 12 characters." />
          <Submit>Create account</Submit>
        </Form>
        <p class="more">
          <a href={withNext('/sign-in', next)}>Sign in with an existing account</a>
        </p>
      </>
    ),
  }
})

const registerAction = actionOn(
  registerPage,
  '',
  { open: 'registrations' },
  Registration,
  async ({ url, visitor, change }, body) => {
    const hash = await hashPassword(body.password, visitor)
    const session = await change(async (tx) => openCookieSession(tx, await register(tx, body, hash, visitor), visitor))
    const notice =
      config.EMAIL_VERIFICATION === 'off'
        ? `Welcome, ${body.name}.`
        : `Welcome, ${body.name}. A link to verify your address was mailed to ${body.email}.`
    return { to: nextOf(url), session, notice }
  },
)

const signOutPage = page('/sign-out', { open: 'requests' }, ({ caller }) =>
  caller
    ? {
        title: 'Sign out',
        narrow: true,
        main: (
          <Form action="/sign-out">
            <p>You are signed in as {caller.email}.</p>
            <Submit>Sign out</Submit>
          </Form>
        ),
      }
    : { to: '/sign-in' },
)

const signOutAction = actionOn(signOutPage, '', { open: 'requests' }, Nothing, async ({ caller, change }) => {
  if (caller) await change((tx) => signOut(tx, caller))
  return { to: '/sign-in', session: null, notice: 'You have signed out.' }
})

const PasskeyBody = Shape({ assertion: Maybe(Assertion) })

const options = actionOn(signInPage, '/passkey/options', { open: 'requests' }, PasskeyBody, async ({ visitor }) =>
  jsonFor(await signInOptions(sql, visitor)),
)

const signInByPasskey = actionOn(
  signInPage,
  '/passkey',
  { open: 'signIns' },
  PasskeyBody,
  async ({ url, visitor, change }, { assertion }) => {
    if (!assertion) throw new Problem(['passkey_invalid', 401], 'The browser sent no passkey. Sign in with your password.')
    const used = await verifyForSignIn(sql, assertion, visitor)
    return { to: nextOf(url), session: await change((tx) => signInWithPasskey(tx, used, visitor, openCompleted)) }
  },
)

const StepBody = Shape({ ...PasskeyBody.properties, ticket: Ticket })

const stepOptions = actionOn(secondStepPage, '/options', { open: 'requests' }, StepBody, async ({ visitor }, { ticket }) =>
  jsonFor(await secondStepOptions(sql, ticket, visitor)),
)

const secondStep = actionOn(
  secondStepPage,
  '/passkey',
  { open: 'signIns' },
  StepBody,
  async ({ url, visitor }, { ticket, assertion }) => {
    if (!assertion) throw new Problem(['passkey_invalid', 401], 'The browser sent no passkey.')
    return { to: nextOf(url), session: await completeSignIn(sql, { ticket, assertion }, visitor, openCompleted) }
  },
)

export const accountPages = pageRoutes(
  'account-pages',
  home,
  signInPage,
  addressAction,
  signInAction,
  registerPage,
  registerAction,
  signOutPage,
  signOutAction,
  secondStepPage,
  codeStep,
  options,
  signInByPasskey,
  stepOptions,
  secondStep,
)
