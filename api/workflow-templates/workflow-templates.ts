import type { Scope } from '../../core/tenants/scopes.ts'
import { Shape, type Static, Type } from '../../core/values/schema.ts'
import type { Queryable, Tx } from '../../sql/index.ts'
import { fieldChanges, recordUpdate } from '../audit-logs/changes.ts'
import type { Caller } from '../plugins/request-context.ts'
import type { Resource, ResourceKey } from '../plugins/resources.ts'
import { requireMatch, withVersion } from '../plugins/responses.ts'
import { notFound } from '../problems.ts'

const MAX_BYTES = 262_144

const Text = Type.String({
  minLength: 1,
  description: 'The text of a workflow definition file. Stored as it is, without parsing. At most 256 KiB.',
  examples: ['version: 1\nsteps:\n  build: { agent: claude-code }\n'],
})

export const WorkflowTemplateInput = Shape({
  template: Type.Refine(
    Text,
    (text) => Buffer.byteLength(text) <= MAX_BYTES,
    () => 'must not be larger than 262144 bytes',
  ),
})
export type WorkflowTemplateInput = Static<typeof WorkflowTemplateInput>

export const WorkflowTemplate = Shape('WorkflowTemplate', { template: Text })
export type WorkflowTemplate = Static<typeof WorkflowTemplate>

const DEFAULT = await Bun.file(`${import.meta.dir}/default.yaml`).text()

const TABLES = { organization: 'organizations', workspace: 'workspaces', project: 'projects' } as const

type Owner = keyof typeof TABLES

async function findTemplate(db: Queryable, { id, organization_id }: ResourceKey<Owner>) {
  const [row] = await db<{ template: string; updated_at: string }[]>`
    select template, updated_at from workflow_templates where scope_id = ${id} and organization_id = ${organization_id}
  `
  return row ?? { template: DEFAULT, updated_at: null }
}

export async function getTemplate(db: Queryable, owner: ResourceKey<Owner>): Promise<WorkflowTemplate> {
  const { template, updated_at } = await findTemplate(db, owner)
  return withVersion({ template }, updated_at)
}

/** Copies the template of the organization or workspace to a new workspace or project. */
export async function inheritTemplate(tx: Tx, { organization_id, workspace_id, project_id }: Scope): Promise<void> {
  await tx`
    insert into workflow_templates (organization_id, workspace_id, project_id, template)
    select organization_id, ${workspace_id}, ${project_id}, template
    from workflow_templates
    where scope_id = ${project_id === null ? organization_id : workspace_id} and organization_id = ${organization_id}
  `
}

/** Sets a template. Existing workspaces and projects keep theirs. */
export async function setTemplate(
  tx: Tx,
  by: Caller,
  owner: Resource<Owner>,
  { template }: WorkflowTemplateInput,
  request: Request,
): Promise<WorkflowTemplate> {
  const { kind } = owner
  // Locked, since the template may not have a row yet.
  const [locked] = await tx<{ name: string }[]>`
    select name
    from ${tx(TABLES[kind])}
    where id = ${owner.id} and ${kind === 'organization' ? tx`id` : tx`organization_id`} = ${owner.organization_id}
    for no key update
  `
  if (!locked) throw notFound(kind)
  const stored = await findTemplate(tx, owner)
  requireMatch(request, stored.updated_at)
  const changes = fieldChanges(stored, { template })
  if (changes.length === 0) return withVersion({ template }, stored.updated_at)
  const [{ updated_at }] = await tx<[{ updated_at: string }]>`
    insert into workflow_templates (organization_id, workspace_id, project_id, template)
    values (${owner.organization_id}, ${owner.workspace_id}, ${owner.project_id}, ${template})
    on conflict (scope_id, organization_id) do update set template = excluded.template
    returning updated_at
  `
  const what = `the workflow template of the ${kind} ${locked.name}`
  await recordUpdate(tx, by, owner, { resource_type: 'workflow_template', resource_id: owner.id, what }, changes)
  return withVersion({ template }, updated_at)
}
