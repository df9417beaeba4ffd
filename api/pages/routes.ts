import { Elysia } from 'elysia'
import { assets, page } from './shell.ts'

/** They are for people, so the API docs do not list them. */
export const pages = new Elysia({ name: 'pages' })
  .use(assets)
  .use(await page('verify-email', 'Verify your e-mail address'))
  .use(await page('reset-password', 'Set a new password'))
  .use(await page('invitations', 'You are invited'))
  .use(await page('unsubscribe', 'Stop these mails'))
