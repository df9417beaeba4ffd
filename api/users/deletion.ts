/** Deletion of accounts. */
import { PLACEHOLDER_DOMAINS } from '../../core/values/email-addresses.ts'
import type { Tx } from '../../sql/index.ts'
import { unauthenticated } from '../auth/access-tokens.ts'
import { type MemberChange, memberColumns, recordMemberChanges } from '../members/membership.ts'
import type { Caller } from '../plugins/request-context.ts'
import { Problem } from '../problems.ts'

/** Ends all memberships, with a constant number of statements. */
async function leaveAll(tx: Tx, by: Caller): Promise<void> {
  const organizations = await tx<{ id: string; name: string; owner_id: string }[]>`
    select id, name, owner_id
    from organizations
    where id in (select organization_id from organization_members where user_id = ${by.id})
    order by id
    for no key update
  `
  const owned = organizations.filter(({ owner_id }) => owner_id === by.id)
  if (owned.length > 0) {
    const names = owned.map(({ name }) => name).join(', ')
    throw new Problem('owns_organizations', `You own ${names}. Transfer or delete these organizations first.`)
  }
  const organization_ids = organizations.map(({ id }) => id)
  const members = await tx<MemberChange['member'][]>`
    select ${memberColumns}
    from organization_members as member
    join users on users.id = member.user_id
    where member.user_id = ${by.id}
      and member.organization_id = any(${organization_ids}::uuid[])
  `
  await tx`
    update workspaces as workspace
    set owner_id = organization.owner_id
    from organizations as organization
    where organization.id = any(${organization_ids}::uuid[])
      and workspace.organization_id = organization.id
      and workspace.owner_id = ${by.id}
  `
  await tx`delete from organization_members where user_id = ${by.id} and organization_id = any(${organization_ids}::uuid[])`
  const names = new Map(organizations.map(({ id, name }) => [id, name]))
  await recordMemberChanges(
    tx,
    by,
    members.map((member) => ({
      name: 'member.removed',
      member,
      detail: `${by.name} deleted their account and left the organization ${names.get(member.organization_id)}.`,
    })),
  )
}

/** Tables whose rows are deleted with their user. */
const PERSONAL = [
  'sessions',
  'personal_tokens',
  'user_identities',
  'email_verifications',
  'password_resets',
  'user_avatars',
  'security_log_entries',
  'notification_preferences',
  'notification_inboxes',
] as const

/**
 * Deletes an account. The row is kept, anonymized and without a password, since other rows refer to it.
 *
 * @param password_hash the stored hash that the user's password matched
 * @throws Problem `owns_organizations`; `unauthenticated` if the account or its password was changed meanwhile
 */
export async function deleteUser(tx: Tx, by: Caller, password_hash: string): Promise<null> {
  // Adding a member locks the user's row as well, so no membership can be added meanwhile.
  const [user] = await tx`
    select from users where id = ${by.id} and password_hash = ${password_hash} and deleted_at is null for update
  `
  if (!user) throw unauthenticated('The account has changed. Sign in again.')
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
