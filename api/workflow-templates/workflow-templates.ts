import type { Scope } from '../../core/scopes.ts'
import type { Queryable, Tx } from '../../sql/index.ts'
import { fieldChanges, recordUpdate } from '../audit-logs/changes.ts'
import type { Caller, Resource, ResourceKey } from '../plugins/request-context.ts'
import { requireMatch, withVersion } from '../plugins/responses.ts'
import { notFound } from '../problems.ts'
import type { WorkflowTemplate, WorkflowTemplateInput } from './schema.ts'

/** The built-in template. */
const DEFAULT = await Bun.file(`${import.meta.dir}/default.yaml`).text()

/** The template of an organization, a workspace or a project. */
export async function getTemplate(db: Queryable, { id, organization_id }: ResourceKey): Promise<WorkflowTemplate> {
  const [row] = await db<{ template: string; updated_at: string }[]>`
    select template, updated_at from workflow_templates where place_id = ${id} and organization_id = ${organization_id}
  `
  return withVersion({ template: row?.template ?? DEFAULT }, row?.updated_at ?? null)
}

/** Copies the template of the organization or workspace to a new workspace or project. */
export async function inheritTemplate(tx: Tx, { organization_id, workspace_id, project_id }: Scope): Promise<void> {
  await tx`
    insert into workflow_templates (organization_id, workspace_id, project_id, template)
    select organization_id, ${workspace_id}, ${project_id}, template
    from workflow_templates
    where place_id = ${project_id === null ? organization_id : workspace_id}
      and organization_id = ${organization_id}
  `
}

const TABLES = { organization: 'organizations', workspace: 'workspaces', project: 'projects' } as const

const kindOf = ({ workspace_id, project_id }: Scope): keyof typeof TABLES =>
  project_id !== null ? 'project' : workspace_id !== null ? 'workspace' : 'organization'

/** Sets a template. Existing workspaces and projects keep theirs. */
export async function setTemplate(
  tx: Tx,
  by: Caller,
  place: Resource,
  { template }: WorkflowTemplateInput,
  request: Request,
): Promise<WorkflowTemplate> {
  const kind = kindOf(place)
  // Locks the owner, since the template may not have a row yet.
  const [owner] = await tx<{ name: string }[]>`
    select name
    from ${tx(TABLES[kind])}
    where id = ${place.id}
      and ${kind === 'organization' ? tx`id` : tx`organization_id`} = ${place.organization_id}
    for no key update
  `
  if (!owner) throw notFound(kind)
  const [stored] = await tx<{ template: string; updated_at: string }[]>`
    select template, updated_at
    from workflow_templates
    where place_id = ${place.id}
      and organization_id = ${place.organization_id}
  `
  const version = stored?.updated_at ?? null
  requireMatch(request, version)
  const changes = fieldChanges({ template: stored?.template ?? DEFAULT }, { template })
  if (changes.length === 0) return withVersion({ template }, version)
  const [{ updated_at }] = await tx<[{ updated_at: string }]>`
    insert into workflow_templates (organization_id, workspace_id, project_id, template)
    values (${place.organization_id}, ${place.workspace_id}, ${place.project_id}, ${template})
    on conflict (place_id, organization_id) do update set template = excluded.template
    returning updated_at
  `
  const what = `the workflow template of the ${kind} ${owner.name}`
  await recordUpdate(tx, by, place, { resource_type: 'workflow_template', resource_id: place.id, what }, changes)
  return withVersion({ template }, updated_at)
}
