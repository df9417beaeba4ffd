/** The second factors of a user: an authenticator app and recovery codes. */
import { encode } from 'uqr'
import { sql } from '../../core/platform/database.ts'
import { Shape } from '../../core/values/schema.ts'
import { Field, Form, Submit, SubmitTo } from '../pages/components/forms.tsx'
import { Actions } from '../pages/components/lists.tsx'
import { ProofField } from '../pages/components/proof-fields.tsx'
import { Section } from '../pages/components/structure.tsx'
import { Notice, State, Time } from '../pages/components/text.tsx'
import { actionOn, page, pageRoutes } from '../pages/page.tsx'
import { AccountTabs } from '../users/tabs.tsx'
import { isRecentSignIn, PROOF, requireRecentSignIn } from './recent-sign-in.ts'
import { Confirmation, type RecoveryCodes, type SecondFactors, type TotpSetup } from './schema.ts'
import { getSecondFactors, replaceRecoveryCodes } from './second-factors.ts'
import { beginTotp, confirmTotp, findSetup, removeTotp } from './totp.ts'

/** The dark squares of a row, as paths from left to right. */
function pathOf(row: boolean[], y: number): string {
  let path = ''
  for (let x = 0; x < row.length; x++) {
    const start = x
    while (row[x]) x++
    if (x > start) path += `M${start} ${y}h${x - start}v1h${start - x}z`
  }
  return path
}

/** A QR code. Dark on light in both themes, as scanners expect. */
function QrCode({ of, label }: { of: string; label: string }) {
  const { size, data } = encode(of, { ecc: 'M', border: 4 })
  return (
    <svg width="224" role="img" aria-label={label} viewBox={`0 0 ${size} ${size}`} shape-rendering="crispEdges">
      <rect width={size} height={size} fill="#fff" />
      <path d={data.map(pathOf).join('')} fill="#000" />
    </svg>
  )
}

const PATH = '/app/account/security'
const SETUP = `${PATH}/totp`

const Setup = ({ of: { uri, secret } }: { of: TotpSetup }) => (
  <>
    <p>1. Scan this code with the app, or type the key into it.</p>
    <QrCode of={uri} label="QR code for the authenticator app" />
    <p>
      Key: <code>{secret.replaceAll(/(.{4})(?!$)/g, '$1 ')}</code>
    </p>
    <p>2. Type the code that the app shows. You have ten minutes.</p>
    <Form card action={`${SETUP}/confirm`}>
      <Field name="code" label="Code" autocomplete="one-time-code" hint="6 digits." maxLength={40} required />
      <Submit>Confirm</Submit>
    </Form>
  </>
)

function App({ of: { totp_created_at }, setup }: { of: SecondFactors; setup: TotpSetup | null }) {
  return (
    <Section title="Authenticator app">
      <p>
        {totp_created_at === null ? (
          <State of="not set up" />
        ) : (
          <>
            <State of="set up" tone="good" /> <Time at={totp_created_at} />
          </>
        )}
      </p>
      <p>
        An app on your phone shows a code of 6 digits that changes every 30 seconds. With one, signing in takes your password and
        the code.
      </p>
      {setup && <Setup of={setup} />}
    </Section>
  )
}

const Recovery = ({ of: { recovery_codes_left } }: { of: SecondFactors }) => (
  <Section title="Recovery codes">
    <p>
      {recovery_codes_left} of 10 are left. Each completes one sign-in, if you lose your phone or your passkeys. New codes replace
      all old ones.
    </p>
  </Section>
)

/** One form, because each change needs the same proof. */
function Changes({ of: { methods }, setup, isRecent }: { of: SecondFactors; setup: TotpSetup | null; isRecent: boolean }) {
  const hasApp = methods.includes('totp')
  const [remove, renew] = [`${SETUP}/remove`, `${PATH}/recovery-codes`]
  return (
    <Section title="Changes">
      <Form card action={SETUP} others={[remove, renew]}>
        <ProofField isRecent={isRecent} />
        <Actions>
          <Submit kind={setup ? 'quiet' : 'primary'}>
            {setup ? 'Begin the set-up again' : hasApp ? 'Set up another app' : 'Set up an app'}
          </Submit>
          {methods.length > 0 && <SubmitTo action={renew}>Make new recovery codes</SubmitTo>}
          {hasApp && (
            <SubmitTo
              action={remove}
              kind="danger"
              confirm="Remove the authenticator app? Signing in no longer asks for its code."
            >
              Remove the app
            </SubmitTo>
          )}
        </Actions>
      </Form>
    </Section>
  )
}

const securityPage = page('/app/account/security', { signedIn: true }, async ({ caller }) => {
  const [factors, setup, isRecent] = await Promise.all([
    getSecondFactors(sql, caller.id),
    findSetup(sql, caller),
    isRecentSignIn(sql, caller),
  ])
  return {
    title: 'Second factors',
    main: (
      <>
        <AccountTabs path={PATH} />
        {factors.methods.length === 0 && (
          <Notice tone="warn">Anyone who knows your password can sign in as you. Set up an app or a passkey.</Notice>
        )}
        <App of={factors} setup={setup} />
        {factors.methods.length > 0 && <Recovery of={factors} />}
        <Changes of={factors} setup={setup} isRecent={isRecent} />
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

const begin = actionOn(securityPage, '/totp', { signedIn: true }, PASSWORD, async ({ caller, change }, proof) => {
  await requireRecentSignIn(sql, caller, proof)
  await change((tx) => beginTotp(tx, caller))
  return {}
})

const confirm = actionOn(securityPage, '/totp/confirm', { signedIn: true }, Confirmation, async ({ caller, change }, { code }) =>
  made(await change((tx) => confirmTotp(tx, caller, code))),
)

const remove = actionOn(
  securityPage,
  '/totp/remove',
  { signedIn: true },
  PASSWORD,
  async ({ request, caller, change }, proof) => {
    await requireRecentSignIn(sql, caller, proof)
    await change((tx) => removeTotp(tx, caller, request))
    return { notice: 'The authenticator app was removed.' }
  },
)

const renew = actionOn(securityPage, '/recovery-codes', { signedIn: true }, PASSWORD, async ({ caller, change }, proof) => {
  await requireRecentSignIn(sql, caller, proof)
  return made(await change((tx) => replaceRecoveryCodes(tx, caller)))
})

export const securityPages = pageRoutes('security-pages', securityPage, begin, confirm, remove, renew)
