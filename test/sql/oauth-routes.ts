/** The routes and pages of OAuth. */
import { PageClient } from '../support/page-client.ts'
import { type Actor, PASSWORD } from '../support/signalbox.ts'
import { PageWalk } from './every-page.ts'
import type { Context, Walk } from './walk.ts'

const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' }

/** A device is signed in, and another one is denied. */
export async function walkDevice(walk: Walk, { box }: Context, ada: Actor): Promise<void> {
  const send = async (route: string, fields: Record<string, string>) =>
    (await walk.call(box, route, new URLSearchParams(fields).toString(), FORM)).body
  const pages = new PageWalk(walk, new PageClient(box, walk.newAddress()))
  await pages.visitor.post('/sign-in', { email: ada.email, password: PASSWORD })
  await pages.visit('GET /device')
  for (const decision of ['deny', 'allow']) {
    const { user_code, device_code } = await send('POST /oauth/device_authorization', { client_id: 'signalbox-cli' })
    await pages.visit('POST /device', { user_code })
    await pages.visit('POST /device/decision', { user_code, decision })
    if (decision === 'deny') continue
    const grant_type = 'urn:ietf:params:oauth:grant-type:device_code'
    await send('POST /oauth/token', { grant_type, device_code, client_id: 'signalbox-cli' })
  }
}
