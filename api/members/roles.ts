/** Who stands above whom. */

export type OrganizationRole = 'owner' | 'admin' | 'member'
export type WorkspaceRole = 'admin' | 'member'

const RANK: Record<OrganizationRole, number> = { member: 1, admin: 2, owner: 3 }

/** Whether a role is the one that is needed, or above it. */
export const reaches = (role: OrganizationRole, needed: OrganizationRole): boolean => RANK[role] >= RANK[needed]

/**
 * A caller's role in a workspace: owners and admins of the organization are admins of every workspace in it.
 *
 * @returns null for a member of the organization who has no role there
 */
export const roleInWorkspace = (inOrganization: OrganizationRole, inWorkspace: WorkspaceRole | null): WorkspaceRole | null =>
  reaches(inOrganization, 'admin') ? 'admin' : inWorkspace
