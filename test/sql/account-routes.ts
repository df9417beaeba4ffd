/** The routes of accounts and sessions. */
import { notificationTypes } from '../../core/notifications/types.ts'
import { Actor, PASSWORD } from '../support/signalbox.ts'
import { walkPasskeys } from './passkey-routes.ts'
import { type Context, tokenFrom, type Walk } from './walk.ts'

const V1 = '/api/v1'
/** A PNG of one pixel. */
const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNkYAAAAAYAAjCB0C8AAAAASUVORK5CYII=',
  'base64',
)

/** Registers, signs in and out, and changes an account. @returns the user */
export async function walkAccounts(walk: Walk, context: Context): Promise<Actor> {
  const { box } = context
  const email = 'ada@example.com'
  await walk.call(box, `POST ${V1}/auth/register`, { email, name: 'Ada Lovelace', password: PASSWORD })
  await walk.call(box, `POST ${V1}/auth/verify-email`, { token: await tokenFrom(context, email, 'verify-email') })
  await walk.call(box, `POST ${V1}/auth/password-reset`, { email })
  const token = await tokenFrom(context, email, 'reset-password')
  await walk.call(box, `POST ${V1}/auth/password-reset/confirm`, { token, password: PASSWORD })
  const { body: session } = await walk.call(box, `POST ${V1}/auth/login`, { email, password: PASSWORD })
  const { body: renewed } = await walk.call(box, `POST ${V1}/auth/refresh`, { refresh_token: session.refresh_token })
  const ada = new Actor(box, 'Ada Lovelace', email, session.user.id, renewed.access_token, renewed.refresh_token)
  walk.ids.user_id = ada.id
  await walk.call(ada, `PUT ${V1}/users/me`, { name: 'Ada King' })
  await walk.call(ada, `PUT ${V1}/users/me/avatar`, PIXEL, { 'Content-Type': 'image/png' })
  await walk.call(box, `GET ${V1}/users/{user_id}/avatar`)
  await walk.call(ada, `DELETE ${V1}/users/me/avatar`)
  const types = { email_enabled: true, types: notificationTypes, email_types: notificationTypes }
  await walk.call(ada, `PUT ${V1}/notifications/preferences`, types)
  for (const end of ['DELETE', 'logout']) {
    const { body } = await walk.call(box, `POST ${V1}/auth/login`, { email, password: PASSWORD })
    const other = ada.as(body.access_token)
    if (end === 'logout') {
      await walk.call(other, `POST ${V1}/auth/logout`)
      continue
    }
    const sessions = await ada.get(`${V1}/auth/sessions`)
    walk.ids.session_id = sessions.body.find((each: { current: boolean }) => !each.current).id
    await walk.call(ada, `DELETE ${V1}/auth/sessions/{session_id}`)
  }
  await walkPasskeys(walk, box, ada)
  const moved = await box.user('Moved')
  await moved.put(`${V1}/users/me`, { email: 'elsewhere@example.com', current_password: PASSWORD })
  await walk.call(box, `POST ${V1}/auth/restore-email`, { token: await tokenFrom(context, moved.email, 'restore-email') })
  const stranger = await box.register('Stranger')
  await walk.call(stranger, `POST ${V1}/auth/verify-email/resend`)
  await walk.call(stranger, `DELETE ${V1}/users/me`, { current_password: PASSWORD })
  return ada
}
