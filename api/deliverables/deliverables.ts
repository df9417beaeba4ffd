import { emit } from '../../core/events/outbox.ts'
import { addJob } from '../../core/jobs/tasks.ts'
import { sql } from '../../core/platform/database.ts'
import { DELIVERABLE_TITLES, type DeliverableType, deliverableColumns } from '../../core/records/deliverables.ts'
import { record } from '../../core/security/audit.ts'
import { isActiveOrganization } from '../../core/tenants/scopes.ts'
import type { Queryable, Tx } from '../../sql/index.ts'
import { following, type Slice } from '../plugins/lists.ts'
import type { Caller } from '../plugins/request-context.ts'
import { type Resource, type ResourceKey, resourceKey } from '../plugins/resources.ts'
import { requireMatch } from '../plugins/responses.ts'
import { type Ending, pendingIn, Waits } from '../plugins/waiting.ts'
import { invalidField, invalidTransition, notFound, Problem } from '../problems.ts'
import type { Deliverable, DeliverableSummary, GenerateInput } from './schema.ts'

const MAX_GENERATING = 200

/** @param condition a further one, beginning with `and` */
export async function getDeliverable(db: Queryable, { id, organization_id }: ResourceKey<'deliverable'>, condition = sql``) {
  const [deliverable] = await db<Deliverable[]>`
    select ${deliverableColumns}, content from deliverables where id = ${id} and organization_id = ${organization_id} ${condition}
  `
  if (!deliverable) throw notFound('deliverable')
  return deliverable
}

/** The parts of the document; null if there is none. */
export async function getParts(db: Queryable, { id, organization_id }: ResourceKey<'deliverable'>): Promise<string[] | null> {
  const [found] = await db<{ parts: string[] | null }[]>`
    select parts from deliverables where id = ${id} and organization_id = ${organization_id}
  `
  return found?.parts ?? null
}

/** A part of the document, from 1, and how many there are. */
export async function getPart(db: Queryable, { id, organization_id }: ResourceKey<'deliverable'>, number: number) {
  const [found] = await db<{ part: string | null; count: number | null }[]>`
    select parts[${number}::integer] as part, cardinality(parts) as count
    from deliverables
    where id = ${id} and organization_id = ${organization_id}
  `
  return found ?? { part: null, count: null }
}

const waits = new Waits(pendingIn(sql`deliverables`, sql`waited.status = 'generating'`))

/** When it was generated or has failed. Reading it throws the Problem `not_found` if it, or its organization, was deleted. */
export const endOfGeneration = (key: ResourceKey<'deliverable'>): Ending<Deliverable> => ({
  waits,
  keys: [key],
  async read() {
    const deliverable = await getDeliverable(sql, key, sql`and ${isActiveOrganization(sql`${key.organization_id}`)}`)
    return deliverable.status === 'generating' ? null : deliverable
  },
})

/** The deliverables of a project without their contents, newest first, of one type if it is given. */
export const listDeliverables = (
  db: Queryable,
  { id, organization_id }: ResourceKey<'project'>,
  deliverable_type: string | null,
  { limit, after }: Slice,
) => db<DeliverableSummary[]>`
  select ${deliverableColumns}
  from deliverables
  where project_id = ${id} and organization_id = ${organization_id}
    ${deliverable_type === null ? sql`` : sql`and deliverable_type = ${deliverable_type}`}
    ${following(sql`created_at, id`, after)}
  order by created_at desc, id desc
  limit ${limit}
`

const titleOf = ({ name, requirement }: { name: string; requirement: string | null }, type: DeliverableType): string =>
  `${name}: ${DELIVERABLE_TITLES[type]}${requirement === null ? '' : ` (${requirement})`}`

export async function generateDeliverable(
  tx: Tx,
  by: Caller,
  project: Resource<'project'>,
  { deliverable_type, requirement_id = null }: GenerateInput,
): Promise<Deliverable> {
  // Locks the project, for the limit and for the version number.
  const [found] = await tx<{ name: string; generating: number; requirement: string | null }[]>`
    select
      name,
      (
        select count(*)
        from deliverables
        where project_id = project.id
          and organization_id = ${project.organization_id}
          and status = 'generating'
      ) as generating,
      (
        select '#' || number || ' ' || title
        from requirements
        where id = ${requirement_id}
          and project_id = project.id
          and organization_id = ${project.organization_id}
      ) as requirement
    from projects as project
    where id = ${project.project_id} and organization_id = ${project.organization_id}
    for no key update
  `
  if (!found) throw notFound('project')
  if (requirement_id !== null && found.requirement === null)
    throw invalidField('/requirement_id', 'unknown', 'is not a requirement of this project')
  if (found.generating >= MAX_GENERATING) {
    const detail = `${MAX_GENERATING} documents of this project are being generated. Wait until some are finished.`
    throw new Problem('generation_limit_reached', detail)
  }
  const [{ version }] = await tx<[{ version: number }]>`
    insert into deliverable_versions as last (
      organization_id, workspace_id, project_id, deliverable_type, requirement_id, version
    )
    values (
      ${project.organization_id}, ${project.workspace_id}, ${project.project_id}, ${deliverable_type},
      coalesce(${requirement_id}::uuid, '00000000-0000-0000-0000-000000000000'), 1
    )
    on conflict (project_id, deliverable_type, requirement_id, organization_id) do update
      set version = last.version + 1
    returning version
  `
  const [{ id }] = await tx<[{ id: string }]>`
    insert into deliverables (
      organization_id, workspace_id, project_id, requirement_id, deliverable_type, title, version, request_id, created_by
    )
    values (
      ${project.organization_id}, ${project.workspace_id}, ${project.project_id}, ${requirement_id}, ${deliverable_type},
      ${titleOf(found, deliverable_type)}, ${version}, ${by.request_id}, ${by.id}
    )
    returning id
  `
  const detail = `${by.name} requested the ${DELIVERABLE_TITLES[deliverable_type]} of the project ${found.name}, version ${version}.`
  await record(tx, by, project, { action: 'deliverable.requested', resource_type: 'deliverable', resource_id: id, detail })
  await addJob(tx, 'generate_deliverable', { organization_id: project.organization_id, deliverable_id: id })
  return getDeliverable(tx, resourceKey('deliverable', id, project))
}

/** Locks a deliverable, without reading its content. @throws Problem `not_found` */
async function lockDeliverable(tx: Tx, { id, organization_id }: ResourceKey<'deliverable'>): Promise<DeliverableSummary> {
  const [deliverable] = await tx<DeliverableSummary[]>`
    select ${deliverableColumns} from deliverables where id = ${id} and organization_id = ${organization_id} for no key update
  `
  if (!deliverable) throw notFound('deliverable')
  return deliverable
}

/** @param participle of what was done with it, also in words */
const recordChange = (
  tx: Tx,
  by: Caller,
  scope: Resource<'deliverable'>,
  { title, version }: DeliverableSummary,
  participle: string,
) =>
  record(tx, by, scope, {
    action: `deliverable.${participle}`,
    resource_type: 'deliverable',
    resource_id: scope.id,
    detail: `${by.name} ${participle} ${title}, version ${version}.`,
  })

/** The statuses from which each status can be reached. */
const ALLOWED_FROM = { published: ['draft'], archived: ['draft', 'published'] } as const

export const isTransition = (from: DeliverableSummary['status'], to: keyof typeof ALLOWED_FROM): boolean =>
  ALLOWED_FROM[to].some((status) => status === from)

export async function transitionDeliverable(
  tx: Tx,
  by: Caller,
  deliverable: Resource<'deliverable'>,
  to: 'published' | 'archived',
): Promise<Deliverable> {
  const before = await lockDeliverable(tx, deliverable)
  if (!isTransition(before.status, to)) throw invalidTransition('deliverable', before.status, to)
  const [after] = await tx<[DeliverableSummary]>`
    update deliverables
    set status       = ${to},
        published_at = ${to === 'published' ? sql`now()` : sql`published_at`},
        archived_at  = ${to === 'archived' ? sql`now()` : sql`archived_at`}
    where id = ${deliverable.id} and organization_id = ${deliverable.organization_id}
    returning ${deliverableColumns}
  `
  await recordChange(tx, by, deliverable, before, to)
  await emit(tx, by, deliverable, `deliverable.${to}`, { deliverable: after })
  // Its name follows from what is known now.
  if (to === 'published' && after.deliverable_type === 'changelog' && after.requirement_id === null)
    await addJob(tx, 'generate_deliverable', { organization_id: deliverable.organization_id, deliverable_id: deliverable.id })
  return getDeliverable(tx, deliverable)
}

export async function deleteDeliverable(tx: Tx, by: Caller, deliverable: Resource<'deliverable'>, request: Request) {
  const before = await lockDeliverable(tx, deliverable)
  requireMatch(request, before.updated_at)
  await recordChange(tx, by, deliverable, before, 'deleted')
  await tx`delete from deliverables where id = ${deliverable.id} and organization_id = ${deliverable.organization_id}`
  return null
}
