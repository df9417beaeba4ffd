import { sql } from '../../core/platform/database.ts'
import type { Queryable } from '../../sql/index.ts'
import { invalidField } from '../problems.ts'
import type { Spend, SpendQuery } from './schema.ts'

/** What a month is divided by, as text that a cursor can hold. */
const KEYS = {
  workspace: { field: 'workspace_id', key: sql`workspace_id::text` },
  project: { field: 'project_id', key: sql`project_id::text` },
  agent: { field: 'agent', key: sql`agent` },
} as const

interface Row {
  month: string
  key: string
  used_usd: number
}

const CURSOR = /^([1-9]\d{3}-(?:0[1-9]|1[0-2]))(?::([\s\S]*))?$/

/** The month and the key that a cursor stands behind. */
function position(after: string | null): { month: string; key: string } | null {
  if (after === null) return null
  const [, month, key = ''] = CURSOR.exec(after) ?? []
  if (!month) throw invalidField('/after', 'malformed', 'must be as a Link gave it')
  return { month, key }
}

/**
 * What an organization has spent, month by month, the newest first; what was deleted since stays counted.
 *
 * @returns entries with the `id` under which a list goes on
 * @throws Problem `validation_failed` where `from` is after `to`
 */
export async function listSpend(
  db: Queryable,
  organization_id: string,
  { from, to, group_by }: SpendQuery,
  { limit, after }: { limit: number; after: string | null },
): Promise<(Spend & { id: string })[]> {
  if (from && to && from > to) throw invalidField('/from', 'inverted', 'must not be after to')
  const behind = position(after)
  const last = sql`coalesce(to_date(${to ?? null}, 'YYYY-MM'), date_trunc('month', now())::date)`
  const rows = await db<Row[]>`
    select to_char(month, 'YYYY-MM') as month, key, used_usd
    from (
      select month, ${group_by ? KEYS[group_by].key : sql`''`} collate "C" as key, sum(used_usd) as used_usd
      from ${group_by ? sql`agent_spend` : sql`organization_spend`}
      where organization_id = ${organization_id}
        and month <= ${last}
        and month >= coalesce(to_date(${from ?? null}, 'YYYY-MM'), ${last} - interval '11 months')
        and used_usd > 0
      group by 1, 2
    ) as spent
    where ${behind === null}
      or month < to_date(${behind?.month ?? null}, 'YYYY-MM')
      or (month = to_date(${behind?.month ?? null}, 'YYYY-MM') and key > ${behind?.key ?? null})
    order by month desc, key
    limit ${limit}
  `
  return rows.map(({ month, key, used_usd }) =>
    group_by ? { id: `${month}:${key}`, month, [KEYS[group_by].field]: key, used_usd } : { id: month, month, used_usd },
  )
}
