import { sql } from '../../core/platform/database.ts'
import { record } from '../../core/security/audit.ts'
import type { Fragment, Queryable, Tx } from '../../sql/index.ts'
import { pipeline } from '../../sql/transaction.ts'
import { changedFields, fieldChanges, recordUpdate } from '../audit-logs/changes.ts'
import { pendingGates, readGone } from '../notifications/withdrawn.ts'
import { following, type Paged, pageLimit, readPage } from '../plugins/lists.ts'
import type { Caller } from '../plugins/request-context.ts'
import type { Resource, ResourceKey } from '../plugins/resources.ts'
import { requireMatch } from '../plugins/responses.ts'
import { notFound } from '../problems.ts'
import type { RequirementName } from './list.tsx'
import type { Requirement, RequirementInput, RequirementQuery, RequirementStatus, RequirementUpdate } from './schema.ts'

// JSON is parsed much faster than an array of texts.
const requirementColumns = sql`
  id, organization_id, workspace_id, project_id, number, title, description, kind,
  to_json(acceptance_criteria) as acceptance_criteria, status, completed_at, created_by,
  actor_of(created_by, organization_id) as actor, created_at, updated_at
`

/** @param lock `for …` */
export async function getRequirement(db: Queryable, { id, organization_id }: ResourceKey<'requirement'>, lock = sql``) {
  const [requirement] = await db<Requirement[]>`
    select ${requirementColumns} from requirements where id = ${id} and organization_id = ${organization_id} ${lock}
  `
  if (!requirement) throw notFound('requirement')
  return requirement
}

const filterOf = ({ id, organization_id }: ResourceKey<'project'>, query: Paged<RequirementQuery>) => sql`
    project_id = ${id}
    and organization_id = ${organization_id}
    and (${query.status ?? null}::text is null or status = ${query.status ?? null})
    and (${query.kind ?? null}::text is null or kind = ${query.kind ?? null})
    and (${query.created_after ?? null}::timestamptz is null or created_at > ${query.created_after ?? null})
    and (${query.created_before ?? null}::timestamptz is null or created_at < ${query.created_before ?? null})
  `

const pageOf = (project: Resource<'project'>, query: Paged<RequirementQuery>) => sql`
    select ${requirementColumns}
    from requirements
    where ${filterOf(project, query)}
      ${following(sql`created_at, id`, query.after)}
    order by created_at desc, id desc
    ${pageLimit(query)}
  `

/** The requirements on a page of a project's requirements, newest first, without their total. */
export async function findRequirements(db: Queryable, project: Resource<'project'>, query: Paged<RequirementQuery>) {
  const rows = await db<Requirement[]>`${pageOf(project, query)}`
  return rows.slice(0, query.page_size)
}

/** The newest requirements of a project, by name. @param first the id of one that is among them in any case */
export const findNamed = (db: Queryable, { id, organization_id }: ResourceKey<'project'>, first: string | null, limit: number) =>
  db<RequirementName[]>`
    select id, number, title
    from (
      (
        select requirement.id, requirement.number, requirement.title, requirement.created_at
        from requirements as requirement
        where requirement.id = ${first}
          and requirement.project_id = ${id}
          and requirement.organization_id = ${organization_id}
      )
      union
      (
        select id, number, title, created_at
        from requirements
        where project_id = ${id} and organization_id = ${organization_id}
        order by created_at desc, id desc
        limit ${limit}
      )
    ) as named
    order by created_at desc, id desc
  `

/** How many requirements have each status; statuses without requirements are absent. */
export type RequirementCounts = Partial<Record<RequirementStatus, number>>

/** Counts the requirements of a project by status. */
export async function countRequirements(db: Queryable, { id, organization_id }: ResourceKey<'project'>) {
  const [found] = await db<[{ counts: RequirementCounts }]>`
    select coalesce(jsonb_object_agg(counted.status, counted.count), '{}') as counts
    from (
      select requirement.status, count(*) as count
      from requirements as requirement
      where requirement.project_id = ${id} and requirement.organization_id = ${organization_id}
      group by requirement.status
    ) as counted
  `
  return found.counts
}

export const listRequirements = (db: Queryable, project: Resource<'project'>, query: Paged<RequirementQuery>) =>
  readPage<Requirement>(
    db,
    query,
    sql`select count(*) from requirements where ${filterOf(project, query)}`,
    pageOf(project, query),
  )

/** Records a change of status. Changelogs are made from these rows. */
async function recordStatusChange(tx: Tx, by: Caller, requirement: Requirement, from_status: string | null): Promise<void> {
  const { organization_id, id, project_id, status } = requirement
  await pipeline(
    tx,
    tx`
      insert into requirement_changes (organization_id, requirement_id, project_id, from_status, to_status, changed_by)
      values (${organization_id}, ${id}, ${project_id}, ${from_status}, ${status}, ${by.id})
    `,
  )
}

export async function createRequirement(tx: Tx, by: Caller, project: Resource<'project'>, input: RequirementInput) {
  const [numbered] = await tx<{ number: number }[]>`
    update projects
    set requirement_count = requirement_count + 1
    where id = ${project.project_id} and organization_id = ${project.organization_id}
    returning requirement_count as number
  `
  if (!numbered) throw notFound('project')
  const [requirement] = await tx<[Requirement]>`
    insert into requirements (
      organization_id, workspace_id, project_id, number, title, description, kind, acceptance_criteria, created_by
    )
    values (
      ${project.organization_id}, ${project.workspace_id}, ${project.project_id}, ${numbered.number}, ${input.title},
      ${input.description ?? null}, ${input.kind ?? 'feature'}, ${input.acceptance_criteria ?? []}, ${by.id}
    )
    returning ${requirementColumns}
  `
  await recordStatusChange(tx, by, requirement, null)
  const about = { resource_type: 'requirement', resource_id: requirement.id }
  const detail = `${by.name} created requirement #${requirement.number}, ${requirement.title}.`
  await record(tx, by, project, { action: 'requirement.created', ...about, detail })
  return requirement
}

/** Updates the fields that differ, and records a change of status. */
export async function updateRequirement(
  tx: Tx,
  by: Caller,
  requirement: Resource<'requirement'>,
  input: RequirementUpdate,
  request: Request,
): Promise<Requirement> {
  const before = await getRequirement(tx, requirement, sql`for no key update`)
  requireMatch(request, before.updated_at)
  const changed = changedFields(before, input)
  if (!changed) return before
  const status = changed.status ?? before.status
  const [updated] = await tx<[Requirement]>`
    update requirements
    set ${tx(changed)},
        completed_at = ${status !== 'done' ? tx`null` : before.completed_at === null ? tx`now()` : tx`completed_at`}
    where id = ${requirement.id} and organization_id = ${requirement.organization_id}
    returning ${requirementColumns}
  `
  if (updated.status !== before.status) await recordStatusChange(tx, by, updated, before.status)
  const what = `requirement #${before.number}, ${before.title}`
  const about = { resource_type: 'requirement', resource_id: requirement.id, what }
  await recordUpdate(tx, by, requirement, about, fieldChanges(before, changed))
  return updated
}

/** Deletes a requirement and its executions. Its number is not reused. */
export async function deleteRequirement(tx: Tx, by: Caller, requirement: Resource<'requirement'>, request: Request) {
  const before = await getRequirement(tx, requirement, sql`for no key update`)
  requireMatch(request, before.updated_at)
  const about = { resource_type: 'requirement', resource_id: requirement.id }
  const detail = `${by.name} deleted requirement #${before.number}, ${before.title}.`
  await record(tx, by, requirement, { action: 'requirement.deleted', ...about, detail })
  const ofExecutions = sql`
    gates.execution_id in (
      select id from executions where requirement_id = ${requirement.id} and organization_id = ${requirement.organization_id}
    )
  `
  const asked = await pendingGates(tx, requirement.organization_id, ofExecutions)
  await tx`delete from requirements where id = ${requirement.id} and organization_id = ${requirement.organization_id}`
  await readGone(tx, asked)
  return null
}

/** `RequirementName` of a row, of which the statement names the id. */
export const requirementName = (id: Fragment, organization_id: string): Fragment => sql`
  (
    select jsonb_build_object('id', requirement.id, 'number', requirement.number, 'title', requirement.title)
    from requirements as requirement
    where requirement.id = ${id} and requirement.organization_id = ${organization_id}
  )
`
