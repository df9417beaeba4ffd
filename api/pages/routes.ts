import { Elysia } from 'elysia'
import { assets, page } from './shell.ts'

/** Pages for people; not part of the API docs. */
export const pages = new Elysia({ name: 'pages' })
  .use(assets)
  .use(await page('verify-email', 'Verify your e-mail address'))
  .use(await page('reset-password', 'Set a new password'))
  .use(await page('invitations', 'Invitation'))
  .use(await page('unsubscribe', 'Unsubscribe'))
