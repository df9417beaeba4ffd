/** What holds for usage of models, however it arrives. */

import { sql } from '../../core/platform/database.ts'
import type { CostFrom } from '../../core/records/executions.ts'
import type { Tx } from '../../sql/index.ts'
import { joinByKeys } from '../../sql/transaction.ts'

/** Counts of tokens. */
export interface Counts {
  /** Includes what was read from and written to the cache. */
  input: number
  cached: number
  written: number
  /** Includes reasoning. */
  output: number
  reasoning: number
}

/** One use of a model, or an amount. Executions and models are numbers in the lists of the batch. */
export interface UsageRow extends Counts {
  execution: number
  /** Null: an amount without a model. */
  model: number | null
  id: string
  /** Of an event: the id of its span. */
  span_id: string | null
  /** Of a span: the id of the one around it that may report the same call. */
  outer_id: string | null
  /** Whether one that counts is within it: it is recorded without counting. */
  is_outer: boolean
  /** Null: by the price. */
  usd: number | null
  /** Null, or in the future: now. */
  used_at: string | null
}

export interface UsageBatch {
  source: CostFrom
  models: string[]
  /** JSON of `UsageRow`s. */
  rows: string
  /** Whether any row has a `span_id` or an `outer_id`. */
  hasLinks: boolean
}

/** The count that is too small to include the others; null if they fit together. */
export function tooSmall({ input, cached, written, output, reasoning }: Counts): 'input' | 'output' | null {
  if (cached + written > input) return 'input'
  return reasoning > output ? 'output' : null
}

/** The id of usage: what identifies it always has the same one. */
export function usageId(key: string | Uint8Array): string {
  const digits = new Bun.CryptoHasher('sha256').update(key).digest('hex')
  return [8, 12, 16, 20, 32].map((end, at, ends) => digits.slice(ends[at - 1] ?? 0, end)).join('-')
}

/** SQL: which row of a batch it is. The same span or request of another execution is another one. */
export const rowName = sql`given.execution || ' ' || given.id`

/**
 * The rows whose usage is recorded already: because their span was, or an event of it, or a span around or within it. The executions are
 * locked, so of an event and its span that arrive at once, the second one sees the first.
 * @returns the rows, by the numbers of their executions and their ids; those of spans around others are `outer`
 */
export async function findDuplicates(
  tx: Tx,
  organization_id: string,
  executions: (string | null)[],
  { rows, hasLinks }: UsageBatch,
) {
  const ids = executions.filter((id) => id !== null)
  const [event] = await tx`
    select 1 as found
    from usage_records
    where organization_id = ${organization_id}
      and execution_id = any(${ids}::uuid[])
      and span_usage_id is not null
    limit 1
  `
  if (!event && !hasLinks) return []
  await joinByKeys(tx)
  return await tx`
    select ${rowName} as row, false as is_outer
    from jsonb_to_recordset(${rows}::text::jsonb) as given (execution integer, id uuid, span_id uuid, outer_id uuid)
    join usage_records as known
      on known.organization_id = ${organization_id}
      and known.execution_id = (${executions}::uuid[])[given.execution + 1]
      and known.id = coalesce(given.span_id, given.outer_id)
    -- A span around others may have several that count.
    where given.span_id is not null or known.model is not null
    union all
    select ${rowName}, true
    from jsonb_to_recordset(${rows}::text::jsonb) as given (execution integer, id uuid, is_outer boolean)
    where is_outer
    union all
    select ${rowName}, true
    from jsonb_to_recordset(${rows}::text::jsonb) as given (execution integer, id uuid)
    join usage_records as known
      on known.organization_id = ${organization_id}
      and known.execution_id = (${executions}::uuid[])[given.execution + 1]
      and known.span_usage_id = given.id
  `
}

/** Records spans around others, which do not count, so that those around them do not either. */
export const insertOuterSpans = (
  tx: Tx,
  organization_id: string,
  executions: (string | null)[],
  { source, rows }: UsageBatch,
  outer: string[],
) => tx`
  insert into usage_records (
    organization_id, execution_id, id, span_usage_id, source, input_tokens, cached_input_tokens, cache_write_tokens,
    output_tokens, reasoning_tokens, used_at
  )
  select ${organization_id}::uuid, (${executions}::uuid[])[execution + 1], id, outer_id, ${source}, 0, 0, 0, 0, 0, now()
  from jsonb_to_recordset(${rows}::text::jsonb) as given (execution integer, id uuid, outer_id uuid)
  where ${rowName} = any(${outer}) and (${executions}::uuid[])[execution + 1] is not null
  on conflict do nothing
`
