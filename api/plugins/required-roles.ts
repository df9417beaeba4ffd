/** The roles that routes and pages require, and whether a caller has them. */
import { decidesByGroup } from '../../core/gates/approval.ts'
import { sql } from '../../core/platform/database.ts'
import { insufficientRole, Problem } from '../problems.ts'
import { hasAtLeast, type OrganizationRole, type WorkspaceRole } from '../roles.ts'
import type { FoundCaller } from './callers.ts'
import type { Kind, Resource } from './resources.ts'

/**
 * A minimum role; `own`: the owner of the resource and admins have access; `decider`: members of the groups that a gate names and admins
 * have; or `organization admin`: an owner or admin of the organization of the resource, of a gate in a session.
 */
export type RequiredRole = OrganizationRole | WorkspaceRole | 'own' | 'decider' | 'organization admin'

/** The roles that can be required on a kind of resource. Only runtimes have owners, and only gates name groups. */
export type RoleOf<K extends Kind> =
  | Resource<K>['role']
  | (K extends 'runtime' ? 'own' : never)
  | (K extends 'gate' ? 'decider' : never)
  | (K extends 'gate' | 'project' ? 'organization admin' : never)

/** A caller with whether they are in a group that the gate names, if that decides about their access. */
export async function withGroups<K extends Kind>(found: FoundCaller<K>, required: RequiredRole): Promise<FoundCaller<K>> {
  const { resource, user_id } = found
  if (required !== 'decider' || !resource || resource.role === 'admin') return found
  return { ...found, is_in_group: await decidesByGroup(sql, resource, user_id) }
}

/** The problem to answer with if the caller's role is insufficient, else null. */
export function roleProblem(
  kind: Kind,
  { is_own, is_in_group, organization_role, service_account }: FoundCaller,
  { role, workspace_id }: Resource,
  required: RequiredRole,
): Problem | null {
  // Its scope allows what the role would.
  if (service_account) return null
  if (required === 'organization admin') {
    const held = organization_role ?? 'member'
    return hasAtLeast(held, 'admin') ? null : insufficientRole('admin', held, 'organization')
  }
  const isExcepted = (required === 'own' && is_own) || (required === 'decider' && is_in_group === true)
  const minimum = required === 'own' || required === 'decider' ? 'admin' : required
  if (isExcepted || hasAtLeast(role, minimum)) return null
  const exception =
    required === 'own' ? `, or to own the ${kind}` : is_in_group === false ? `, or to be in a group that the gate names` : ''
  const where = workspace_id === null ? 'organization' : 'workspace'
  return new Problem('forbidden', `This requires the role ${minimum} in the ${where}${exception}; your role is ${role}.`)
}

/** None but their own for callers who may only replay a stored response, own the resource, or are in a group of the gate. */
export const roleToKeep = (
  { is_own, is_in_group }: FoundCaller,
  required: RequiredRole,
  problem: Problem | null,
): Resource['role'] => {
  if (problem || (required === 'own' && is_own) || (required === 'decider' && is_in_group)) return 'member'
  return required === 'own' || required === 'decider' || required === 'organization admin' ? 'admin' : required
}
