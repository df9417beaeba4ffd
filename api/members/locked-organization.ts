/** Locking an organization, and the roles of users while it is locked. */
import type { Scope } from '../../core/scopes.ts'
import type { Tx } from '../../sql/index.ts'
import { confirmAccess } from '../plugins/confirm-access.ts'
import type { Caller } from '../plugins/request-context.ts'
import { insufficientRole, notFound } from '../problems.ts'
import { hasAtLeast, type OrganizationRole } from '../roles.ts'

/** The scope of events and audit entries about the organization as a whole. */
export const organizationScope = (organization_id: string): Scope => ({ organization_id, workspace_id: null, project_id: null })

/** An organization whose row is locked. Its members and their roles cannot change until commit. */
export interface LockedOrganization {
  id: string
  name: string
  owner_id: string
  registration_mode: 'open' | 'invite-only'
  /** Whether `max_members` is reached. */
  is_full: boolean
  require_second_factor: boolean
  updated_at: string
}

/**
 * Locks an organization. Every change of members, roles or the owner takes this lock first.
 *
 * @throws Problem `not_found` if it was deleted; those of `confirmAccess`
 */
export async function lockOrganization(tx: Tx, organization_id: string): Promise<LockedOrganization> {
  // In one round trip. The change may end the caller's own membership or role.
  const [[organization]] = await Promise.all([
    tx<LockedOrganization[]>`
      select
        id, name, owner_id, registration_mode, coalesce(member_count >= max_members, false) as is_full,
        require_second_factor, updated_at
        updated_at
      from organizations
      where id = ${organization_id}
        and deleted_at is null
      for no key update
    `.execute(),
    confirmAccess(tx),
  ])
  if (!organization) throw notFound('organization')
  return organization
}

/** The role of a user in a locked organization; null if the user is not a member. */
export async function roleOf(tx: Tx, organization_id: string, user_id: string): Promise<OrganizationRole | null> {
  const [member] = await tx<{ role: OrganizationRole }[]>`
    select role from organization_members where organization_id = ${organization_id} and user_id = ${user_id}
  `
  return member?.role ?? null
}

/**
 * Checks the caller's role again under the lock, since it may have changed since the request was authorized.
 *
 * @returns the caller's role
 * @throws Problem `not_found`, `forbidden`
 */
export async function requireRole(
  tx: Tx,
  by: Caller,
  organization_id: string,
  required: OrganizationRole,
): Promise<OrganizationRole> {
  const role = await roleOf(tx, organization_id, by.id)
  if (!role) throw notFound('organization')
  if (!hasAtLeast(role, required)) throw insufficientRole(required, role, 'organization')
  return role
}
