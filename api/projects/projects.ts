import { sql } from '../../core/platform/database.ts'
import { record } from '../../core/security/audit.ts'
import type { Queryable, Tx } from '../../sql/index.ts'
import { changedFields, fieldChanges, recordUpdate } from '../audit-logs/changes.ts'
import type { Slice } from '../plugins/lists.ts'
import type { Caller } from '../plugins/request-context.ts'
import type { Resource, ResourceKey } from '../plugins/resources.ts'
import { requireMatch } from '../plugins/responses.ts'
import { notFound } from '../problems.ts'
import { inheritTemplate } from '../workflow-templates/workflow-templates.ts'
import type { Project, ProjectInput, ProjectUpdate } from './schema.ts'

/** The columns of a project. */
export const projectColumns = sql`
  id, organization_id, workspace_id, name, description, repository_url, support, version_scheme, created_by,
  actor_of(created_by, organization_id) as actor, created_at, updated_at
`

/** A project as the API shows it. */
export async function getProject(db: Queryable, { id, organization_id }: ResourceKey<'project'>): Promise<Project> {
  const [project] = await db<Project[]>`
    select ${projectColumns} from projects where id = ${id} and organization_id = ${organization_id}
  `
  if (!project) throw notFound('project')
  return project
}

/** The projects of a workspace, newest first. */
export function listProjects(db: Queryable, { id, organization_id }: ResourceKey<'workspace'>, { limit, after }: Slice) {
  return db<Project[]>`
    select ${projectColumns}
    from projects
    where workspace_id = ${id}
      and organization_id = ${organization_id}
      and (
        ${after}::uuid is null
        or (created_at, id) < (select created_at, id from projects where id = ${after} and organization_id = ${organization_id})
      )
    order by created_at desc, id desc
    limit ${limit}
  `
}

/** Creates a project. */
export async function createProject(tx: Tx, by: Caller, workspace: Resource<'workspace'>, input: ProjectInput): Promise<Project> {
  const [project] = await tx<[Project]>`
    insert into projects (
      organization_id, workspace_id, name, description, repository_url, support, version_scheme, created_by
    )
    values (
      ${workspace.organization_id}, ${workspace.workspace_id}, ${input.name}, ${input.description ?? null},
      ${input.repository_url ?? null}, ${input.support ?? null}, ${input.version_scheme ?? 'numbered'}, ${by.id}
    )
    returning ${projectColumns}
  `
  const scope = { ...workspace, project_id: project.id }
  await inheritTemplate(tx, scope)
  await record(tx, by, scope, {
    action: 'project.created',
    resource_type: 'project',
    resource_id: project.id,
    detail: `${by.name} created the project ${project.name}.`,
  })
  return project
}

async function lockProject(tx: Tx, { id, organization_id }: ResourceKey<'project'>): Promise<Project> {
  const [project] = await tx<Project[]>`
    select ${projectColumns} from projects where id = ${id} and organization_id = ${organization_id} for no key update
  `
  if (!project) throw notFound('project')
  return project
}

/** Updates the fields that differ. */
export async function updateProject(
  tx: Tx,
  by: Caller,
  project: Resource<'project'>,
  input: ProjectUpdate,
  request: Request,
): Promise<Project> {
  const before = await lockProject(tx, project)
  requireMatch(request, before.updated_at)
  const changed = changedFields(before, input)
  if (!changed) return before
  const [updated] = await tx<[Project]>`
    update projects
    set ${tx(changed)}
    where id = ${project.id}
      and organization_id = ${project.organization_id}
    returning ${projectColumns}
  `
  const about = { resource_type: 'project', resource_id: project.id, what: `the project ${before.name}` }
  await recordUpdate(tx, by, project, about, fieldChanges(before, changed))
  return updated
}

/** Deletes a project and everything in it. */
export async function deleteProject(tx: Tx, by: Caller, project: Resource<'project'>, request: Request): Promise<null> {
  const before = await lockProject(tx, project)
  requireMatch(request, before.updated_at)
  await record(tx, by, project, {
    action: 'project.deleted',
    resource_type: 'project',
    resource_id: project.id,
    detail: `${by.name} deleted the project ${before.name} and everything in it.`,
  })
  await tx`delete from projects where id = ${project.id} and organization_id = ${project.organization_id}`
  return null
}
