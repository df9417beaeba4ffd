/**
 * Resets of second factors, for a member who has lost theirs. The owner of an organization asks for one, and the member carries it out with a
 * mailed link: an account may be in other organizations too, and anybody can make somebody a member of theirs.
 */
import type { Visitor } from '../../core/actors.ts'
import { record } from '../../core/security/audit.ts'
import type { Tx } from '../../sql/index.ts'
import { tokenHash } from '../credentials/hashes.ts'
import { organizationScope } from '../members/locked-organization.ts'
import { getMember } from '../members/membership.ts'
import { limitMailedLinks } from '../plugins/rate-limit.ts'
import type { Caller } from '../plugins/request-context.ts'
import type { ResourceKey } from '../plugins/resources.ts'
import { invalidField, Problem } from '../problems.ts'
import { prepareRemoval, recordAndMail } from './second-factors.ts'

/** Tables whose rows are second factors. */
const FACTORS = ['totp_apps', 'passkeys'] as const

/**
 * Mails a member the link that removes their second factors.
 *
 * @throws Problem `not_found`, `forbidden` for one's own, `rate_limited`; `invalid_transition` if the member has none
 */
export async function requestFactorReset(
  tx: Tx,
  by: Caller,
  { organization_id }: ResourceKey<'organization'>,
  user_id: string,
): Promise<null> {
  const member = await getMember(tx, organization_id, user_id)
  if (member.user_id === by.id) {
    throw new Problem(
      'forbidden',
      'You cannot reset your own second factors. Use a recovery code, and replace them in your account.',
    )
  }
  const factors = await tx`select from users where id = ${member.user_id} and second_factors > 0`
  if (factors.length === 0) throw new Problem('invalid_transition', `${member.user_name} has no second factor.`)
  limitMailedLinks(member.user_email, by)
  const [organization] = await tx<[{ name: string }]>`select name from organizations where id = ${organization_id}`
  const detail = `${by.name}, the owner of ${organization.name}, asked to remove your second factors, because you lost them.`
  await recordAndMail(tx, member.user_id, null, 'second_factor.reset_requested', detail)
  await record(tx, by, organizationScope(organization_id), {
    action: 'member.second_factor_reset',
    resource_type: 'organization_member',
    resource_id: member.user_id,
    detail: `${by.name} mailed ${member.user_name} a link that removes their second factors.`,
  })
  return null
}

/**
 * Removes all second factors of a user with the token of a mailed link, which works once, while the account has the address that it was
 * mailed to.
 *
 * @throws Problem 422 if the token is invalid, used or expired; `second_factor_required` (409) if the user owns an organization that requires one
 */
export async function resetSecondFactors(tx: Tx, token: string, visitor: Visitor): Promise<null> {
  const [reset] = await tx<{ user_id: string }[]>`
    delete from second_factor_resets as reset
    using users
    where reset.hash = ${tokenHash(token)}
      and reset.expires_at > now()
      and users.id = reset.user_id
      and users.email = reset.email
    returning reset.user_id
  `
  if (!reset) throw invalidField('/token', 'invalid_token', 'is invalid, used, or older than 24 hours; ask for a new link')
  const { user_id } = reset
  await prepareRemoval(tx, user_id, 'all')
  await Promise.all(FACTORS.map((table) => tx`delete from ${tx(table)} where user_id = ${user_id}`))
  await tx`delete from second_factor_resets where user_id = ${user_id}`
  const detail = 'All second factors and recovery codes were removed with a mailed link. Set up new ones.'
  await recordAndMail(tx, user_id, visitor, 'second_factor.reset', detail)
  return null
}
