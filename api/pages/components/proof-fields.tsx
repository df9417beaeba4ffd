/** Fields for passkeys and passwords. */
import { useContext } from 'preact/hooks'
import { Account, Field } from './forms.tsx'

/** The script puts the answer of a passkey into it. @param isOffered whether browsers offer some where the address is typed */
export const PasskeyField = ({ name = 'assertion', isOffered }: { name?: 'assertion' | 'credential'; isOffered?: boolean }) => (
  <>
    <input type="hidden" name={name} data-passkey-offer={isOffered} />
    <noscript>
      <p class="hint">Passkeys need JavaScript, which is off in this browser.</p>
    </noscript>
  </>
)

/** The password that the account has. Without one, its person confirms on another page that it is they. */
export function CurrentPassword({ label = 'Your password', hint }: { label?: string; hint?: string }) {
  const confirm = useContext(Account)?.confirm
  if (confirm) {
    return (
      <p class="hint">
        You sign in with a provider. If that was more than 10 minutes ago, <a href={confirm}>confirm that it is you</a> first.
      </p>
    )
  }
  return (
    <Field
      name="current_password"
      label={label}
      type="password"
      autocomplete="current-password"
      hint={hint}
      maxLength={256}
      required
    />
  )
}

/** Asks for the password, unless the person signed in a moment ago. */
export const ProofField = ({ isRecent }: { isRecent: boolean }) =>
  isRecent ? null : <CurrentPassword hint="Your sign-in is older than 10 minutes." />

/** A password that the account gets. */
export const NewPassword = ({ label = 'New password', hint }: { label?: string; hint: string }) => (
  <Field
    name="password"
    label={label}
    type="password"
    autocomplete="new-password"
    hint={hint}
    minLength={12}
    maxLength={256}
    required
  />
)
