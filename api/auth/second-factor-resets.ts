/**
 * Resets of second factors, for a member who has lost theirs. The owner of an organization asks for one, and the member carries it out with a
 * mailed link and the password: an account may be in other organizations too, and anyone can add a person to their own. A person who has
 * the mailbox can reset the password as well, so that a recent reset of it bars the link.
 */

import { record } from '../../core/security/audit.ts'
import { tokenHash } from '../../core/security/tokens.ts'
import type { Visitor } from '../../core/tenants/actors.ts'
import { minuteText } from '../../core/values/instants.ts'
import type { Queryable, Tx } from '../../sql/index.ts'
import { requirePerson } from '../credentials/scopes.ts'
import { getMember, organizationScope } from '../members/membership.ts'
import { limitMailedLinks } from '../plugins/rate-limit.ts'
import type { Caller } from '../plugins/request-context.ts'
import type { ResourceKey } from '../plugins/resources.ts'
import { invalidField, Problem } from '../problems.ts'
import { verifyPasswordOf, wrongPassword } from '../users/account.ts'
import { isKnownNetwork, signInSubject } from './passwords.ts'
import type { FactorReset } from './schema.ts'
import { FACTORS, prepareRemoval, recordAndMail } from './second-factors.ts'

/**
 * Mails a member the link that removes their second factors.
 *
 * @throws Problem `person_required`, `not_found`, `forbidden` for one's own, `rate_limited`; `invalid_transition` if the member has none, or no verified address
 */
export async function requestFactorReset(tx: Tx, by: Caller, { organization_id }: ResourceKey<'organization'>, user_id: string) {
  await requirePerson(tx, by, 'reset the second factors of members')
  const member = await getMember(tx, organization_id, user_id)
  if (member.user_id === by.id) {
    throw new Problem(
      'forbidden',
      'You cannot reset your own second factors. Use a recovery code, and replace them in your account.',
    )
  }
  const [{ second_factors, email_verified }] = await tx<[{ second_factors: number; email_verified: boolean }]>`
    select second_factors, email_verified from users where id = ${member.user_id}
  `
  if (second_factors === 0) throw new Problem('invalid_transition', `${member.user_name} has no second factor.`)
  if (!email_verified) {
    throw new Problem(
      'invalid_transition',
      `${member.user_name} has not verified their e-mail address, so no link can be mailed to it. The operator of the service can help.`,
    )
  }
  limitMailedLinks(member.user_email, by)
  const [organization] = await tx<[{ name: string }]>`select name from organizations where id = ${organization_id}`
  const detail = `${by.name}, the owner of ${organization.name}, asked to remove your second factors, which takes your password as well.`
  await recordAndMail(tx, member.user_id, null, 'second_factor.reset_requested', detail)
  await record(tx, by, organizationScope(organization_id), {
    action: 'member.second_factor_reset',
    resource_type: 'organization_member',
    resource_id: member.user_id,
    detail: `${by.name} mailed ${member.user_name} a link that removes their second factors.`,
  })
  return null
}

const invalidLink = () => invalidField('/token', 'invalid_token', 'is invalid, used, or older than 24 hours; ask for a new link')

/** A link whose user gave the current password. Both may change before it is used. */
interface VerifiedReset {
  hash: Buffer
  user_id: string
  password_hash: string
}

/**
 * Verifies a mailed link and the current password. Wrong passwords count as those at sign-in do, and leave the link valid.
 *
 * @param db a pool: what was tried stays counted
 * @throws Problem 422 if the token is invalid, used or expired, or the password is wrong; `rate_limited`; `too_busy`
 */
export async function verifyFactorReset(db: Queryable, { token, current_password }: FactorReset, visitor: Visitor) {
  const hash = tokenHash(token)
  const [user] = await db<{ id: string; email: string; password_hash: string; is_known: boolean }[]>`
    select users.id, users.email, users.password_hash, ${isKnownNetwork(db, visitor)} as is_known
    from second_factor_resets as reset
    join users
      on users.id = reset.user_id
      and users.email = reset.email
    where reset.hash = ${hash}
      and reset.expires_at > now()
  `
  if (!user) throw invalidLink()
  const subject = signInSubject(user.email, visitor, user.is_known)
  return { hash, user_id: user.id, password_hash: await verifyPasswordOf(db, user, current_password, subject, visitor) }
}

/**
 * Removes all second factors of a user with a mailed link, which works once, while the account has the address that it was mailed to.
 *
 * @throws Problem 422 if the link was used, or the password changed meanwhile; `password_recently_reset`;
 *   `second_factor_required` (409) if the user owns an organization that requires one
 */
export async function resetSecondFactors(tx: Tx, { hash, user_id, password_hash }: VerifiedReset, visitor: Visitor) {
  // Locked before the link, as by a password reset, which deletes links.
  const [user] = await tx<{ barred_until: string | null }[]>`
    select case when password_reset_at > now() - interval '7 days' then password_reset_at + interval '7 days' end as barred_until
    from users
    where id = ${user_id} and password_hash = ${password_hash}
    for no key update
  `
  if (!user) throw wrongPassword()
  if (user.barred_until !== null) {
    throw new Problem(
      'password_recently_reset',
      `The password was reset by mail, so a mailed link cannot remove second factors until ${minuteText(user.barred_until)}. Sign in with a recovery code or another second factor, or ask the operator of the service.`,
    )
  }
  const used = await tx`
    delete from second_factor_resets as reset
    using users
    where reset.hash = ${hash}
      and reset.expires_at > now()
      and users.id = reset.user_id
      and users.email = reset.email
  `
  if (used.count === 0) throw invalidLink()
  await prepareRemoval(tx, user_id, 'all')
  await Promise.all(FACTORS.map((table) => tx`delete from ${tx(table)} where user_id = ${user_id}`))
  await tx`delete from second_factor_resets where user_id = ${user_id}`
  const detail = 'All second factors and recovery codes were removed with a mailed link and the password. Set up new ones.'
  await recordAndMail(tx, user_id, visitor, 'second_factor.reset', detail)
  return null
}
