import { sql } from '../../core/platform/database.ts'
import type { ExecutionStatus } from '../../core/records/executions.ts'
import type { Queryable } from '../../sql/index.ts'
import type { ResourceKey } from '../plugins/resources.ts'
import { notFound } from '../problems.ts'
import { requirementName } from '../requirements/requirements.ts'
import type { UnfinishedExecution } from './lists.tsx'
import { type Project, projectColumns } from './projects.ts'

/** Executions that the page of a project lists. */
const MAX_ROWS = 20

/** A project with the work in it. */
export interface ProjectContents extends Project {
  /** How many executions have not ended, by status; statuses without executions are absent. */
  work: Partial<Record<ExecutionStatus, number>>
  /** The newest of them. */
  unfinished: UnfinishedExecution[]
  /** Whether nothing was made in it yet: no requirement, no hook, no gate. */
  is_new: boolean
}

/** A project with the work in it. @throws Problem `not_found` */
export async function getProjectContents(db: Queryable, { id, organization_id }: ResourceKey<'project'>) {
  const isUnfinished = sql`
    execution.project_id = ${id}
    and execution.organization_id = ${organization_id}
    and execution.status in ('queued', 'running', 'awaiting_gate')
  `
  const [contents] = await db<ProjectContents[]>`
    select
      ${projectColumns},
      (
        requirement_count = 0
        and not exists (select 1 from deployment_hooks where project_id = ${id} and organization_id = ${organization_id})
        and not exists (select 1 from gates where project_id = ${id} and organization_id = ${organization_id})
      ) as is_new,
      (
        select coalesce(jsonb_object_agg(counted.status, counted.count), '{}')
        from (
          select execution.status, count(*) as count from executions as execution where ${isUnfinished} group by execution.status
        ) as counted
      ) as work,
      (
        select coalesce(jsonb_agg(found order by found.created_at desc, found.id desc), '[]')
        from (
          select
            execution.id, execution.agent, execution.status, execution.cost_usd, execution.created_at, execution.started_at,
            ${requirementName(sql`execution.requirement_id`, organization_id)} as requirement
          from executions as execution
          where ${isUnfinished}
          order by execution.created_at desc, execution.id desc
          limit ${MAX_ROWS}
        ) as found
      ) as unfinished
    from projects
    where id = ${id} and organization_id = ${organization_id}
  `
  if (!contents) throw notFound('project')
  return contents
}
