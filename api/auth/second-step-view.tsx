/** The page of the second step of a sign-in. */
import { Field, Form, Submit } from '../pages/components/forms.tsx'
import { PasskeyField } from '../pages/components/proof-fields.tsx'
import type { View } from '../pages/layout.tsx'
import { withNext } from '../pages/urls.ts'
import type { Method } from './schema.ts'
import type { WaitingSignIn } from './second-step.ts'

const PATH = '/sign-in/second-factor'

const hintOf = (methods: Method[]): string =>
  methods.includes('totp') ? 'The 6 digits that your authenticator app shows, or a recovery code.' : 'One of your recovery codes.'

/** What a person sees after the right password, or when a provider has named them. The form has the ticket, so that it is in no address and no log. */
export const secondStepView = ({ ticket, methods }: WaitingSignIn, next: string): View => ({
  title: 'Second factor',
  narrow: true,
  passkeys: true,
  main: (
    <>
      {methods.some((method) => method !== 'passkey') && (
        <Form action={withNext(PATH, next)}>
          <input type="hidden" name="ticket" value={ticket} />
          <Field name="code" label="Code" autocomplete="one-time-code" hint={hintOf(methods)} maxLength={40} required />
          <Submit>Sign in</Submit>
        </Form>
      )}
      {methods.includes('passkey') && (
        <Form action={withNext(`${PATH}/passkey`, next)}>
          <input type="hidden" name="ticket" value={ticket} />
          <PasskeyField />
          <Submit passkey={`${PATH}/options`}>Use a passkey</Submit>
        </Form>
      )}
      <p class="hint">
        Did you lose your second factor? {methods.includes('recovery_code') ? 'Use a recovery code, or ask' : 'Ask'} the owner of
        your organization to reset your second factors.
      </p>
      <p class="more">
        <a href={withNext('/sign-in', next)}>Start again</a>
      </p>
    </>
  ),
})
