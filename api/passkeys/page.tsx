/** The page of a user's passkeys. */
import { sql } from '../../core/platform/database.ts'
import { Maybe, Shape } from '../../core/values/schema.ts'
import { isRecentSignIn, PROOF, requireRecentSignIn } from '../auth/recent-sign-in.ts'
import { getSecondFactors } from '../auth/second-factors.ts'
import { Field, Form, Submit } from '../pages/components/forms.tsx'
import { PasskeyField, ProofField } from '../pages/components/proof-fields.tsx'
import { type RowParts, Rows, Section } from '../pages/components/structure.tsx'
import { Notice, Time } from '../pages/components/text.tsx'
import { jsonFor } from '../pages/headers.ts'
import { actionOn, page, pageRoutes } from '../pages/page.tsx'
import { Problem } from '../problems.ts'
import { AccountTabs } from '../users/tabs.tsx'
import { PasskeyInput } from './input.ts'
import { addPasskey, creationOptions, listPasskeys, MAX_PASSKEYS, registrationOf, removePasskey } from './passkeys.ts'
import type { Passkey } from './schema.ts'
import { confirmationOptions } from './sign-in.ts'
import { verifyCredential } from './verification.ts'

const PATH = '/app/account/passkeys'
const ALL = { limit: MAX_PASSKEYS, after: null }

/** @param isRecent whether the sign-in is recent: another one is confirmed with a passkey */
const rowFor =
  (isRecent: boolean) =>
  ({ id, name, backed_up, created_at, last_used_at }: Passkey): RowParts => ({
    what: name,
    beside: backed_up ? 'synchronized' : 'on one device',
    below: (
      <>
        Added <Time at={created_at} />,{' '}
        {last_used_at === null ? (
          'never used'
        ) : (
          <>
            last used <Time at={last_used_at} />
          </>
        )}
      </>
    ),
    actions: (
      <Form action={`${PATH}/${id}/remove`} inline>
        {!isRecent && <PasskeyField />}
        <Submit
          kind="danger"
          passkey={isRecent ? undefined : `${PATH}/confirm`}
          confirm={`Remove the passkey ${name}? You cannot sign in with it any more.`}
        >
          Remove<span class="unseen"> the passkey {name}</span>
        </Submit>
      </Form>
    ),
  })

const AddForm = ({ isRecent }: { isRecent: boolean }) => (
  <Form card action={PATH}>
    <Field name="name" label="Name" maxLength={120} hint="Such as the device that holds it." required />
    <ProofField isRecent={isRecent} />
    <PasskeyField name="credential" />
    <Submit passkey={`${PATH}/options`}>Add a passkey</Submit>
  </Form>
)

const passkeysPage = page('/app/account/passkeys', { signedIn: true }, async ({ caller }) => {
  const [passkeys, isRecent, { recovery_codes_left }] = await Promise.all([
    listPasskeys(sql, caller.id, ALL),
    isRecentSignIn(sql, caller),
    getSecondFactors(sql, caller.id),
  ])
  return {
    title: 'Passkeys',
    passkeys: true,
    main: (
      <>
        <AccountTabs path={PATH} />
        <p>
          With a passkey you sign in without a password, and approve gates that require one. It stays on your devices; they ask
          for your fingerprint, your face or a PIN. Once you have one, your password alone does not sign you in any more.
        </p>
        {passkeys.length > 0 && recovery_codes_left === 0 && (
          <Notice tone="warn">
            You have no recovery codes, with which you can sign in if you lose your passkeys.{' '}
            <a href="/app/account/security">Make some</a>
          </Notice>
        )}
        <Section title="Your passkeys" count={passkeys.length}>
          <Rows label="Passkeys" of={passkeys} row={rowFor(isRecent)}>
            You have no passkey.
          </Rows>
        </Section>
        <Section title="Add a passkey">
          {passkeys.length < MAX_PASSKEYS ? (
            <AddForm isRecent={isRecent} />
          ) : (
            <p>You have {MAX_PASSKEYS} passkeys, which is the limit. Remove one first.</p>
          )}
        </Section>
      </>
    ),
  }
})

const { credential, ...NAMED } = PasskeyInput.properties
/** Without a script, a form has no credential. */
const AddInput = Shape({ ...NAMED, credential: Maybe(credential) })

const options = actionOn(passkeysPage, '/options', { signedIn: true }, AddInput, async ({ caller }, proof) => {
  await requireRecentSignIn(sql, caller, proof)
  return jsonFor(await creationOptions(sql, caller))
})

const add = actionOn(passkeysPage, '', { signedIn: true }, AddInput, async ({ caller, change }, input) => {
  await requireRecentSignIn(sql, caller, input)
  if (!input.credential) throw new Problem('passkey_invalid', 'Nothing was added: the browser sent no passkey.')
  const made = await verifyCredential(sql, input.credential, registrationOf(caller))
  await change((tx) => addPasskey(tx, caller, input.name, made))
  return { notice: `The passkey ${input.name} was added.` }
})

const confirm = actionOn(
  passkeysPage,
  '/confirm',
  { signedIn: true },
  Shape({ assertion: PROOF.assertion }),
  async ({ caller }) => jsonFor(await confirmationOptions(sql, caller)),
)

const remove = actionOn(
  passkeysPage,
  '/:passkey_id/remove',
  { signedIn: true },
  Shape(PROOF),
  async ({ request, caller, params, change }, proof) => {
    await requireRecentSignIn(sql, caller, proof)
    await change((tx) => removePasskey(tx, caller, params.passkey_id ?? '', request))
    return { notice: 'The passkey was removed.' }
  },
)

export const passkeyPages = pageRoutes('passkey-pages', passkeysPage, options, add, confirm, remove)
