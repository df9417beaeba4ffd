import { Field } from '../pages/components/forms.tsx'

/** Asks for the password, unless the person signed in a moment ago. */
export const ProofField = ({ isRecent }: { isRecent: boolean }) =>
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
