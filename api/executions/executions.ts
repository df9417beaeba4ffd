import { addSpend, exhaustedBudget } from '../../core/budgets.ts'
import type { EventName } from '../../core/events/catalogue.ts'
import { emit } from '../../core/events/outbox.ts'
import { sql } from '../../core/platform/database.ts'
import { record } from '../../core/security/audit.ts'
import { type Json, PostgresError, type Queryable, type Tx } from '../../sql/index.ts'
import { offsetOf, paged } from '../plugins/pages.ts'
import type { Caller, Located, LocatedInProject } from '../plugins/request-context.ts'
import { invalidField, invalidTransition, notFound, Problem } from '../problems.ts'
import { executionColumns, withoutArtifacts } from './records.ts'
import type { Completion, Execution, ExecutionInput, ExecutionQuery, Failure } from './schema.ts'
import { type ExecutionStatus, isFinal, isTransition } from './states.ts'
import { tellIfWorkflowCompleted } from './workflows.ts'

/** An execution as the API shows it. */
export async function getExecution(db: Queryable, { id, organization_id }: Located): Promise<Execution> {
  const [execution] = await db<Execution[]>`
    select ${executionColumns} from executions where id = ${id} and organization_id = ${organization_id}
  `
  if (!execution) throw notFound('execution')
  return execution
}

/** A page of a requirement's executions, newest first. */
export async function listExecutions(db: Queryable, { id, organization_id }: Located, query: ExecutionQuery) {
  const chosen = sql`
    requirement_id = ${id}
    and organization_id = ${organization_id}
    and (${query.status ?? null}::text is null or status = ${query.status ?? null})
    and (${query.agent ?? null}::text is null or agent = ${query.agent ?? null})
    and (${query.created_after ?? null}::timestamptz is null or created_at > ${query.created_after ?? null})
    and (${query.created_before ?? null}::timestamptz is null or created_at < ${query.created_before ?? null})
  `
  const [{ total }] = await db<[{ total: number }]>`select count(*) as total from executions where ${chosen}`
  const items = await db<Execution[]>`
    select ${executionColumns}
    from executions
    where ${chosen}
    order by created_at desc, id desc
    limit ${query.page_size} offset ${offsetOf(query)}
  `
  return paged(query, total, items)
}

/** @throws Problem `budget_exhausted` */
async function requireBudget(tx: Tx, place: LocatedInProject): Promise<void> {
  const whose = await exhaustedBudget(tx, place)
  if (!whose) return
  throw new Problem(
    'budget_exhausted',
    `The ${whose} has spent what its budget_monthly_limit_usd allows this month. Raise it, or wait for the next month (UTC).`,
  )
}

/** Queues an execution of a requirement. */
export async function createExecution(tx: Tx, by: Caller, place: LocatedInProject, input: ExecutionInput): Promise<Execution> {
  await requireBudget(tx, place)
  const [execution] = await tx<[Execution]>`
    insert into executions (
      organization_id, workspace_id, project_id, requirement_id, graph_id, agent, runtime_id, created_by
    )
    values (
      ${place.organization_id}, ${place.workspace_id}, ${place.project_id}, ${place.id},
      coalesce(${input.graph_id ?? null}::uuid, uuidv7()), ${input.agent}, ${input.runtime_id ?? null}, ${by.id}
    )
    returning ${executionColumns}
  `.catch((error: unknown) => {
    if (error instanceof PostgresError && error.constraint_name === 'executions_runtime') {
      throw invalidField('/runtime_id', 'unknown', 'is no runtime of this organization')
    }
    throw error
  })
  await record(tx, by, place, {
    action: 'execution.created',
    resource_type: 'execution',
    resource_id: execution.id,
    detail: `${by.name} queued an execution by ${execution.agent}.`,
  })
  return execution
}

/** Locks an execution: whoever moves one, or one of its gates, holds it first. */
export async function lockExecution(tx: Tx, { id, organization_id }: Located): Promise<Execution> {
  const [execution] = await tx<Execution[]>`
    select ${executionColumns} from executions where id = ${id} and organization_id = ${organization_id} for no key update
  `
  if (!execution) throw notFound('execution')
  return execution
}

/** What an execution reports of itself when it moves. */
interface Report {
  summary?: string | null
  error?: string | null
  cost_usd?: number
  metrics?: Record<string, number>
  artifacts?: Completion['artifacts']
}

/**
 * Moves a locked execution on: writes its new state, and closes the gates of one that ended.
 *
 * @throws Problem `invalid_transition`
 */
export async function moveExecution(
  tx: Tx,
  by: Caller,
  before: Execution,
  to: ExecutionStatus,
  report: Report = {},
): Promise<Execution> {
  if (!isTransition(before.status, to)) throw invalidTransition('execution', before.status, to)
  const ends = isFinal(to)
  const begins = before.status === 'queued' && to === 'running'
  const [execution] = await tx<[Execution]>`
    update executions
    set status      = ${to},
        summary     = coalesce(${report.summary ?? null}, summary),
        error       = coalesce(${report.error ?? null}, error),
        cost_usd    = ${report.cost_usd === undefined ? tx`cost_usd` : tx`coalesce(cost_usd, 0) + ${report.cost_usd}`},
        metrics     = ${report.metrics === undefined ? tx`metrics` : tx.json(report.metrics)},
        artifacts   = ${report.artifacts === undefined ? tx`artifacts` : tx.json(report.artifacts as Json)},
        started_by  = ${begins ? by.id : tx`started_by`},
        started_at  = ${begins ? tx`now()` : tx`started_at`},
        finished_at = ${ends ? tx`now()` : null}
    where id = ${before.id}
      and organization_id = ${before.organization_id}
    returning ${executionColumns}
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

/** Writes down that an execution started or ended: its event, its audit entry, its spend, and its workflow's end. */
export async function tellMove(
  tx: Tx,
  by: Caller,
  place: LocatedInProject,
  name: EventName & `execution.${string}`,
  execution: Execution,
  cost_usd = 0,
): Promise<void> {
  await emit(tx, by, place, name, { execution: withoutArtifacts(execution) })
  await record(tx, by, place, {
    action: name,
    resource_type: 'execution',
    resource_id: execution.id,
    detail: `${by.name}: the execution by ${execution.agent} is ${execution.status}.`,
  })
  if (isFinal(execution.status)) await tellIfWorkflowCompleted(tx, by, place, execution)
  await addSpend(tx, by, place, execution.agent, cost_usd)
}

async function move(
  tx: Tx,
  by: Caller,
  place: LocatedInProject,
  to: ExecutionStatus,
  name: EventName & `execution.${string}`,
  report: Report = {},
): Promise<Execution> {
  const before = await lockExecution(tx, place)
  const execution = await moveExecution(tx, by, before, to, report)
  await tellMove(tx, by, place, name, execution, report.cost_usd)
  return execution
}

/** Starts a queued execution. */
export async function startExecution(tx: Tx, by: Caller, place: LocatedInProject): Promise<Execution> {
  const before = await lockExecution(tx, place)
  // `awaiting_gate` may become `running` too, but through its gates alone.
  if (before.status !== 'queued') throw invalidTransition('execution', before.status, 'running')
  await requireBudget(tx, place)
  const execution = await moveExecution(tx, by, before, 'running')
  await tellMove(tx, by, place, 'execution.started', execution)
  return execution
}

/** Ends an execution well. */
export const completeExecution = (tx: Tx, by: Caller, place: LocatedInProject, input: Completion): Promise<Execution> =>
  move(tx, by, place, 'completed', 'execution.completed', input)

/** Ends an execution badly. */
export const failExecution = (tx: Tx, by: Caller, place: LocatedInProject, input: Failure): Promise<Execution> =>
  move(tx, by, place, 'failed', 'execution.failed', input)

/** Ends an execution that is not wanted any more. */
export const cancelExecution = (tx: Tx, by: Caller, place: LocatedInProject): Promise<Execution> =>
  move(tx, by, place, 'cancelled', 'execution.cancelled')

/** Adds to what an execution has cost; one that ended may still report. */
export async function reportUsage(tx: Tx, by: Caller, place: LocatedInProject, cost_usd: number): Promise<Execution> {
  const before = await lockExecution(tx, place)
  if (before.started_at === null) throw invalidTransition('execution', before.status, 'charged: it was never started')
  const [execution] = await tx<[Execution]>`
    update executions
    set cost_usd = coalesce(cost_usd, 0) + ${cost_usd}
    where id = ${place.id}
      and organization_id = ${place.organization_id}
    returning ${executionColumns}
  `
  await record(tx, by, place, {
    action: 'execution.usage_reported',
    resource_type: 'execution',
    resource_id: place.id,
    detail: `${by.name} reported ${cost_usd} USD for the execution by ${before.agent}.`,
  })
  await addSpend(tx, by, place, execution.agent, cost_usd)
  return execution
}
