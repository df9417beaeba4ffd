/** Deletion of accounts. */
import { PLACEHOLDER_DOMAINS } from '../../core/values/email-addresses.ts'
import type { Tx } from '../../sql/index.ts'
import { eachOrganization } from '../../sql/reach.ts'
import { unauthenticated } from '../credentials/access-tokens.ts'
import { type MemberChange, memberColumns, recordMemberChanges } from '../members/membership.ts'
import { confirmAccess } from '../plugins/confirm-access.ts'
import type { Caller } from '../plugins/request-context.ts'
import { requireMatch } from '../plugins/responses.ts'
import { Problem } from '../problems.ts'

interface Left {
  id: string
  name: string
  owner_id: string
}

/** Locks the organizations that a user is a member of, in the order of their ids. A membership may have ended meanwhile. */
const lockOrganizations = (tx: Tx, user_id: string) =>
  eachOrganization(
    tx<Left[]>`
  select organization.id, organization.name, organization.owner_id
  from organization_members as member
  join organizations as organization on organization.id = member.organization_id
  where member.user_id = ${user_id}
  order by organization.id
  for no key update of organization
`,
    user_id,
  )

/** Ends a membership. @returns what to record */
async function leave(tx: Tx, by: Caller, { id, name, owner_id }: Left): Promise<MemberChange[]> {
  const [, [member]] = await Promise.all([
    tx`update workspaces set owner_id = ${owner_id} where organization_id = ${id} and owner_id = ${by.id}`.execute(),
    tx<MemberChange['member'][]>`
      select ${memberColumns}
      from organization_members as member
      join people on people.id = member.user_id
      where member.user_id = ${by.id} and member.organization_id = ${id}
    `.execute(),
    tx`delete from organization_members where user_id = ${by.id} and organization_id = ${id}`.execute(),
    tx`delete from decision_links where user_id = ${by.id} and organization_id = ${id}`.execute(),
  ])
  if (!member) return []
  return [{ name: 'member.removed', member, detail: `${by.name} deleted their account and left the organization ${name}.` }]
}

async function leaveAll(tx: Tx, by: Caller): Promise<void> {
  const organizations = await lockOrganizations(tx, by.id)
  const owned = organizations.filter(({ owner_id }) => owner_id === by.id)
  if (owned.length > 0) {
    const names = owned.map(({ name }) => name).join(', ')
    throw new Problem('owns_organizations', `You own ${names}. Transfer or delete these organizations first.`)
  }
  const changes = await Promise.all(organizations.map((organization) => leave(tx, by, organization)))
  await Promise.all(changes.flat().map((change) => recordMemberChanges(tx, by, [change])))
}

/** Tables whose rows are deleted with their user. */
const PERSONAL = [
  'sessions',
  'personal_tokens',
  'passkeys',
  'user_identities',
  'sso_identities',
  'totp_apps',
  'totp_setups',
  'recovery_codes',
  'sign_in_tickets',
  'device_authorizations',
  'authorization_codes',
  'second_factor_resets',
  'email_verifications',
  'password_resets',
  'address_reversals',
  'user_avatars',
  'security_log_entries',
  'notification_preferences',
  'notification_inboxes',
] as const

/**
 * Deletes an account. The row is kept, anonymized and without a password, since other rows refer to it.
 *
 * @param password_hash the stored hash that the user's password matched; null without one
 * @throws Problem `owns_organizations`, `precondition_failed`; `unauthenticated` if the account or its password was changed meanwhile
 */
export async function deleteUser(tx: Tx, by: Caller, password_hash: string | null, request: Request): Promise<null> {
  // Adding a member locks the user's row as well, so no membership can be added meanwhile.
  const [user] = await tx<{ updated_at: string }[]>`
    select updated_at
    from users
    where id = ${by.id}
      and password_hash is not distinct from ${password_hash}
      and deleted_at is null
    for update
  `
  if (!user) throw unauthenticated('The account has changed. Sign in again.')
  requireMatch(request, user.updated_at)
  await confirmAccess(tx)
  await leaveAll(tx, by)
  await Promise.all(PERSONAL.map((table) => tx`delete from ${tx(table)} where user_id = ${by.id}`))
  await tx`
    update users
    set email          = id || '@' || ${PLACEHOLDER_DOMAINS.deleted}::text,
        email_verified = false,
        pending_email  = null,
        password_hash  = '',
        deleted_at     = now()
    where id = ${by.id}
  `
  return null
}
