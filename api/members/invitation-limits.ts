/** Limits of mails to people who asked for none. */
import { config } from '../../core/platform/config.ts'
import { type Quota, useQuota } from '../../core/security/quotas.ts'
import type { Tx } from '../../sql/index.ts'
import { limitReached } from '../plugins/rate-limit.ts'
import type { Caller } from '../plugins/request-context.ts'
import { Problem } from '../problems.ts'

const DAY = 86_400
const BY_ACCOUNT: Quota = { most: config.INVITATIONS_PER_DAY, seconds: DAY }
const TO_ADDRESS: Quota = { most: 3, seconds: DAY }

/**
 * Only accounts with a proven address cause mails to others.
 *
 * @throws Problem `address_not_verified`
 */
export async function requireProvenAddress(tx: Tx, by: Caller): Promise<void> {
  if (config.EMAIL_VERIFICATION === 'off') return
  const [proven] = await tx`select from users where id = ${by.id} and email_verified`
  if (proven) return
  throw new Problem(
    'address_not_verified',
    'You can add and invite people once your e-mail address is verified. Open the link that was mailed to it, or request a new one.',
  )
}

/**
 * Counts an invitation for the account that sends it, then for the address: always in this order, so that two transactions cannot wait for
 * each other.
 *
 * @throws Problem `invitation_limit_reached`
 */
export async function countInvitation(tx: Tx, by: Caller, email: string): Promise<void> {
  if (config.RATE_LIMIT === 0) return
  const wait = await useQuota(tx, `invitations by ${by.id}`, BY_ACCOUNT)
  if (wait !== null) throw limitReached('invitation_limit_reached', wait, `You can send ${BY_ACCOUNT.most} invitations a day`)
  const waitOfAddress = await useQuota(tx, `invitations to ${email}`, TO_ADDRESS)
  if (waitOfAddress === null) return
  const what = `An address can be invited ${TO_ADDRESS.most} times a day`
  throw limitReached('invitation_limit_reached', waitOfAddress, what)
}

/**
 * Counts that a person is added to an organization, which sends them a mail. Additions have a limit of their own, so
 * that a person who has used up their invitations can still add colleagues.
 *
 * @throws Problem `invitation_limit_reached`
 */
export async function countAddition(tx: Tx, by: Caller, user_id: string): Promise<void> {
  if (config.RATE_LIMIT === 0) return
  const wait = await useQuota(tx, `additions by ${by.id}`, BY_ACCOUNT)
  if (wait !== null) throw limitReached('invitation_limit_reached', wait, `You can add ${BY_ACCOUNT.most} people a day`)
  const waitOfPerson = await useQuota(tx, `additions of ${user_id}`, TO_ADDRESS)
  if (waitOfPerson === null) return
  const what = `A person can be added to organizations ${TO_ADDRESS.most} times a day`
  throw limitReached('invitation_limit_reached', waitOfPerson, what)
}
