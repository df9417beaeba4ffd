/** A workflow graph: all executions of a project that share a `graph_id`. */
import { emit } from '../../core/events/outbox.ts'
import type { Tx } from '../../sql/index.ts'
import type { Caller, LocatedInProject } from '../plugins/request-context.ts'
import { executionColumns, withoutArtifacts } from './records.ts'
import type { Execution } from './schema.ts'

/**
 * Raises `workflow.completed` if the execution that just ended was the last unfinished one of its graph, and
 * every requirement in it came to a good end: its newest execution that was not cancelled is completed.
 */
export async function tellIfWorkflowCompleted(
  tx: Tx,
  by: Caller,
  place: LocatedInProject,
  { organization_id, project_id, graph_id }: Execution,
): Promise<void> {
  // Two that end at once must not each see the other unfinished: they take turns from here to the commit, and
  // the second, whose statement below takes a fresh snapshot, sees the first.
  await tx`select pg_advisory_xact_lock(hashtextextended(${`workflow ${graph_id}`}, 0))`
  const [{ completed }] = await tx<[{ completed: boolean }]>`
    with newest as (
      select distinct on (requirement_id) status
      from executions
      where organization_id = ${organization_id}
        and project_id = ${project_id}
        and graph_id = ${graph_id}
        and status <> 'cancelled'
      order by requirement_id, created_at desc, id desc
    )
    select coalesce(bool_and(status = 'completed'), false)
      and not exists (
        select
        from executions
        where organization_id = ${organization_id}
          and project_id = ${project_id}
          and graph_id = ${graph_id}
          and status in ('queued', 'running', 'awaiting_gate')
      ) as completed
    from newest
  `
  if (!completed) return
  const executions = await tx<Execution[]>`
    select ${executionColumns}
    from executions
    where organization_id = ${organization_id}
      and project_id = ${project_id}
      and graph_id = ${graph_id}
    order by created_at desc, id desc
  `
  await emit(tx, by, place, 'workflow.completed', { graph_id, executions: executions.map(withoutArtifacts) })
}
