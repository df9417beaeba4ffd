import { sql } from '../../core/platform/database.ts'
import type { Queryable } from '../../sql/index.ts'
import { type HookSummary, hookSummaries } from '../deployment-hooks/summaries.ts'
import type { ComparisonSummary } from '../dual-track/components.tsx'
import type { ResourceKey } from '../plugins/resources.ts'
import { notFound } from '../problems.ts'
import type { RequirementCounts } from '../requirements/list.tsx'
import { requirementName } from '../requirements/requirements.ts'
import type { PendingGate, UnfinishedExecution } from './lists.tsx'
import { type Project, projectColumns } from './projects.ts'

/** Rows of each kind that the page of a project shows. */
const MAX_ROWS = 20

/** A project with what its page shows of its contents. */
export interface ProjectContents extends Project {
  requirement_counts: RequirementCounts
  unfinished_count: number
  /** The newest executions that have not ended. */
  unfinished: UnfinishedExecution[]
  /** The gates that are open without an execution, oldest first: at most 100 are. */
  pending_gates: PendingGate[]
  hooks: HookSummary[]
  comparison_count: number
  comparisons: ComparisonSummary[]
}

const unfinished = (organization_id: string) => sql`
  execution.project_id = project.id
  and execution.organization_id = ${organization_id}
  and execution.status in ('queued', 'running', 'awaiting_gate')
`

/** A project with its contents. @throws Problem `not_found` */
export async function getProjectContents(db: Queryable, { id, organization_id }: ResourceKey<'project'>) {
  const [contents] = await db<ProjectContents[]>`
    select
      ${projectColumns},
      (
        select coalesce(jsonb_object_agg(counted.status, counted.count), '{}')
        from (
          select requirement.status, count(*) as count
          from requirements as requirement
          where requirement.project_id = project.id and requirement.organization_id = ${organization_id}
          group by requirement.status
        ) as counted
      ) as requirement_counts,
      (select count(*) from executions as execution where ${unfinished(organization_id)}) as unfinished_count,
      (
        select coalesce(jsonb_agg(found order by found.created_at desc, found.id desc), '[]')
        from (
          select
            execution.id, execution.agent, execution.status, execution.cost_usd, execution.created_at, execution.started_at,
            ${requirementName(sql`execution.requirement_id`, organization_id)} as requirement
          from executions as execution
          where ${unfinished(organization_id)}
          order by execution.created_at desc, execution.id desc
          limit ${MAX_ROWS}
        ) as found
      ) as unfinished,
      (
        select coalesce(jsonb_agg(found order by found.created_at, found.id), '[]')
        from (
          select gate.id, gate.name, gate.environment, gate.created_at, gate.expires_at
          from gates as gate
          where gate.project_id = project.id
            and gate.organization_id = ${organization_id}
            and gate.status = 'pending'
            and gate.execution_id is null
            and (gate.expires_at is null or gate.expires_at > now())
        ) as found
      ) as pending_gates,
      ${hookSummaries(sql`project.id`, organization_id)} as hooks,
      (
        select count(*)
        from dual_track_comparisons as comparison
        where comparison.project_id = project.id and comparison.organization_id = ${organization_id}
      ) as comparison_count,
      (
        select coalesce(jsonb_agg(found order by found.created_at desc, found.id desc), '[]')
        from (
          select
            comparison.id, comparison.track_a_agent, comparison.track_b_agent, comparison.status, comparison.winner,
            comparison.result ->> 'recommendation' as recommendation, comparison.created_at,
            ${requirementName(sql`comparison.work_item_id`, organization_id)} as requirement
          from dual_track_comparisons as comparison
          where comparison.project_id = project.id and comparison.organization_id = ${organization_id}
          order by comparison.created_at desc, comparison.id desc
          limit ${MAX_ROWS}
        ) as found
      ) as comparisons
    from projects as project
    where project.id = ${id} and project.organization_id = ${organization_id}
  `
  if (!contents) throw notFound('project')
  return contents
}
