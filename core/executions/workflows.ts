/** A workflow graph: all executions of a project that share a `graph_id`. */

import type { Tx } from '../../sql/index.ts'
import type { Actor } from '../actors.ts'
import { emit } from '../events/outbox.ts'
import type { ProjectScope } from '../scopes.ts'
import { type Execution, executionColumns, withoutArtifacts } from './records.ts'

/**
 * Emits `workflow.completed` if the execution that just ended was the last unfinished one of its graph and, for every
 * requirement in the graph, the newest execution that was not cancelled is completed.
 */
export async function emitIfWorkflowCompleted(
  tx: Tx,
  by: Actor,
  scope: ProjectScope,
  { organization_id, project_id, graph_id }: Execution,
): Promise<void> {
  // Two executions that end at once must not each see the other as unfinished. The lock is held until the commit, and the
  // statement below takes a new snapshot, so the second one sees the first.
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
        select 1
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
  const requirement_ids = [...new Set(executions.map(({ requirement_id }) => requirement_id))]
  const data = { graph_id, executions: executions.map(withoutArtifacts) }
  await emit(tx, by, scope, 'workflow.completed', data, { requirement_ids })
}
