/**
 * The page behind the unsubscribe link of a mail. Its form posts to another path than mail clients do, whose requests have no
 * `Origin` (`POST /unsubscribe` in `routes.ts`).
 */
import { Form, Submit } from '../pages/components/forms.tsx'
import { action, page, pageRoutes } from '../pages/page.tsx'
import { tokenOf } from '../pages/queries.ts'
import { unsubscribe } from './preferences.ts'
import { Nothing } from './schema.ts'

const unsubscribePage = page('/unsubscribe', { open: 'requests' }, ({ url }) => ({
  title: 'Unsubscribe',
  narrow: true,
  main: (
    <Form action={`/unsubscribe/confirm?token=${encodeURIComponent(tokenOf(url))}`}>
      <p>Press the button to stop mails of this type. Notifications in the app are not affected.</p>
      <Submit>Unsubscribe</Submit>
    </Form>
  ),
}))

const unsubscribeAction = action(
  '/unsubscribe/confirm',
  { open: 'requests' },
  { on: unsubscribePage, body: Nothing },
  async ({ url, change }) => {
    const { type } = await change((tx) => unsubscribe(tx, tokenOf(url)))
    return {
      title: 'Unsubscribed',
      narrow: true,
      main: <p>You will not receive mails of the type {type} any more. Your notification preferences show all types.</p>,
    }
  },
)

export const unsubscribePages = pageRoutes('unsubscribe-pages', unsubscribePage, unsubscribeAction)
