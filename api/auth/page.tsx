/** Signing in to the web app, registering and signing out. */
import { config } from '../../core/platform/config.ts'
import { sql } from '../../core/platform/database.ts'
import { asSignInPage } from '../pages/answers.tsx'
import { Field, Form, Submit } from '../pages/components/forms.tsx'
import { PasskeyField } from '../pages/components/passkey-field.tsx'
import { action, page, pageRoutes } from '../pages/page.tsx'
import { register, signIn, verifyCredentials } from './accounts.ts'
import { nextOf, withNext } from './next.ts'
import { hashPassword } from './passwords.ts'
import { Credentials, Nothing, Registration } from './schema.ts'
import { secondStepView } from './second-step-page.tsx'
import { openCookieSession, signOut } from './sessions.ts'

const home = page('/', { open: 'requests' }, ({ caller }) => ({ to: caller ? '/app' : '/sign-in' }))

const declared = page('/sign-in', { open: 'requests' }, ({ caller, url }) => {
  const next = nextOf(url)
  if (caller) return { to: next }
  return {
    title: 'Sign in',
    narrow: true,
    passkeys: true,
    main: (
      <>
        <Form action={withNext('/sign-in', next)}>
          <Field name="email" label="E-mail address" type="email" autocomplete="username webauthn" maxLength={254} required />
          <Field name="password" label="Password" type="password" autocomplete="current-password" maxLength={256} required />
          <Submit>Sign in</Submit>
        </Form>
        <Form action={withNext('/sign-in/passkey', next)}>
          <PasskeyField isOffered />
          <Submit kind="quiet" passkey="/sign-in/passkey/options">
            Sign in with a passkey
          </Submit>
        </Form>
        <p class="more">
          <a href={withNext('/register', next)}>Create an account</a> <a href="/reset-password">Forgot your password?</a>
        </p>
      </>
    ),
  }
})

export const signInPage = asSignInPage(declared)

const signInAction = action(
  '/sign-in',
  { open: 'signIns' },
  { on: signInPage, body: Credentials },
  async ({ url, visitor, change }, body) => {
    const account = await verifyCredentials(sql, body, visitor)
    const { session, waiting } = await change((tx) => signIn(tx, account, visitor, openCookieSession))
    return waiting ? secondStepView(waiting, nextOf(url)) : { to: nextOf(url), session }
  },
)

const registerPage = page('/register', { open: 'requests' }, ({ caller, url }) => {
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
          <Field
            name="password"
            label="Password"
            type="password"
            autocomplete="new-password"
            hint="At least 12 characters."
            minLength={12}
            maxLength={256}
            required
          />
          <Submit>Create account</Submit>
        </Form>
        <p class="more">
          <a href={withNext('/sign-in', next)}>Sign in with an existing account</a>
        </p>
      </>
    ),
  }
})

const registerAction = action(
  '/register',
  { open: 'registrations' },
  { on: registerPage, body: Registration },
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

const signOutAction = action(
  '/sign-out',
  { open: 'requests' },
  { on: signOutPage, body: Nothing },
  async ({ caller, change }) => {
    if (caller) await change((tx) => signOut(tx, caller))
    return { to: '/sign-in', session: null, notice: 'You have signed out.' }
  },
)

export const accountPages = pageRoutes(
  'account-pages',
  home,
  signInPage,
  signInAction,
  registerPage,
  registerAction,
  signOutPage,
  signOutAction,
)
