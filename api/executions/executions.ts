import { addSpend, exhaustedBudget } from '../../core/budgets.ts'
import type { EventName } from '../../core/events/catalogue.ts'
import { type Execution, type ExecutionStatus, executionColumns, isTransition } from '../../core/executions/records.ts'
import { changeStatus, findAndLockExecution, type Report, recordTransition } from '../../core/executions/transitions.ts'
import { sql } from '../../core/platform/database.ts'
import type { ProjectScope } from '../../core/scopes.ts'
import { record } from '../../core/security/audit.ts'
import { type Fragment, type Queryable, type Tx, violatedConstraint } from '../../sql/index.ts'
import { offsetOf, readPage } from '../plugins/pages.ts'
import type { Caller } from '../plugins/request-context.ts'
import type { Resource, ResourceKey } from '../plugins/resources.ts'
import { invalidField, invalidTransition, notFound, Problem } from '../problems.ts'
import type { Completion, ExecutionInput, ExecutionQuery, Failure } from './schema.ts'

/** An execution as the API shows it. */
export async function getExecution(db: Queryable, { id, organization_id }: ResourceKey<'execution'>): Promise<Execution> {
  const [execution] = await db<Execution[]>`
    select ${executionColumns} from executions where id = ${id} and organization_id = ${organization_id}
  `
  if (!execution) throw notFound('execution')
  return execution
}

/** @param columns those of `Row` */
async function readExecutions<Row extends object>(
  db: Queryable,
  { id, organization_id }: ResourceKey<'requirement'>,
  query: ExecutionQuery,
  columns: Fragment,
) {
  const filter = sql`
    requirement_id = ${id}
    and organization_id = ${organization_id}
    and (${query.status ?? null}::text is null or status = ${query.status ?? null})
    and (${query.agent ?? null}::text is null or agent = ${query.agent ?? null})
    and (${query.created_after ?? null}::timestamptz is null or created_at > ${query.created_after ?? null})
    and (${query.created_before ?? null}::timestamptz is null or created_at < ${query.created_before ?? null})
  `
  return await readPage<Row>(
    db,
    query,
    sql`select count(*) from executions where ${filter}`,
    sql`
      select ${columns}
      from executions
      where organization_id = ${organization_id}
        and ${filter}
      order by created_at desc, id desc
      limit ${query.page_size} offset ${offsetOf(query)}
    `,
  )
}

/** A page of a requirement's executions, newest first. */
export const listExecutions = (db: Queryable, requirement: ResourceKey<'requirement'>, query: ExecutionQuery) =>
  readExecutions<Execution>(db, requirement, query, executionColumns)

/** What a table shows of an execution. Its artifacts may take a megabyte. */
export type ExecutionSummary = Pick<
  Execution,
  'id' | 'agent' | 'status' | 'cost_usd' | 'created_at' | 'started_at' | 'finished_at'
>

/** The same page, for a table. */
export const listExecutionSummaries = (db: Queryable, requirement: ResourceKey<'requirement'>, query: ExecutionQuery) =>
  readExecutions<ExecutionSummary>(db, requirement, query, sql`id, agent, status, cost_usd, created_at, started_at, finished_at`)

/** @throws Problem `budget_exhausted` if the monthly budget of the agent, workspace or organization is used up */
async function requireBudget(tx: Tx, scope: ProjectScope): Promise<void> {
  const exhausted = await exhaustedBudget(tx, scope)
  if (!exhausted) return
  throw new Problem(
    'budget_exhausted',
    `The ${exhausted} has reached its budget_monthly_limit_usd. Raise the limit, or wait until next month (UTC).`,
  )
}

/** Starts a queued execution, whose budget was checked. */
async function start(tx: Tx, by: Caller, scope: ProjectScope, queued: Execution): Promise<Execution> {
  const started = await transitionExecution(tx, by, queued, 'running')
  await recordTransition(tx, by, scope, 'execution.started', started)
  return started
}

/** Queues an execution of a requirement and, if the input says so, starts it. */
export async function createExecution(
  tx: Tx,
  by: Caller,
  requirement: Resource<'requirement'>,
  input: ExecutionInput,
): Promise<Execution> {
  await requireBudget(tx, requirement)
  const [execution] = await tx<[Execution]>`
    insert into executions (
      organization_id, workspace_id, project_id, requirement_id, graph_id, agent, runtime_id, created_by
    )
    values (
      ${requirement.organization_id}, ${requirement.workspace_id}, ${requirement.project_id}, ${requirement.id},
      coalesce(${input.graph_id ?? null}::uuid, uuidv7()), ${input.agent}, ${input.runtime_id ?? null}, ${by.id}
    )
    returning ${executionColumns}
  `.catch((error: unknown) => {
    if (violatedConstraint(error) === 'executions_runtime') {
      throw invalidField('/runtime_id', 'unknown', 'is not a runtime of this organization')
    }
    throw error
  })
  await record(tx, by, requirement, {
    action: 'execution.created',
    resource_type: 'execution',
    resource_id: execution.id,
    detail: `${by.name} queued an execution by ${execution.agent}.`,
  })
  return input.start ? start(tx, by, requirement, execution) : execution
}

/** Locks an execution until the commit. @throws Problem `not_found` */
export async function lockExecution(tx: Tx, execution: ResourceKey<'execution'>): Promise<Execution> {
  const found = await findAndLockExecution(tx, execution)
  if (!found) throw notFound('execution')
  return found
}

/** Changes the status of a locked execution. @throws Problem `invalid_transition` */
export async function transitionExecution(
  tx: Tx,
  by: Caller,
  current: Execution,
  to: ExecutionStatus,
  report: Report = {},
): Promise<Execution> {
  if (!isTransition(current.status, to)) throw invalidTransition('execution', current.status, to)
  return changeStatus(tx, by, current, to, report)
}

async function transition(
  tx: Tx,
  by: Caller,
  execution: Resource<'execution'>,
  to: ExecutionStatus,
  name: EventName & `execution.${string}`,
  report: Report = {},
): Promise<Execution> {
  const current = await lockExecution(tx, execution)
  const updated = await transitionExecution(tx, by, current, to, report)
  await recordTransition(tx, by, execution, name, updated, report.cost_usd)
  return updated
}

/** Starts a queued execution. @throws Problem `invalid_transition`, `budget_exhausted` */
export async function startExecution(tx: Tx, by: Caller, execution: Resource<'execution'>): Promise<Execution> {
  const current = await lockExecution(tx, execution)
  // `awaiting_gate` also may become `running`, but only when its gates are approved.
  if (current.status !== 'queued') throw invalidTransition('execution', current.status, 'running')
  await requireBudget(tx, execution)
  return start(tx, by, execution, current)
}

/** Completes an execution. */
export const completeExecution = (tx: Tx, by: Caller, execution: Resource<'execution'>, input: Completion): Promise<Execution> =>
  transition(tx, by, execution, 'completed', 'execution.completed', input)

/** Fails an execution. */
export const failExecution = (tx: Tx, by: Caller, execution: Resource<'execution'>, input: Failure): Promise<Execution> =>
  transition(tx, by, execution, 'failed', 'execution.failed', input)

/** Cancels an execution. */
export const cancelExecution = (tx: Tx, by: Caller, execution: Resource<'execution'>): Promise<Execution> =>
  transition(tx, by, execution, 'cancelled', 'execution.cancelled')

/** Adds to the cost of an execution. Allowed after it has ended, too. */
export async function reportUsage(tx: Tx, by: Caller, execution: Resource<'execution'>, cost_usd: number): Promise<Execution> {
  const current = await lockExecution(tx, execution)
  if (current.started_at === null) {
    throw new Problem('invalid_transition', `The execution is ${current.status} and has not started. Report usage once it runs.`)
  }
  const [updated] = await tx<[Execution]>`
    update executions
    set cost_usd = coalesce(cost_usd, 0) + ${cost_usd}
    where id = ${execution.id}
      and organization_id = ${execution.organization_id}
    returning ${executionColumns}
  `
  await record(tx, by, execution, {
    action: 'execution.usage_reported',
    resource_type: 'execution',
    resource_id: execution.id,
    detail: `${by.name} reported ${cost_usd} USD for the execution by ${current.agent}.`,
  })
  await addSpend(tx, by, execution, updated.agent, cost_usd)
  return updated
}
