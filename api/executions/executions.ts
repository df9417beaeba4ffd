import { addSpend, exhaustedAgentLimit, exhaustedBudget } from '../../core/budgets/budgets.ts'
import type { EventName } from '../../core/events/catalogue.ts'
import { changeStatus, findAndLockExecution, type Report, recordTransition } from '../../core/executions/transitions.ts'
import { sql } from '../../core/platform/database.ts'
import {
  type Execution,
  type ExecutionStatus,
  executionColumns,
  isTransition,
  type ShortExecution,
} from '../../core/records/executions.ts'
import { record } from '../../core/security/audit.ts'
import type { ProjectScope } from '../../core/tenants/scopes.ts'
import { type Fragment, type Queryable, type Tx, violatedConstraint } from '../../sql/index.ts'
import { following, type Paged, pageLimit, readPage } from '../plugins/lists.ts'
import type { Caller } from '../plugins/request-context.ts'
import type { Resource, ResourceKey } from '../plugins/resources.ts'
import { invalidField, invalidTransition, notFound, Problem } from '../problems.ts'
import type { Completion, ExecutionInput, ExecutionQuery, Failure, StartInput, Usage } from './schema.ts'
import { recordUsage } from './usage.ts'
import { tooSmall, type UsageRow, usageId } from './usage-values.ts'

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
  query: Paged<ExecutionQuery>,
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
        ${following(sql`created_at, id`, query.after)}
      order by created_at desc, id desc
      ${pageLimit(query)}
    `,
  )
}

export const listExecutions = (db: Queryable, requirement: ResourceKey<'requirement'>, query: Paged<ExecutionQuery>) =>
  readExecutions<Execution>(db, requirement, query, executionColumns)

/** What a table shows of an execution. Its artifacts may take a megabyte. */
export type ExecutionSummary = Pick<
  Execution,
  'id' | 'agent' | 'status' | 'cost_usd' | 'created_at' | 'started_at' | 'finished_at'
>

export const listExecutionSummaries = (db: Queryable, requirement: ResourceKey<'requirement'>, query: Paged<ExecutionQuery>) =>
  readExecutions<ExecutionSummary>(db, requirement, query, sql`id, agent, status, cost_usd, created_at, started_at, finished_at`)

/** @throws Problem `budget_exhausted` if the monthly budget of the workspace or organization, or the limit of the agent, is used up */
async function requireBudget(tx: Tx, scope: ProjectScope, agent: string): Promise<void> {
  const [exhausted, limit] = await Promise.all([
    exhaustedBudget(tx, scope),
    exhaustedAgentLimit(tx, scope.organization_id, agent),
  ])
  if (exhausted) {
    const detail = `The ${exhausted} has reached its budget_monthly_limit_usd. Raise the limit, or wait until next month (UTC).`
    throw new Problem('budget_exhausted', detail)
  }
  if (limit === null) return
  const detail = `The agent ${agent} has reached its limit of ${limit} USD a month. Raise it in the agent limits of the organization, or wait until next month (UTC).`
  throw new Problem('budget_exhausted', detail)
}

/** Starts a queued execution, whose budget was checked. */
async function start(tx: Tx, by: Caller, scope: ProjectScope, queued: ShortExecution): Promise<Execution> {
  const started = await transitionExecution(tx, by, queued, 'running')
  await recordTransition(tx, by, scope, 'execution.started', started)
  // They are reported at its end.
  return { ...started, artifacts: [] }
}

/** Queues an execution of a requirement and, if the input says so, starts it. */
export async function createExecution(tx: Tx, by: Caller, requirement: Resource<'requirement'>, input: ExecutionInput) {
  await requireBudget(tx, requirement, input.agent)
  const [execution] = await tx<[Execution]>`
    insert into executions (
      organization_id, workspace_id, project_id, requirement_id, graph_id, agent, runtime_id, cost_from, max_cost_usd, created_by
    )
    values (
      ${requirement.organization_id}, ${requirement.workspace_id}, ${requirement.project_id}, ${requirement.id},
      coalesce(${input.graph_id ?? null}::uuid, uuidv7()), ${input.agent}, ${input.runtime_id ?? null},
      ${input.cost_from ?? 'reports'}, ${input.max_cost_usd ?? null}, ${by.id}
    )
    returning ${executionColumns}
  `.catch((error: unknown) => {
    if (violatedConstraint(error) === 'executions_runtime')
      throw invalidField('/runtime_id', 'unknown', 'is not a runtime of this organization')
    throw error
  })
  const { id: resource_id, agent } = execution
  const detail = `${by.name} queued an execution by ${agent}.`
  await record(tx, by, requirement, { action: 'execution.created', resource_type: 'execution', resource_id, detail })
  return input.start ? start(tx, by, requirement, execution) : execution
}

/** Locks an execution until the commit. @throws Problem `not_found` */
export async function lockExecution(tx: Tx, execution: ResourceKey<'execution'>): Promise<ShortExecution> {
  const found = await findAndLockExecution(tx, execution)
  if (!found) throw notFound('execution')
  return found
}

/** Changes the status of a locked execution. @throws Problem `invalid_transition` */
export async function transitionExecution(tx: Tx, by: Caller, current: ShortExecution, to: ExecutionStatus, report: Report = {}) {
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
  // Before the spend of the organization is locked: they may take a megabyte.
  const { artifacts } = await getExecution(tx, execution)
  await recordTransition(tx, by, execution, name, updated, report.cost_usd)
  return { ...updated, artifacts }
}

/** Starts a queued execution. @throws Problem `invalid_transition`, `budget_exhausted` */
export async function startExecution(
  tx: Tx,
  by: Caller,
  execution: Resource<'execution'>,
  { cost_from, max_cost_usd }: StartInput,
): Promise<Execution> {
  const current = await lockExecution(tx, execution)
  // `awaiting_gate` also may become `running`, but only when its gates are approved.
  if (current.status !== 'queued') throw invalidTransition('execution', current.status, 'running')
  await requireBudget(tx, execution, current.agent)
  if (cost_from !== undefined || max_cost_usd !== undefined) {
    await tx`
      update executions
      set cost_from    = ${cost_from ?? current.cost_from},
          max_cost_usd = ${max_cost_usd === undefined ? current.max_cost_usd : max_cost_usd}
      where id = ${execution.id} and organization_id = ${execution.organization_id}
    `
  }
  return start(tx, by, execution, current)
}

export const completeExecution = (tx: Tx, by: Caller, execution: Resource<'execution'>, input: Completion): Promise<Execution> =>
  transition(tx, by, execution, 'completed', 'execution.completed', input)

export const failExecution = (tx: Tx, by: Caller, execution: Resource<'execution'>, input: Failure): Promise<Execution> =>
  transition(tx, by, execution, 'failed', 'execution.failed', input)

export const cancelExecution = (tx: Tx, by: Caller, execution: Resource<'execution'>): Promise<Execution> =>
  transition(tx, by, execution, 'cancelled', 'execution.cancelled')

const rowOf = ({ cost_usd, model, dedupe_key, ...tokens }: Usage): UsageRow => ({
  execution: 0,
  model: model === undefined ? null : 0,
  id: dedupe_key === undefined ? crypto.randomUUID() : usageId(`report ${dedupe_key}`),
  span_id: null,
  outer_id: null,
  is_outer: false,
  input: tokens.input_tokens ?? 0,
  cached: tokens.cached_input_tokens ?? 0,
  written: tokens.cache_write_tokens ?? 0,
  output: tokens.output_tokens ?? 0,
  reasoning: tokens.reasoning_tokens ?? 0,
  usd: cost_usd ?? null,
  used_at: null,
})

/** @throws Problem `validation_failed` if the fields of a report do not fit together */
function requireConsistent(usage: Usage): void {
  const { cost_usd, model } = usage
  const counts = ['input_tokens', 'cached_input_tokens', 'cache_write_tokens', 'output_tokens', 'reasoning_tokens'] as const
  const hasCounts = counts.some((name) => usage[name] !== undefined)
  if (model === undefined && hasCounts) throw invalidField('/model', 'required', 'is required with counts of tokens')
  if (cost_usd === undefined && !hasCounts)
    throw invalidField('/cost_usd', 'required', 'is required without a model and counts of its tokens')
  const wrong = tooSmall(rowOf(usage))
  if (wrong === 'input')
    throw invalidField('/input_tokens', 'too_small', 'must include cached_input_tokens and cache_write_tokens')
  if (wrong === 'output') throw invalidField('/output_tokens', 'too_small', 'must include reasoning_tokens')
}

/** Adds to the usage of an execution. Allowed after it has ended, too. */
export async function reportUsage(tx: Tx, by: Caller, execution: Resource<'execution'>, usage: Usage): Promise<Execution> {
  requireConsistent(usage)
  const current = await lockExecution(tx, execution)
  if (current.started_at === null)
    throw new Problem('invalid_transition', `The execution is ${current.status} and has not started. Report usage once it runs.`)
  const { model, cost_usd } = usage
  const models = model === undefined ? [] : [model]
  const batch = { source: 'reports' as const, models, rows: JSON.stringify([rowOf(usage)]), hasLinks: false }
  const what = model === undefined ? `${cost_usd} USD` : `usage of ${model}`
  const sentence = `${by.name} reported ${what} for the execution by ${current.agent}.`
  const spent = await recordUsage(tx, by, execution.organization_id, [current], batch, () => sentence)
  const updated = await getExecution(tx, execution)
  await addSpend(tx, by, execution.organization_id, spent)
  return updated
}
