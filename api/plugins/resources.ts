/** The resources that paths name: their kinds, what each belongs to, and the role of the caller there. */
import type { ProjectScope, Scope, WorkspaceScope } from '../../core/tenants/scopes.ts'
import { type OrganizationRole, roleInWorkspace, type WorkspaceRole } from '../roles.ts'

/** By kind: the parameter with its id, the path segment before that, and what its roles are those of. Tables: `sql/resource-tables.ts`. */
export const KINDS = {
  organization: { param: 'org_id', collection: 'organizations', within: 'organization' },
  runtime: { param: 'runtime_id', collection: 'runtimes', within: 'organization' },
  group: { param: 'group_id', collection: 'groups', within: 'organization' },
  service_account: { param: 'service_account_id', collection: 'service-accounts', within: 'organization' },
  workspace: { param: 'workspace_id', collection: 'workspaces', within: 'workspace' },
  project: { param: 'project_id', collection: 'projects', within: 'project' },
  requirement: { param: 'requirement_id', collection: 'requirements', within: 'project' },
  execution: { param: 'execution_id', collection: 'executions', within: 'project' },
  gate: { param: 'gate_id', collection: 'gates', within: 'project' },
  hook: { param: 'hook_id', collection: 'deployment-hooks', within: 'project' },
  comparison: { param: 'comparison_id', collection: 'dual-track', within: 'project' },
  deliverable: { param: 'deliverable_id', collection: 'deliverables', within: 'project' },
  dispatch: { param: 'dispatch_id', collection: 'dispatches', within: 'project' },
  channel: { param: 'channel_id', collection: 'notification-channels', within: 'workspace' },
  subscription: { param: 'subscription_id', collection: 'subscriptions', within: 'workspace' },
} as const

export type Kind = keyof typeof KINDS

interface Levels {
  organization: Scope & { role: OrganizationRole }
  workspace: WorkspaceScope & { role: WorkspaceRole }
  project: ProjectScope & { role: WorkspaceRole }
}

/** A resource that a path names, with the caller's role there. */
export type Resource<K extends Kind = Kind> = { kind: K; id: string } & Levels[LevelOf<K>]

export interface ResourceKey<K extends Kind = Kind> {
  kind: K
  id: string
  organization_id: string
}

export function resourceKey<K extends Kind>(
  kind: K,
  id: string,
  { organization_id }: Pick<Scope, 'organization_id'>,
): ResourceKey<K> {
  return { kind, id, organization_id }
}

export interface FoundResource extends Scope {
  /** Null if there is none. */
  id: string | null
  organization_role: OrganizationRole | null
  workspace_role: WorkspaceRole | null
}

type LevelOf<K extends Kind> = (typeof KINDS)[K]['within']

/** A resource that was found, with what it is in and the role of the caller; null if they must not learn that it exists. */
export function resourceOf<K extends Kind>(kind: K, found: FoundResource): Resource<K> | null {
  const { id, organization_id, organization_role } = found
  const { within } = KINDS[kind]
  if (id === null || organization_role === null) return null
  const role = within === 'organization' ? organization_role : roleInWorkspace(organization_role, found.workspace_role)
  if (role === null) return null
  const workspace_id = within === 'organization' ? null : found.workspace_id
  const project_id = within === 'project' ? found.project_id : null
  return { kind, id, organization_id, workspace_id, project_id, role } as Resource<K>
}

export const isOf = <K extends Kind>(kind: K, resource: Resource | null): resource is Resource<K> => resource?.kind === kind
