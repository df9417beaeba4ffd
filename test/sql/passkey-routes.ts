/** The routes and pages of passkeys. */
import { Authenticator, originOf } from '../support/authenticator.ts'
import { PageClient } from '../support/page-client.ts'
import { storedTicket } from '../support/second-factors.ts'
import type { Actor, Box } from '../support/signalbox.ts'
import { PageWalk } from './every-page.ts'
import type { Walk } from './walk.ts'

const PASSKEYS = '/api/v1/auth/passkeys'
const SIGN_IN = '/api/v1/auth/passkey'

/** Registers a passkey, signs in with it, confirms with it that it may be removed, and removes it. */
export async function walkPasskeys(walk: Walk, box: Box, ada: Actor): Promise<void> {
  const device = await Authenticator.make(originOf(box))
  const { body: creation } = await walk.call(ada, `POST ${PASSKEYS}/options`)
  const credential = await device.create(creation)
  await walk.create(ada, PASSKEYS, 'passkey_id', { name: 'Laptop', credential })
  const { body: options } = await walk.call(box, `POST ${SIGN_IN}/options`)
  await walk.call(box, `POST ${SIGN_IN}`, { assertion: await device.get(options) })
  const ticket = await storedTicket(box, ada)
  const { body: step } = await walk.call(box, 'POST /api/v1/auth/login/second-factor/options', { ticket })
  await walk.call(box, 'POST /api/v1/auth/login/second-factor', { ticket, assertion: await device.get(step) })
  const { body: again } = await walk.call(ada, `POST ${SIGN_IN}/options`)
  await walk.call(ada, `DELETE ${PASSKEYS}/{passkey_id}`, { assertion: await device.get(again) })
}

/** The same on pages. The gate of the walk is pending. */
export async function passkeyPages(walk: Walk, pages: PageWalk, box: Box, admin: Actor): Promise<void> {
  const device = await Authenticator.make(originOf(box))
  const optionsOf = async (path: string, fields = {}) => JSON.parse((await pages.visitor.post(path, fields)).html)
  await pages.visit('GET /app/account/passkeys')
  await pages.visit('POST /app/account/passkeys/options', { name: 'Page' })
  const creation = await optionsOf('/app/account/passkeys/options', { name: 'Page' })
  const credential = JSON.stringify(await device.create(creation))
  await pages.visit('POST /app/account/passkeys', { name: 'Page', credential })
  const guest = new PageWalk(walk, new PageClient(box, walk.newAddress()))
  await guest.visit('POST /sign-in/passkey/options')
  const request = JSON.parse((await guest.visitor.post('/sign-in/passkey/options')).html)
  await guest.visit('POST /sign-in/passkey', { assertion: JSON.stringify(await device.get(request)) })
  const ticket = await storedTicket(box, admin)
  await guest.visit('POST /sign-in/second-factor/options', { ticket })
  const step = JSON.parse((await guest.visitor.post('/sign-in/second-factor/options', { ticket })).html)
  const second = JSON.stringify(await device.get(step))
  await guest.visit('POST /sign-in/second-factor/passkey', { ticket, assertion: second })
  await pages.visit('POST /app/account/passkeys/confirm')
  const [passkey] = await box.sql<[{ id: string }]>`select id from passkeys where name = 'Page'`
  walk.ids.passkey_id = passkey.id
  const assertion = JSON.stringify(await device.get(await optionsOf('/app/account/passkeys/confirm')))
  await pages.visit('POST /app/account/passkeys/{passkey_id}/remove', { assertion })
  await pages.visit('POST /app/gates/{gate_id}/approve/challenge')
  await pages.visit('POST /app/gates/{gate_id}/override/challenge', { reason: 'It is down', incident_url: '' })
}
