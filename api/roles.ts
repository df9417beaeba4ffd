/** Roles and their order. */

export type OrganizationRole = 'owner' | 'admin' | 'member'
export type WorkspaceRole = 'admin' | 'member'

const RANK: Record<OrganizationRole, number> = { member: 1, admin: 2, owner: 3 }

export const asRole = (role: OrganizationRole): string =>
  role === 'member' ? 'a member' : role === 'admin' ? 'an admin' : 'the owner'

export const hasAtLeast = (role: OrganizationRole, required: OrganizationRole): boolean => RANK[role] >= RANK[required]

/** Owners and admins of the organization are admins of all its workspaces; other members need a role there. */
export const roleInWorkspace = (inOrganization: OrganizationRole, inWorkspace: WorkspaceRole | null): WorkspaceRole | null =>
  hasAtLeast(inOrganization, 'admin') ? 'admin' : inWorkspace
