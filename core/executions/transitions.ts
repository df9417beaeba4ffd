/** How an execution changes its status, whether a caller or the expiry of a gate causes it; and what follows when its cost grows. */
import type { Json, Tx } from '../../sql/index.ts'
import { pipeline } from '../../sql/transaction.ts'
import { addSpend } from '../budgets/budgets.ts'
import type { EventName } from '../events/catalogue.ts'
import { emit, emitAll } from '../events/outbox.ts'
import {
  type Artifact,
  type ExecutionStatus,
  isFinal,
  type ShortExecution,
  shortExecutionColumns,
} from '../records/executions.ts'
import { record } from '../security/audit.ts'
import type { Actor } from '../tenants/actors.ts'
import type { ProjectScope } from '../tenants/scopes.ts'

/** Locks an execution until the commit. Every transaction that changes an execution or one of its gates locks it first. */
export async function findAndLockExecution(tx: Tx, { id, organization_id }: { id: string; organization_id: string }) {
  const [execution] = await tx<ShortExecution[]>`
    select ${shortExecutionColumns} from executions where id = ${id} and organization_id = ${organization_id} for no key update
  `
  return execution ?? null
}

export interface Report {
  summary?: string | null
  error?: string | null
  cost_usd?: number
  metrics?: Record<string, number>
  artifacts?: Artifact[]
}

/** SQL: assignments that add a reported amount. With `telemetry` it is kept next to the cost, which already comes from the models. */
const addReported = (tx: Tx, { cost_from }: Pick<ShortExecution, 'cost_from'>, usd: number) =>
  cost_from === 'telemetry'
    ? tx`reported_cost_usd = coalesce(reported_cost_usd, 0) + ${usd},`
    : tx`cost_usd = coalesce(cost_usd, 0) + ${usd},`

/** Also cancels its pending gates if the status is final. @param to a status that `isTransition` allows */
export async function changeStatus(tx: Tx, by: Actor, before: ShortExecution, to: ExecutionStatus, report: Report = {}) {
  const ends = isFinal(to)
  const begins = before.status === 'queued' && to === 'running'
  const [execution] = await tx<[ShortExecution]>`
    update executions
    set status      = ${to},
        summary     = coalesce(${report.summary ?? null}, summary),
        error       = coalesce(${report.error ?? null}, error),
        ${report.cost_usd === undefined ? tx`` : addReported(tx, before, report.cost_usd)}
        metrics     = ${report.metrics === undefined ? tx`metrics` : tx.json(report.metrics)},
        artifacts   = ${report.artifacts === undefined ? tx`artifacts` : tx.json(report.artifacts as unknown as Json)},
        started_by  = ${begins ? by.id : tx`started_by`},
        started_at  = ${begins ? tx`now()` : tx`started_at`},
        finished_at = ${ends ? tx`now()` : null}
    where id = ${before.id} and organization_id = ${before.organization_id}
    returning ${shortExecutionColumns}
  `
  if (ends) {
    await tx`
      update gates
      set status = 'cancelled', decided_at = now()
      where execution_id = ${before.id}
        and organization_id = ${before.organization_id}
        and status = 'pending'
    `
  }
  return execution
}

/** Records that an execution started or ended: event, audit entry, the end of its workflow, and spend, which must come last. */
export async function recordTransition(
  tx: Tx,
  by: Actor,
  scope: ProjectScope,
  name: EventName & `execution.${string}`,
  execution: ShortExecution,
  cost_usd = 0,
): Promise<void> {
  await emit(tx, by, scope, name, { execution }, { requirement_id: execution.requirement_id })
  await record(tx, by, scope, {
    action: name,
    resource_type: 'execution',
    resource_id: execution.id,
    detail: `${by.name}: the execution by ${execution.agent} is ${execution.status}.`,
  })
  if (isFinal(execution.status)) await emitIfWorkflowCompleted(tx, by, scope, execution)
  if (execution.cost_from === 'telemetry' || cost_usd === 0) return
  const { id, agent, organization_id } = execution
  await emitOverBudget(tx, by, organization_id, [id])
  await addSpend(tx, by, organization_id, [{ scope, agent, model: null, usd: cost_usd }])
}

/**
 * Emits `workflow.completed` if the execution that just ended was the last unfinished one of its graph and, for every
 * requirement in the graph, the newest execution that was not cancelled is completed. Those that ended since it was emitted before
 * belong to this completion: only their gates approve it.
 */
async function emitIfWorkflowCompleted(
  tx: Tx,
  by: Actor,
  scope: ProjectScope,
  { organization_id, project_id, graph_id }: ShortExecution,
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
  const executions = await tx<ShortExecution[]>`
    select ${shortExecutionColumns}
    from executions
    where organization_id = ${organization_id}
      and project_id = ${project_id}
      and graph_id = ${graph_id}
    order by created_at desc, id desc
  `
  const requirement_ids = [...new Set(executions.map(({ requirement_id }) => requirement_id))]
  const data = { graph_id, executions }
  const [event_id = ''] = await emitAll(tx, by, [{ scope, name: 'workflow.completed', data, references: { requirement_ids } }])
  await pipeline(
    tx,
    tx`
      update executions
      set completion_id = ${event_id}
      where organization_id = ${organization_id}
        and project_id = ${project_id}
        and graph_id = ${graph_id}
        and completion_id is null
    `,
  )
}

/** Emits `execution.over_budget` for each of the executions that exceeds its `max_cost_usd` and has not done so before. */
export async function emitOverBudget(tx: Tx, by: Actor, organization_id: string, execution_ids: string[]): Promise<void> {
  const exceeded = await tx<ShortExecution[]>`
    update executions
    set over_budget_at = now()
    where id = any(${execution_ids})
      and organization_id = ${organization_id}
      and over_budget_at is null
      and cost_usd > max_cost_usd
    returning ${shortExecutionColumns}
  `
  const events = exceeded.map((execution) => ({
    scope: execution,
    name: 'execution.over_budget' as const,
    data: { execution },
    references: { requirement_id: execution.requirement_id },
  }))
  await emitAll(tx, by, events)
}
