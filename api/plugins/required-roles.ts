/** The roles that routes and pages require. */
import { insufficientRole, Problem } from '../problems.ts'
import { hasAtLeast, type OrganizationRole, type WorkspaceRole } from '../roles.ts'
import type { FoundCaller } from './callers.ts'
import type { Kind, Resource } from './resources.ts'

/**
 * A minimum role; `own`: the owner of the resource and admins have access; or `organization admin`: an owner or admin of the organization
 * of the resource, in a session.
 */
export type RequiredRole = OrganizationRole | WorkspaceRole | 'own' | 'organization admin'

/** The roles that can be required on a kind of resource. Only runtimes have owners. */
export type RoleOf<K extends Kind> =
  | Resource<K>['role']
  | (K extends 'runtime' ? 'own' : never)
  | (K extends 'gate' ? 'organization admin' : never)

/** The problem to answer with if the caller's role is insufficient, else null. */
export function roleProblem(
  kind: Kind,
  { is_own, organization_role }: FoundCaller,
  { role, workspace_id }: Resource,
  required: RequiredRole,
): Problem | null {
  if (required === 'organization admin') {
    const held = organization_role ?? 'member'
    return hasAtLeast(held, 'admin') ? null : insufficientRole('admin', held, 'organization')
  }
  const [minimum, exception] = required === 'own' ? (['admin', `, or to own the ${kind}`] as const) : ([required, ''] as const)
  if (hasAtLeast(role, minimum) || (required === 'own' && is_own)) return null
  const where = workspace_id === null ? 'organization' : 'workspace'
  return new Problem('forbidden', `This requires the role ${minimum} in the ${where}${exception}; your role is ${role}.`)
}

/** The role that keeps a caller admitted. Whoever may only replay a stored response, or owns the resource, needs no other than theirs. */
export const roleToKeep = ({ is_own }: FoundCaller, required: RequiredRole, problem: Problem | null): Resource['role'] => {
  if (problem || (required === 'own' && is_own)) return 'member'
  return required === 'own' || required === 'organization admin' ? 'admin' : required
}
