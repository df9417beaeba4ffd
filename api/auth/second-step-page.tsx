/** The form for the second factor, which follows that for the password. */
import { sql } from '../../core/platform/database.ts'
import { Shape, Text } from '../../core/values/schema.ts'
import { Field, Form, Submit } from '../pages/components/forms.tsx'
import { PasskeyField } from '../pages/components/passkey-field.tsx'
import type { View } from '../pages/layout.tsx'
import { action, page, pageRoutes } from '../pages/page.tsx'
import { Problem } from '../problems.ts'
import { nextOf, withNext } from './next.ts'
import { CODE_PATTERN, type Method, SecondStep } from './second-factor-schema.ts'
import { getSecondFactors } from './second-factors.ts'
import { completeSignIn, findTicket, type WaitingSignIn } from './second-step.ts'
import { openCookieSession } from './sessions.ts'

const PATH = '/sign-in/second-factor'

const hintOf = (methods: Method[]): string =>
  methods.includes('totp') ? 'The 6 digits that your authenticator app shows, or a recovery code.' : 'One of your recovery codes.'

/** What a person sees after the right password. The form has the ticket, so that it is in no address and no log. */
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

export const secondStepPage = page('/sign-in/second-factor', { open: 'requests' }, async ({ caller, url, visitor, refused }) => {
  const next = nextOf(url)
  if (caller) return { to: next }
  const ticket = refused?.values.get('ticket')
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

const CODE = new RegExp(CODE_PATTERN)

const secondStep = action(
  '/sign-in/second-factor',
  { open: 'signIns' },
  { on: secondStepPage, body: Shape({ ticket: SecondStep.properties.ticket, code: Text(40) }) },
  async ({ url, visitor }, { ticket, code }) => {
    const typed = code.trim()
    const proof = CODE.test(typed) ? { code: typed } : { recovery_code: typed }
    return { to: nextOf(url), session: await completeSignIn(sql, { ticket, ...proof }, visitor, openCookieSession) }
  },
)

export const secondStepPages = pageRoutes('second-step-pages', secondStepPage, secondStep)
