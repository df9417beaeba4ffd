/** Signing on: the page that leads to the provider, and its answer. */
import type { ComponentChildren } from 'preact'
import { sql, transaction } from '../../core/platform/database.ts'
import { Nothing, Shape } from '../../core/values/schema.ts'
import type { Tx } from '../../sql/index.ts'
import type { SignedInOrWaiting } from '../auth/accounts.ts'
import { isRecentSignIn, PROOF, requireRecentSignIn } from '../auth/recent-sign-in.ts'
import { waitForSecondFactor } from '../auth/second-step.ts'
import { secondStepView } from '../auth/second-step-view.tsx'
import type { Redirect } from '../pages/answers.tsx'
import { Form, Submit } from '../pages/components/forms.tsx'
import { ProofField } from '../pages/components/proof-fields.tsx'
import { Facts } from '../pages/components/structure.tsx'
import { Notice } from '../pages/components/text.tsx'
import type { View } from '../pages/layout.tsx'
import { actionOn, type PageContext, page, pageRoutes } from '../pages/page.tsx'
import { nextOf, passwordPath } from '../pages/urls.ts'
import { isVisit } from '../pages/visits.ts'
import { ADDRESS_LIMITS, requireSignIns } from '../plugins/rate-limit.ts'
import type { SignedIn } from '../plugins/request-context.ts'
import { signOnPath } from '../plugins/sign-on-problem.ts'
import { Problem } from '../problems.ts'
import { type Answered, verifyAnswer, whyAway } from './answers.ts'
import { type Connection, findConnection } from './connections.ts'
import { findIdentity, identityConflict, lockSubject, recordFailure, signOnOf } from './identities.ts'
import { connect, findNewcomer, keepNewcomer } from './newcomers.ts'
import { isOwn } from './organization-sign-on.ts'
import { requireClaims } from './people.ts'
import { askProvider, providerOf } from './provider.ts'
import { signOnRefused } from './refusals.ts'
import { nameBy, openSignedOn, proveIn } from './sign-in.ts'
import { forgetStart, start } from './starts.ts'

const connectionIn = ({ connection = '' }: Record<string, string>): Promise<Connection> => findConnection(connection)

const nameOf = ({ name, organization_id }: Connection): [string, ComponentChildren] => [
  organization_id === null ? 'Provider' : 'Organization',
  <strong>{name}</strong>,
]

const isFresh = (url: URL): boolean => url.searchParams.get('fresh') === '1'

/** A provider may lead on to others, so the form may: browsers apply the policy to each of them. */
const targetOf = ({ issuer }: Connection): string => `https: ${new URL(issuer).origin}`

const startPage = page('/sign-in/sso/:connection', { open: 'requests' }, async ({ url, params, caller }) => {
  const connection = await connectionIn(params)
  const { host } = new URL(connection.issuer)
  return {
    title: 'Sign in',
    narrow: true,
    formTarget: targetOf(connection),
    main: (
      <>
        <Facts of={[nameOf(connection), ['You sign in at', <code>{host}</code>], ['Signed in here as', caller?.email]]} />
        <Form action={url.pathname + url.search}>
          <Submit>Continue to {host}</Submit>
        </Form>
        <p class="hint">
          {isFresh(url) ? 'It asks you to prove who you are, even if you are signed in there. ' : ''}Go on only if you know this
          provider.
        </p>
        <p class="more">
          <a href={caller ? nextOf(url) : passwordPath(nextOf(url))}>{caller ? 'Back' : 'Sign in in another way'}</a>
        </p>
      </>
    ),
  }
})

const startAction = actionOn(startPage, '', { open: 'requests' }, Nothing, async ({ request, url, params, caller }) => {
  const connection = await connectionIn(params)
  try {
    const provider = await askProvider(connection, (deadline) => providerOf(connection.issuer, deadline))
    const session_id = caller?.session_id ?? null
    return await start(request, connection, provider, { next: nextOf(url), session_id, fresh: isFresh(url) })
  } catch (error) {
    throw await whyAway(connection, error)
  }
})

type CallbackContext = PageContext<{ open: 'requests' }>

/** The answer was asked for in another session, which has not ended. */
function requireSameSession({ started: { session_id } }: Answered, caller: SignedIn | null): void {
  if (caller && session_id !== null && caller.session_id !== session_id)
    throw identityConflict('You have signed in with another session since you started this. Start again.')
}

/** Whether the person of a session signs in again with the provider that opened it, and proves who they are by the second factor. */
async function signsInAgain(tx: Tx, connection: Connection, { started, person }: Answered, caller: SignedIn): Promise<boolean> {
  // A provider that says when it asked the person proves that by itself.
  if (!started.fresh || person.authenticated_at !== null || !caller.has_second_factor) return false
  if (caller.opened_by !== connection.id) return false
  return (await findIdentity(tx, connection, person))?.user_id === caller.id
}

type Done = { signedIn: SignedInOrWaiting<string> } | { to: string } | 'sign in first'

async function complete(
  connection: Connection,
  answered: Answered,
  { caller, visitor }: CallbackContext,
): Promise<View | Redirect> {
  const { started, person } = answered
  requireSameSession(answered, caller)
  requireClaims(connection, person)
  const cookies = [forgetStart(started.state)]
  const { next } = started
  const done = await transaction(async (tx): Promise<Done> => {
    await lockSubject(tx, connection, person)
    const by = caller && (await signsInAgain(tx, connection, answered, caller)) ? null : caller
    const outcome = await nameBy(tx, connection, person, { by, passed: null, visitor })
    if (outcome.kind === 'sign in first') return outcome.kind
    if (outcome.kind === 'factor') {
      const waiting = { connection_id: connection.id, provider: connection.name, person }
      return { signedIn: { waiting: await waitForSecondFactor(tx, outcome.user_id, visitor, waiting) } }
    }
    if (outcome.kind === 'connect') {
      if (!by) throw signOnRefused()
      await keepNewcomer(tx, connection, person, by, next)
      return { to: `${signOnPath(connection.id)}/connect` }
    }
    const signOn = signOnOf(connection, outcome.identity, person)
    if (!by) return { signedIn: { session: await openSignedOn(tx, outcome.identity.user_id, signOn, visitor) } }
    await proveIn(tx, by, signOn, outcome.kind === 'sign in')
    return { to: next }
  })
  if (done === 'sign in first') return { ...signInFirstView(connection, next), cookies }
  if ('to' in done) return { to: done.to, cookies }
  const { session, waiting } = done.signedIn
  return waiting ? { ...secondStepView(waiting, next), cookies } : { to: next, session, cookies }
}

/** Of a person whom the provider of an organization names, and whose account must be known in another way. */
function signInFirstView(connection: Connection, next: string): View {
  const again = `${signOnPath(connection.id)}?next=${encodeURIComponent(next)}`
  return {
    title: 'Sign in first',
    narrow: true,
    main: (
      <>
        <p>
          The provider of <strong>{connection.name}</strong> knows you. It does not sign you in here by itself: sign in with your
          account as before, and your account there is then connected with it, or counts for this session.
        </p>
        <p>
          <a class="button" href={passwordPath(again)}>
            Sign in
          </a>
        </p>
      </>
    ),
  }
}

const callbackPage = page('/sign-in/sso/:connection/callback', { open: 'requests' }, async (context) => {
  const { request, url, params, visitor } = context
  const connection = await connectionIn(params)
  if (!isVisit(request)) throw signOnRefused()
  requireSignIns(visitor.ip_address)
  try {
    const answered = await verifyAnswer(request, connection, url.searchParams)
    return await complete(connection, answered, context).catch(async (error: unknown) => {
      if (error instanceof Problem) await recordFailure(sql, connection, answered.person, visitor, error.detail)
      throw error
    })
  } catch (error) {
    if (error instanceof Problem && error.status < 500) ADDRESS_LIMITS.signIns(visitor.ip_address)
    throw error
  }
})

const connectPage = page('/sign-in/sso/:connection/connect', { signedIn: true }, async ({ params, caller }) => {
  const connection = await connectionIn(params)
  const { person } = await findNewcomer(sql, connection, caller)
  const isRecent = await isRecentSignIn(sql, caller)
  return {
    title: 'Connect your account',
    narrow: true,
    main: (
      <>
        <Facts
          of={[
            nameOf(connection),
            ['Host', <code>{new URL(connection.issuer).host}</code>],
            ['Account there', `${person.name}${person.email === null ? '' : ` (${person.email})`}`],
            ['Account here', <strong>{`${caller.name} (${caller.email})`}</strong>],
          ]}
        />
        <p>
          {isOwn(connection)
            ? `Once they are connected, signing in there is what ${connection.name} asks of you. If your address here belongs to ${connection.name}, the account there signs in here as you.`
            : 'Once they are connected, the account there signs in here as you.'}
        </p>
        <Notice tone="warn">Go on only if both accounts are yours.</Notice>
        <Form action={`${signOnPath(connection.id)}/connect`}>
          <ProofField isRecent={isRecent} />
          <Submit>Connect</Submit>
        </Form>
        <p class="more">
          <a href="/app">Do not connect</a>
        </p>
      </>
    ),
  }
})

const Confirmation = Shape({ current_password: PROOF.current_password })

const connectAction = actionOn(connectPage, '', { signedIn: true }, Confirmation, async ({ params, caller, change }, proof) => {
  const connection = await connectionIn(params)
  await requireRecentSignIn(sql, caller, proof)
  const to = await change((tx) => connect(tx, connection, caller))
  return { to, notice: `Your account is connected with ${connection.name}.` }
})

export const signOnPages = pageRoutes('sign-on-pages', startPage, startAction, callbackPage, connectPage, connectAction)
