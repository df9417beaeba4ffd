/** An organization under lock, and what somebody is in it at that instant. */
import type { Place } from '../../core/actors.ts'
import type { Tx } from '../../sql/index.ts'
import type { Caller } from '../plugins/request-context.ts'
import { notFound, Problem } from '../problems.ts'
import { type OrganizationRole, reaches } from './roles.ts'

/** Where organization-wide things are recorded and told. */
export const wholeOf = (organization_id: string): Place => ({ organization_id, workspace_id: null, project_id: null })

/** An organization whose row is locked: its members and their roles stand still until the commit. */
export interface LockedOrganization {
  id: string
  name: string
  owner_id: string
  registration_mode: 'open' | 'invite-only'
  /** Whether `max_members` allows no more. */
  is_full: boolean
  updated_at: string
}

/**
 * Locks the row of an organization: whoever changes members, roles or the owner does so first, so that they take turns.
 *
 * @throws Problem `not_found` where it is deleted
 */
export async function lockOrganization(tx: Tx, organization_id: string): Promise<LockedOrganization> {
  const [organization] = await tx<LockedOrganization[]>`
    select id, name, owner_id, registration_mode, coalesce(member_count >= max_members, false) as is_full, updated_at
    from organizations
    where id = ${organization_id}
      and deleted_at is null
    for no key update
  `
  if (!organization) throw notFound('organization')
  return organization
}

/** The role of a user in an organization that is locked; null where they are no member. */
export async function roleOf(tx: Tx, organization_id: string, user_id: string): Promise<OrganizationRole | null> {
  const [member] = await tx<{ role: OrganizationRole }[]>`
    select role from organization_members where organization_id = ${organization_id} and user_id = ${user_id}
  `
  return member?.role ?? null
}

/** The refusal of those whose role is too low. */
export const roleTooLow = (needed: OrganizationRole, role: OrganizationRole): Problem =>
  new Problem('forbidden', `This needs the role ${needed} in the organization; yours is ${role}.`)

/**
 * Looks once more, under the lock, whether the caller may: the role may have changed since the request came in.
 *
 * @returns the caller's role
 * @throws Problem `not_found`, `forbidden`
 */
export async function requireRole(
  tx: Tx,
  by: Caller,
  organization_id: string,
  needed: OrganizationRole,
): Promise<OrganizationRole> {
  const role = await roleOf(tx, organization_id, by.id)
  if (!role) throw notFound('organization')
  if (!reaches(role, needed)) throw roleTooLow(needed, role)
  return role
}
