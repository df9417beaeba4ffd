/** The organization, workspace and project that something belongs to. */

/** Every row of a tenant has these ids. */
export interface Scope {
  organization_id: string
  workspace_id: string | null
  project_id: string | null
}

/** That of something inside of a workspace. */
export interface WorkspaceScope extends Scope {
  workspace_id: string
}

/** That of something inside of a project. */
export interface ProjectScope extends WorkspaceScope {
  project_id: string
}

export interface NamedResource {
  id: string
  name: string
}

/** A scope with its names, as envelopes show it. */
export interface NamedScope {
  organization: NamedResource
  workspace: NamedResource | null
  project: NamedResource | null
}

/** That of something inside of a project. */
export interface NamedProjectScope extends NamedScope {
  workspace: NamedResource
  project: NamedResource
}

/** The ids of a scope. */
export function scopeOf(named: NamedProjectScope): ProjectScope
export function scopeOf(named: NamedScope): Scope
export function scopeOf({ organization, workspace, project }: NamedScope): Scope {
  return { organization_id: organization.id, workspace_id: workspace?.id ?? null, project_id: project?.id ?? null }
}
