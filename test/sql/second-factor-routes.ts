/** The routes and pages of second factors. */
import { PageClient } from '../support/page-client.ts'
import { addTotp, codeOf, forgetCodes, storedTicket } from '../support/second-factors.ts'
import { type Actor, PASSWORD } from '../support/signalbox.ts'
import type { PageWalk } from './every-page.ts'
import type { Context, Walk } from './walk.ts'

const AUTH = '/api/v1/auth'

/** An authenticator app, and sign-ins with it; then an owner resets the second factors of a member. */
async function walkRoutes(walk: Walk, context: Context, owner: Actor): Promise<void> {
  const { box } = context
  const user = await box.user('Careful')
  const { body: setup } = await walk.call(user, `POST ${AUTH}/totp`)
  await walk.call(user, `POST ${AUTH}/totp/confirm`, { code: codeOf(setup.secret) })
  await walk.call(user, `GET ${AUTH}/second-factors`)
  const { body: codes } = await walk.call(user, `POST ${AUTH}/recovery-codes`)
  await forgetCodes(box, user)
  const [recovery_code] = codes.recovery_codes
  for (const proof of [{ recovery_code }, { code: codeOf(setup.secret) }])
    await walk.call(box, `POST ${AUTH}/login/second-factor`, { ticket: await storedTicket(box, user), ...proof })
  await walk.call(user, `DELETE ${AUTH}/totp`)
  const members = `/api/v1/organizations/${walk.ids.org_id}/members`
  const member = await box.user('Forgetful')
  await owner.make(members, { user_id: member.id })
  await addTotp(box, member)
  const ids = { ...walk.ids }
  walk.ids.member_user_id = member.id
  await walk.call(owner, 'POST /api/v1/organizations/{org_id}/members/{member_user_id}/reset-second-factors')
  await walk.call(box, `POST ${AUTH}/second-factors/reset`, {
    token: await factorResetToken(context, member),
    current_password: PASSWORD,
  })
  Object.assign(walk.ids, ids)
}

async function factorResetToken({ box, mail }: Context, { email }: Actor): Promise<string> {
  const tokens = () => mail.to(email).flatMap(({ text }) => /\/reset-second-factors\?token=([\w-]+)/.exec(text)?.[1] ?? [])
  await box.until('the link came', async () => tokens().length > 0)
  return tokens()[0] ?? ''
}

/** The routes and pages of second factors, of an owner's account and of the organization. */
export async function walkFactorPages(walk: Walk, context: Context, pages: PageWalk, owner: Actor): Promise<void> {
  const { box } = context
  await walkRoutes(walk, context, owner)
  await pages.visit('GET /app/account/security')
  await pages.visit('POST /app/account/security/totp')
  const shown = await pages.visitor.open('/app/account/security')
  const secret = (shown.document.querySelector('main code')?.textContent ?? '').replaceAll(' ', '')
  await pages.visit('POST /app/account/security/totp/confirm', { code: codeOf(secret) })
  await pages.visit('POST /app/account/security/recovery-codes')
  await forgetCodes(box, owner)
  const guest = pages.as(new PageClient(box, walk.newAddress()))
  await guest.visit('GET /sign-in/second-factor')
  await guest.visit('POST /sign-in/second-factor', {
    ticket: await storedTicket(box, owner),
    code: codeOf(secret),
  })
  await pages.visit('GET /app/organizations/{org_id}/security')
  await pages.visit('POST /app/organizations/{org_id}/security', { require_second_factor: 'true' })
  await pages.visit('POST /app/organizations/{org_id}/security', { require_second_factor: 'false' })
  const member = await box.user('Forgetful')
  await owner.make(`/api/v1/organizations/${walk.ids.org_id}/members`, { user_id: member.id })
  await addTotp(box, member)
  const ids = { ...walk.ids }
  walk.ids.member_user_id = member.id
  await pages.visit('POST /app/organizations/{org_id}/security/{member_user_id}/reset')
  const token = await factorResetToken(context, member)
  await guest.visit('GET /reset-second-factors', {}, `?token=${token}`)
  await guest.visit('POST /reset-second-factors', { current_password: PASSWORD }, `?token=${token}`)
  Object.assign(walk.ids, ids)
  await pages.visit('POST /app/account/security/totp/remove')
}
