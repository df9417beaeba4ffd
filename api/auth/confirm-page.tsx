/** The page on which people confirm that it is they, before what requires a recent sign-in. */
import { sql } from '../../core/platform/database.ts'
import { Shape } from '../../core/values/schema.ts'
import { Form, Submit } from '../pages/components/forms.tsx'
import { CurrentPassword, PasskeyField } from '../pages/components/proof-fields.tsx'
import { Notice } from '../pages/components/text.tsx'
import { actionOn, page, pageRoutes } from '../pages/page.tsx'
import { confirmPath, nextOf, signOnAgainPath } from '../pages/urls.ts'
import { Problem } from '../problems.ts'
import { PROOF, requireRecentSignIn } from './recent-sign-in.ts'
import { recordConfirmation } from './sign-ons.ts'

/** Says that the changes on a page have to be confirmed. */
export const Unconfirmed = ({ next }: { next: string }) => (
  <Notice tone="warn">
    Your sign-in is older than 10 minutes. <a href={confirmPath(next)}>Confirm that it is you</a> before you change something
    here.
  </Notice>
)

const confirmPage = page('/app/account/confirm', { signedIn: true }, ({ caller, url }) => {
  const next = nextOf(url)
  const action = confirmPath(next)
  return {
    title: 'Confirm that it is you',
    narrow: true,
    passkeys: true,
    main: (
      <>
        {caller.has_password ? (
          <Form action={action}>
            <CurrentPassword />
            <Submit>Confirm</Submit>
          </Form>
        ) : (
          <p>
            <a class="button" href={signOnAgainPath(caller.opened_by, next)}>
              {caller.opened_by === null ? 'Sign out, and sign in again' : 'Sign in again with your provider'}
            </a>
          </p>
        )}
        {caller.has_second_factor && (
          <Form action={action}>
            <PasskeyField />
            <Submit kind="quiet" passkey="/app/account/passkeys/confirm">
              Use a passkey
            </Submit>
          </Form>
        )}
        <p class="more">
          <a href={next}>Back</a>
        </p>
      </>
    ),
  }
})

const confirm = actionOn(confirmPage, '', { signedIn: true }, Shape(PROOF), async ({ caller, url, change }, proof) => {
  if (Object.keys(proof).length === 0) throw new Problem('recent_sign_in_required', 'Enter your password, or use a passkey.')
  await requireRecentSignIn(sql, caller, proof)
  await change((tx) => recordConfirmation(tx, caller))
  return { to: nextOf(url) }
})

export const confirmPages = pageRoutes('confirm-pages', confirmPage, confirm)
