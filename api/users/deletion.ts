/** The end of an account. */
import { invalidField, Problem } from '../../core/problems.ts'
import type { Queryable, Tx } from '../../sql/index.ts'
import { passwordFits } from '../auth/passwords.ts'
import { type MemberDeed, memberColumns, tellOfMembers } from '../members/membership.ts'
import type { Caller } from '../plugins/exchange.ts'

/** @throws Problem 422 where it is not the user's password */
export async function requirePassword(db: Queryable, user_id: string, password: string): Promise<void> {
  const [user] = await db<{ password_hash: string }[]>`select password_hash from users where id = ${user_id}`
  if (!(await passwordFits(password, user?.password_hash ?? null))) {
    throw invalidField('/current_password', 'wrong_password', 'is not your password')
  }
}

/** Ends all memberships at once, in one statement each, however many there are. */
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
    throw new Problem('owns_organizations', `You own ${names}. Transfer or delete what you own first.`)
  }
  const members = await tx<MemberDeed['member'][]>`
    select ${memberColumns}
    from organization_members as member
    join users on users.id = member.user_id
    where member.user_id = ${by.id}
  `
  await tx`
    update workspaces as workspace
    set owner_id = organization.owner_id
    from organizations as organization
    where organization.id = any(${organizations.map(({ id }) => id)}::uuid[])
      and workspace.organization_id = organization.id
      and workspace.owner_id = ${by.id}
  `
  await tx`delete from organization_members where user_id = ${by.id}`
  const names = new Map(organizations.map(({ id, name }) => [id, name]))
  await tellOfMembers(
    tx,
    by,
    members.map((member) => ({
      name: 'member.removed',
      member,
      detail: `${by.name} deleted their account, and so left the organization ${names.get(member.organization_id)}.`,
    })),
  )
}

/**
 * Deletes an account. The row stays, so that ids and names in what the user did stay as they were; nobody signs in by it,
 * and nobody finds it.
 *
 * @throws Problem `owns_organizations`
 */
export async function deleteUser(tx: Tx, by: Caller): Promise<null> {
  // Nobody makes them a member meanwhile: who does holds this row.
  await tx`select from users where id = ${by.id} for update`
  await leaveAll(tx, by)
  await tx`delete from sessions where user_id = ${by.id}`
  await tx`delete from email_verifications where user_id = ${by.id}`
  await tx`
    update users
    set email          = id || '@deleted.invalid',
        email_verified = false,
        pending_email  = null,
        password_hash  = '',
        deleted_at     = now()
    where id = ${by.id}
  `
  return null
}
