/** Usage of models by executions: reported with an execution, or received by OTLP. It is recorded once, however often it arrives. */

import type { Spent } from '../../core/budgets/budgets.ts'
import { emitOverBudget } from '../../core/executions/transitions.ts'
import { sql } from '../../core/platform/database.ts'
import type { CostFrom, Execution } from '../../core/records/executions.ts'
import { recordAll } from '../../core/security/audit.ts'
import type { Actor } from '../../core/tenants/actors.ts'
import { announceChange, scopePath } from '../../core/tenants/changes.ts'
import type { Json, Tx } from '../../sql/index.ts'
import { listModelPrices, pricePeriods } from '../model-prices/model-prices.ts'
import { findDuplicates, insertOuterSpans, rowName, type UsageBatch } from './usage-values.ts'

/** An execution that is locked, as far as its usage concerns it. */
export type UsedExecution = Pick<
  Execution,
  'id' | 'organization_id' | 'workspace_id' | 'project_id' | 'agent' | 'cost_from' | 'started_at'
>

/** The new usage of one model by one execution. Amounts are decimal numbers. */
interface Total {
  execution_id: string
  model: string | null
  unpriced: number
  cost_usd: string | null
  input_tokens: number
  cached_input_tokens: number
  cache_write_tokens: number
  output_tokens: number
  reasoning_tokens: number
}

/** Token counts are added up to what a number of JavaScript holds exactly, amounts to the most that `usd` holds. */
const MOST_TOKENS = sql`9007199254740991`
const MOST_USD = sql`1e12`

/** Inserts the rows whose usage is not recorded yet. */
async function insertRows(tx: Tx, organization_id: string, executions: (UsedExecution | null)[], batch: UsageBatch) {
  const { source, models, rows } = batch
  const ids = executions.map((execution) => execution?.id ?? null)
  const prices = models.length === 0 ? [] : pricePeriods(await listModelPrices(tx, organization_id), models)
  const duplicates = source === 'telemetry' ? await findDuplicates(tx, organization_id, ids, batch) : []
  const outer = duplicates.filter(({ is_outer }) => is_outer).map(({ row }) => row)
  if (outer.length > 0) await insertOuterSpans(tx, organization_id, ids, batch, outer)
  return await tx<Total[]>`
    with recorded as (
      insert into usage_records (
        organization_id, execution_id, id, span_usage_id, source, model, input_tokens, cached_input_tokens, cache_write_tokens,
        output_tokens, reasoning_tokens, cost_usd, used_at
      )
      select
        ${organization_id}::uuid, given.execution_id, given.id, coalesce(given.span_id, given.outer_id), ${source},
        given.model_name, given.input, given.cached, given.written, given.output, given.reasoning,
        case
          when given.usd is not null then given.usd
          -- Without a price it stays null, which least() would ignore.
          when price.model is not null then least(
            round(
              (
                greatest(given.input::bigint - given.cached - given.written, 0) * price.input
                + given.cached * coalesce(price.cached_input, price.input)
                + given.written * coalesce(price.cache_write, price.input)
                + given.output * price.output
              ) / 1000000,
              6
            ),
            ${MOST_USD}
          )
        end,
        given.at
      from (
        select
          *, (${ids}::uuid[])[execution + 1] as execution_id, (${models}::text[])[model + 1] as model_name,
          least(coalesce(used_at, now()), now()) as at
        from jsonb_to_recordset(${rows}::text::jsonb) as row (
          execution integer, model integer, id uuid, span_id uuid, outer_id uuid, input integer, cached integer, written integer,
          output integer, reasoning integer, usd numeric, used_at timestamptz
        )
      ) as given
      left join jsonb_to_recordset(${tx.json(prices as unknown as Json)}) as price (
        model integer, "from" timestamptz, until timestamptz, input numeric, cached_input numeric, cache_write numeric,
        output numeric
      )
        on price.model = given.model
        and price."from" <= given.at
        and (price.until is null or price.until > given.at)
      where given.execution_id is not null and ${rowName} <> all (${duplicates.map(({ row }) => row)})
      on conflict do nothing
      returning
        execution_id, model, cost_usd, input_tokens, cached_input_tokens, cache_write_tokens, output_tokens, reasoning_tokens
    )
    select
      execution_id, model, count(*) filter (where cost_usd is null) as unpriced,
      sum(cost_usd)::text as cost_usd, sum(input_tokens) as input_tokens, sum(cached_input_tokens) as cached_input_tokens,
      sum(cache_write_tokens) as cache_write_tokens, sum(output_tokens) as output_tokens,
      sum(reasoning_tokens) as reasoning_tokens
    from recorded
    group by execution_id, model
  `
}

/** Adds to what the executions used of each model. */
const addToModels = (tx: Tx, organization_id: string, source: CostFrom, totals: Total[]) => tx`
  insert into execution_usage as used (
    organization_id, execution_id, source, model, input_tokens, cached_input_tokens, cache_write_tokens, output_tokens,
    reasoning_tokens, cost_usd
  )
  select
    ${organization_id}::uuid, execution_id, ${source}, model, input_tokens, cached_input_tokens, cache_write_tokens,
    output_tokens,
    reasoning_tokens, case when cost_usd is not null then least(cost_usd, ${MOST_USD}) end
  from jsonb_to_recordset(${tx.json(totals as unknown as Json)}) as total (
    execution_id uuid, model text, input_tokens bigint, cached_input_tokens bigint, cache_write_tokens bigint,
    output_tokens bigint, reasoning_tokens bigint, cost_usd numeric
  )
  where model is not null
  on conflict (organization_id, execution_id, source, model) do update
    set input_tokens        = least(used.input_tokens + excluded.input_tokens, ${MOST_TOKENS}),
        cached_input_tokens = least(used.cached_input_tokens + excluded.cached_input_tokens, ${MOST_TOKENS}),
        cache_write_tokens  = least(used.cache_write_tokens + excluded.cache_write_tokens, ${MOST_TOKENS}),
        output_tokens       = least(used.output_tokens + excluded.output_tokens, ${MOST_TOKENS}),
        reasoning_tokens    = least(used.reasoning_tokens + excluded.reasoning_tokens, ${MOST_TOKENS}),
        cost_usd            = case
          when excluded.cost_usd is null then used.cost_usd
          else least(coalesce(used.cost_usd, 0) + excluded.cost_usd, ${MOST_USD})
        end
`

/** Where the cost of usage goes: into the cost of the execution, or next to it; null if it only shows in its usage. */
type Target = 'cost' | 'reported' | null

function targetOf(source: CostFrom, cost_from: CostFrom, model: string | null): Target {
  if (source === 'telemetry') return cost_from === 'telemetry' ? 'cost' : null
  return cost_from === 'telemetry' && model === null ? 'reported' : 'cost'
}

/** Adds to the costs of the executions. Telemetry is capped: the money is spent, and its sender could not correct it. */
const addToExecutions = (tx: Tx, organization_id: string, source: CostFrom, totals: (Total & { target: Target })[]) => {
  const sum = (column: string) =>
    source === 'telemetry'
      ? tx`least(coalesce(executions.${tx(column)}, 0) + total.${tx(column)}, ${MOST_USD})`
      : tx`coalesce(executions.${tx(column)}, 0) + total.${tx(column)}`
  return tx`
    update executions
    set cost_usd          = case when total.cost_usd is null then executions.cost_usd else ${sum('cost_usd')} end,
        reported_cost_usd = case
          when total.reported_cost_usd is null then executions.reported_cost_usd
          else ${sum('reported_cost_usd')}
        end,
        unpriced          = executions.unpriced + total.unpriced
    from (
      select
        execution_id, sum(cost_usd) filter (where target = 'cost') as cost_usd,
        sum(cost_usd) filter (where target = 'reported') as reported_cost_usd, sum(unpriced) as unpriced
      from jsonb_to_recordset(${tx.json(totals as unknown as Json)}) as each (
        execution_id uuid, target text, cost_usd numeric, unpriced integer
      )
      group by execution_id
    ) as total
    where executions.id = total.execution_id
      and executions.organization_id = ${organization_id}
      -- Looked up by key, however many there are.
      and executions.id = any(${totals.map(({ execution_id }) => execution_id)}::uuid[])
  `
}

/** The executions whose usage has arrived by telemetry before. */
const findBegun = (tx: Tx, organization_id: string, totals: Total[]) => tx<{ id: string }[]>`
  select distinct execution_id as id
  from execution_usage
  where organization_id = ${organization_id}
    and execution_id = any(${totals.map(({ execution_id }) => execution_id)}::uuid[])
    and source = 'telemetry'
`

/**
 * Records usage of executions of one organization: rows, sums, costs, events and audit entries. What is recorded already changes nothing.
 * @param executions that the rows name by their numbers, locked; null for those whose rows are left out
 * @param sentence for the audit log. Telemetry has an entry when it begins: exporters send every few seconds.
 * @returns what the caller adds to the spend at the end of its transaction
 */
export async function recordUsage(
  tx: Tx,
  by: Actor,
  organization_id: string,
  executions: (UsedExecution | null)[],
  batch: UsageBatch,
  sentence: (execution: UsedExecution) => string,
): Promise<Spent[]> {
  const found = await insertRows(tx, organization_id, executions, batch)
  if (found.length === 0) return []
  const byId = new Map(executions.flatMap((execution) => (execution ? [[execution.id, execution] as const] : [])))
  const of = ({ execution_id }: Total) => byId.get(execution_id) as UsedExecution
  const totals = found.map((total) => ({ ...total, target: targetOf(batch.source, of(total).cost_from, total.model) }))
  const [begun] = await Promise.all([
    batch.source === 'telemetry' ? findBegun(tx, organization_id, found) : [],
    batch.models.length > 0 ? addToModels(tx, organization_id, batch.source, totals) : null,
    addToExecutions(tx, organization_id, batch.source, totals),
  ])
  const charged = totals.filter(({ target, cost_usd }) => target === 'cost' && Number(cost_usd) > 0)
  if (charged.length > 0) await emitOverBudget(tx, by, organization_id, [...new Set(charged.map((total) => of(total).id))])
  const used = [...new Set(totals.map(of))]
  announceChange(tx, ...used.map(scopePath))
  const begins = used.filter(({ id }) => !begun.some((each) => each.id === id))
  const entries = begins.map((scope) => {
    const about = { action: 'execution.usage_reported', resource_type: 'execution', resource_id: scope.id }
    return { scope, entry: { ...about, detail: sentence(scope) } }
  })
  await recordAll(tx, by, entries)
  return charged.map((total) => {
    const { agent, ...scope } = of(total)
    return { scope, agent, model: total.model, usd: Number(total.cost_usd) }
  })
}

/** Locks executions of an organization, in the order of their ids, so that two exports cannot wait for each other. */
export const lockExecutions = (tx: Tx, organization_id: string, ids: string[]) => tx<UsedExecution[]>`
  select id, organization_id, workspace_id, project_id, agent, cost_from, started_at
  from executions
  where id = any(${ids}::uuid[]) and organization_id = ${organization_id}
  order by id
  for no key update
`
