/** Where a service account can work, for pages: everywhere in the organization, in a workspace or in a project. */
import type { Queryable } from '../../sql/index.ts'
import { invalidField } from '../problems.ts'

/** Workspaces and projects that a form offers. */
const MOST = 500

/** An area as a form names it. */
export interface NamedArea {
  /** `workspace:<id>` or `project:<id>`. */
  value: string
  name: string
}

/** The areas in an organization, each workspace before its projects. */
export const listAreas = (db: Queryable, organization_id: string) => db<NamedArea[]>`
  select 'workspace:' || workspace.id as value, workspace.name as name
  from workspaces as workspace
  where workspace.organization_id = ${organization_id}
  union all
  select 'project:' || project.id, workspace.name || ' / ' || project.name
  from projects as project
  join workspaces as workspace
    on workspace.id = project.workspace_id
    and workspace.organization_id = project.organization_id
  where project.organization_id = ${organization_id}
  order by name, value
  limit ${MOST}
`

/** The area of an account, as a form names it; empty for all of the organization. */
export function areaValueOf({ workspace_id, project_id }: { workspace_id: string | null; project_id: string | null }): string {
  if (project_id !== null) return `project:${project_id}`
  return workspace_id === null ? '' : `workspace:${workspace_id}`
}

/** The fields that an area of a form means. @throws Problem 422 */
export function areaIn(value: string): { workspace_id?: string | null; project_id: string | null } {
  const [, kind, id = ''] = /^(workspace|project):([0-9a-f-]{36})$/.exec(value) ?? []
  if (kind === 'project') return { project_id: id }
  if (kind === 'workspace') return { workspace_id: id, project_id: null }
  if (value === '') return { workspace_id: null, project_id: null }
  throw invalidField('/area', 'unknown', 'must be one of the list')
}
