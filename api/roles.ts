/** Roles and their order. */

export type OrganizationRole = 'owner' | 'admin' | 'member'
export type WorkspaceRole = 'admin' | 'member'

const RANK: Record<OrganizationRole, number> = { member: 1, admin: 2, owner: 3 }

/** What a person with the role is: `an admin`. */
export const asRole = (role: OrganizationRole): string =>
  role === 'member' ? 'a member' : role === 'admin' ? 'an admin' : 'the owner'

/** Whether a role is at least the required one. */
export const hasAtLeast = (role: OrganizationRole, required: OrganizationRole): boolean => RANK[role] >= RANK[required]

/**
 * A user's role in a workspace. Owners and admins of the organization are admins of all its workspaces.
 *
 * @returns null for a member of the organization without a role in the workspace
 */
export const roleInWorkspace = (inOrganization: OrganizationRole, inWorkspace: WorkspaceRole | null): WorkspaceRole | null =>
  hasAtLeast(inOrganization, 'admin') ? 'admin' : inWorkspace
