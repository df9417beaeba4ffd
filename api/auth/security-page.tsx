/** The second factors of a user: an authenticator app and recovery codes. */
import { sql } from '../../core/platform/database.ts'
import { Shape } from '../../core/values/schema.ts'
import { Field, Form, Submit } from '../pages/components/forms.tsx'
import { Section } from '../pages/components/structure.tsx'
import { Notice, State, Time } from '../pages/components/text.tsx'
import { action, page, pageRoutes } from '../pages/page.tsx'
import { AccountTabs } from '../users/tabs.tsx'
import { QrCode } from './qr-code.tsx'
import { isRecentSignIn, PROOF, requireRecentSignIn } from './recent-sign-in.ts'
import { replaceRecoveryCodes } from './recovery-codes.ts'
import { Confirmation, type RecoveryCodes, type SecondFactors } from './second-factor-schema.ts'
import { getSecondFactors } from './second-factors.ts'
import { beginTotp, confirmTotp, findSetup, removeTotp } from './totp.ts'

const PATH = '/app/account/security'
const SETUP = `${PATH}/totp`

/** Asks for the password, unless the person signed in a moment ago. */
const Proof = ({ isRecent }: { isRecent: boolean }) =>
  isRecent ? null : (
    <Field
      name="current_password"
      label="Your password"
      type="password"
      autocomplete="current-password"
      hint="Your sign-in is older than 10 minutes."
      maxLength={256}
      required
    />
  )

function App({ of: { totp_created_at }, isRecent }: { of: SecondFactors; isRecent: boolean }) {
  return (
    <Section title="Authenticator app">
      <p>
        {totp_created_at === null ? <State of="not set up" /> : <State of="set up" tone="good" />}{' '}
        {totp_created_at !== null && <Time at={totp_created_at} />}
      </p>
      <p>
        An app on your phone shows a code of 6 digits that changes every 30 seconds. With one, signing in takes your password and
        the code.
      </p>
      <div class="card">
        <Form action={SETUP}>
          <Proof isRecent={isRecent} />
          <Submit>{totp_created_at === null ? 'Set up an app' : 'Set up another app'}</Submit>
        </Form>
      </div>
      {totp_created_at !== null && (
        <div class="card">
          <Form action={`${SETUP}/remove`}>
            <Proof isRecent={isRecent} />
            <Submit kind="danger" confirm="Remove the authenticator app? Signing in no longer asks for its code.">
              Remove the app
            </Submit>
          </Form>
        </div>
      )}
    </Section>
  )
}

function Recovery({ of: { recovery_codes_left }, isRecent }: { of: SecondFactors; isRecent: boolean }) {
  return (
    <Section title="Recovery codes">
      <p>
        {recovery_codes_left} of 10 are left. Each completes one sign-in, if you lose your phone or your passkeys. New codes
        replace all old ones.
      </p>
      <div class="card">
        <Form action={`${PATH}/recovery-codes`}>
          <Proof isRecent={isRecent} />
          <Submit>Make new recovery codes</Submit>
        </Form>
      </div>
    </Section>
  )
}

const securityPage = page('/app/account/security', { signedIn: true }, async ({ caller }) => {
  const [factors, isRecent] = await Promise.all([getSecondFactors(sql, caller.id), isRecentSignIn(sql, caller)])
  return {
    title: 'Second factors',
    main: (
      <>
        <AccountTabs path={PATH} />
        {factors.methods.length === 0 && (
          <Notice tone="warn">Whoever knows your password can sign in as you. Set up an app or a passkey.</Notice>
        )}
        <App of={factors} isRecent={isRecent} />
        {factors.methods.length > 0 && <Recovery of={factors} isRecent={isRecent} />}
      </>
    ),
  }
})

const setupPage = page('/app/account/security/totp', { signedIn: true }, async ({ caller }) => {
  const setup = await findSetup(sql, caller)
  if (!setup) return { to: PATH, notice: 'The set-up has expired. Begin again.' }
  return {
    title: 'Set up an authenticator app',
    crumbs: [{ href: PATH, text: 'Second factors' }],
    narrow: true,
    main: (
      <>
        <p>1. Scan this code with the app, or type the key into it.</p>
        <QrCode of={setup.uri} label="QR code for the authenticator app" />
        <p>
          Key: <code>{setup.secret.replaceAll(/(.{4})(?!$)/g, '$1 ')}</code>
        </p>
        <p>2. Type the code that the app shows.</p>
        <Form action={`${SETUP}/confirm`}>
          <Field name="code" label="Code" autocomplete="one-time-code" hint="6 digits." maxLength={7} required />
          <Submit>Confirm</Submit>
        </Form>
      </>
    ),
  }
})

/** Shown once, as the answer to the form. */
const made = ({ recovery_codes }: RecoveryCodes) => ({
  title: 'Recovery codes',
  crumbs: [{ href: PATH, text: 'Second factors' }],
  narrow: true,
  main: (
    <>
      <Notice tone="warn">Copy or print these codes now. They are shown only this once.</Notice>
      <p>Keep them where you find them without your phone. Each completes one sign-in.</p>
      <pre class="card">{recovery_codes.join('\n')}</pre>
      <p>
        <a href={PATH}>I have kept the codes</a>
      </p>
    </>
  ),
})

/** Forms ask for no assertion: the page of passkeys does. */
const PASSWORD = Shape({ current_password: PROOF.current_password })

const begin = action(
  '/app/account/security/totp',
  { signedIn: true },
  { on: securityPage, body: PASSWORD },
  async ({ caller, change }, proof) => {
    await requireRecentSignIn(sql, caller, proof)
    await change((tx) => beginTotp(tx, caller))
    return { to: SETUP }
  },
)

const confirm = action(
  '/app/account/security/totp/confirm',
  { signedIn: true },
  { on: setupPage, body: Confirmation },
  async ({ caller, change }, { code }) => made(await change((tx) => confirmTotp(tx, caller, code))),
)

const remove = action(
  '/app/account/security/totp/remove',
  { signedIn: true },
  { on: securityPage, body: PASSWORD },
  async ({ caller, change }, proof) => {
    await requireRecentSignIn(sql, caller, proof)
    await change((tx) => removeTotp(tx, caller))
    return { notice: 'The authenticator app was removed.' }
  },
)

const renew = action(
  '/app/account/security/recovery-codes',
  { signedIn: true },
  { on: securityPage, body: PASSWORD },
  async ({ caller, change }, proof) => {
    await requireRecentSignIn(sql, caller, proof)
    return made(await change((tx) => replaceRecoveryCodes(tx, caller)))
  },
)

export const securityPages = pageRoutes('security-pages', securityPage, setupPage, begin, confirm, remove, renew)
