/** The organization, workspace and project that something belongs to. */
import type { Fragment } from '../../sql/index.ts'
import { sql } from '../platform/database.ts'

/** Every row of a tenant has these ids. */
export interface Scope {
  organization_id: string
  workspace_id: string | null
  project_id: string | null
}

export interface WorkspaceScope extends Scope {
  workspace_id: string
}

export interface ProjectScope extends WorkspaceScope {
  project_id: string
}

export type NamedResource = { id: string; name: string }

export interface NamedScope {
  organization: NamedResource
  workspace: NamedResource | null
  project: NamedResource | null
}

export interface NamedProjectScope extends NamedScope {
  workspace: NamedResource
  project: NamedResource
}

export function scopeOf(named: NamedProjectScope): ProjectScope
export function scopeOf(named: NamedScope): Scope
export function scopeOf({ organization, workspace, project }: NamedScope): Scope {
  return { organization_id: organization.id, workspace_id: workspace?.id ?? null, project_id: project?.id ?? null }
}

/**
 * SQL: whether an organization exists and is not deleted.
 *
 * A subquery by key, not a join: a plan that was cached while there were few organizations would read all of them when there
 * are many.
 *
 * @param organization_id the column with its id
 */
export const isActiveOrganization = (organization_id: Fragment): Fragment =>
  sql`(select deleted_at is null from organizations where id = ${organization_id})`
