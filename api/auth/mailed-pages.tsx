/**
 * The pages behind mailed links. The token stays in the URL: the HTML does not contain it, and forms post to the URL of the
 * page. Opening a page has no effect, since mail scanners follow links.
 */
import { sql } from '../../core/platform/database.ts'
import { Nothing, Shape } from '../../core/values/schema.ts'
import { Field, Form, Submit } from '../pages/components/forms.tsx'
import { CurrentPassword, NewPassword } from '../pages/components/proof-fields.tsx'
import { Section } from '../pages/components/structure.tsx'
import { actionOn, page, pageRoutes } from '../pages/page.tsx'
import { tokenOf } from '../pages/urls.ts'
import { verifyEmail } from './accounts.ts'
import { requestPasswordReset, requireValidResetLink, resetPassword, takeBackAddress } from './mailed-links.ts'
import { hashPassword } from './passwords.ts'
import { FactorReset, Reset, ResetRequest } from './schema.ts'
import { resetSecondFactors, verifyFactorReset } from './second-factor-resets.ts'

const pathOf = ({ pathname, search }: URL): string => pathname + search
const verifyPage = page('/verify-email', { open: 'requests' }, ({ url }) => ({
  title: 'Verify your e-mail address',
  narrow: true,
  main: (
    <Form action={pathOf(url)} here>
      <p>Press the button to confirm that this is your address.</p>
      <Submit>Confirm</Submit>
    </Form>
  ),
}))

const verifyAction = actionOn(verifyPage, '', { open: 'requests' }, Nothing, async ({ url, visitor, change }) => {
  const { email } = await change((tx) => verifyEmail(tx, tokenOf(url), visitor))
  return { to: '/', notice: `${email} is verified.` }
})

const restorePage = page('/restore-email', { open: 'requests' }, ({ url }) => ({
  title: 'Take back a change of address',
  narrow: true,
  main: (
    <Form action={pathOf(url)} here>
      <p>
        The account gets this e-mail address again. All its sessions and personal tokens end, linked Slack accounts are unlinked,
        and we mail you a link to set a new password.
      </p>
      <Submit>Take back the change</Submit>
    </Form>
  ),
}))

const restoreAction = actionOn(restorePage, '', { open: 'requests' }, Nothing, async ({ url, visitor, change }) => {
  const email = await change((tx) => takeBackAddress(tx, tokenOf(url), visitor))
  const notice = `The address of the account is ${email} again. Set a new password with the link that we mailed to it.`
  return { to: '/sign-in', session: null, notice }
})

const factorsPage = page('/reset-second-factors', { open: 'requests' }, ({ url }) => ({
  title: 'Remove your second factors',
  narrow: true,
  main: (
    <Form action={pathOf(url)} here>
      <p>
        All second factors and recovery codes of your account are removed. From then on your password alone signs you in; set up
        new second factors in your account.
      </p>
      <CurrentPassword hint="A password that was reset by mail is accepted after 7 days." />
      <Submit kind="danger">Remove my second factors</Submit>
    </Form>
  ),
}))

const factorsAction = actionOn(
  factorsPage,
  '',
  { open: 'signIns' },
  Shape({ current_password: FactorReset.properties.current_password }),
  async ({ url, visitor, change }, { current_password }) => {
    const reset = await verifyFactorReset(sql, { token: tokenOf(url), current_password }, visitor)
    await change((tx) => resetSecondFactors(tx, reset, visitor))
    return { to: '/sign-in', notice: 'Your second factors were removed. Sign in with your password.' }
  },
)

const resetPage = page('/reset-password', { open: 'requests' }, ({ url }) => ({
  title: 'Set a new password',
  narrow: true,
  main: (
    <>
      {tokenOf(url) !== '' && (
        <Form action={pathOf(url)} here>
          <NewPassword hint="At least 12 characters. This ends all your sessions, revokes your personal tokens and unlinks Slack accounts." />
          <Submit>Set password</Submit>
        </Form>
      )}
      <Section title={tokenOf(url) === '' ? 'Request a link' : 'Does the link not work?'}>
        <Form action="/reset-password/link">
          <Field
            name="email"
            label="E-mail address"
            type="email"
            autocomplete="email"
            hint="We mail you a link to set a new password. It works for an hour, until one of them is used."
            maxLength={254}
            required
          />
          <Submit kind={tokenOf(url) === '' ? 'primary' : 'quiet'}>Send link</Submit>
        </Form>
      </Section>
    </>
  ),
}))

const resetAction = actionOn(
  resetPage,
  '',
  { open: 'resets' },
  Shape({ password: Reset.properties.password }),
  async ({ url, visitor, change }, { password }) => {
    const token = tokenOf(url)
    await requireValidResetLink(sql, token)
    const hash = await hashPassword(password, visitor)
    await change((tx) => resetPassword(tx, token, hash, visitor))
    return { to: '/sign-in', session: null, notice: 'Your password was changed. Sign in with the new one.' }
  },
)

const linkAction = actionOn(resetPage, '/link', { open: 'resets' }, ResetRequest, async ({ visitor }, { email }) => {
  await requestPasswordReset(email, visitor)
  return { to: '/sign-in', notice: `If ${email} has an account, a link was mailed. It is valid for an hour.` }
})

export const mailedPages = pageRoutes(
  'mailed-pages',
  verifyPage,
  verifyAction,
  restorePage,
  restoreAction,
  factorsPage,
  factorsAction,
  resetPage,
  resetAction,
  linkAction,
)
