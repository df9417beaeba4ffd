import { sql } from '../../core/platform/database.ts'
import type { Scope } from '../../core/scopes.ts'
import type { Queryable } from '../../sql/index.ts'
import { invalidField } from '../problems.ts'
import type { Spend, SpendQuery } from './schema.ts'

/** The groupings of a month's spend, with the key as text for the cursor. */
const KEYS = {
  workspace: { field: 'workspace_id', key: sql`workspace_id::text` },
  project: { field: 'project_id', key: sql`project_id::text` },
  agent: { field: 'agent', key: sql`agent` },
  model: { field: 'model', key: sql`model` },
} as const

/** The monthly spend of each model. What is left of the spend of agents has none, and an empty key. */
const modelSpend = (organization_id: string) => sql`
  (
    select organization_id, month, workspace_id, model, used_usd from model_spend where organization_id = ${organization_id}
    union all
    select organization_id, month, workspace_id, '', used_usd from agent_spend where organization_id = ${organization_id}
    union all
    select organization_id, month, workspace_id, '', -used_usd from model_spend where organization_id = ${organization_id}
  ) as spend
`

interface Row {
  month: string
  key: string
  used_usd: number
}

const CURSOR = /^([1-9]\d{3}-(?:0[1-9]|1[0-2]))(?::([\s\S]*))?$/

/** Parses a cursor: the last month and key of the previous part. */
function parseCursor(after: string | null): { month: string; key: string } | null {
  if (after === null) return null
  const [, month, key = ''] = CURSOR.exec(after) ?? []
  if (!month) throw invalidField('/after', 'malformed', 'is invalid; use the value of the Link header')
  return { month, key }
}

/**
 * The spend of an organization, or of one of its workspaces, per month, newest first. That of an organization includes deleted
 * resources.
 *
 * @returns entries with an `id` that serves as the cursor
 * @throws Problem `validation_failed` if `from` is after `to`
 */
export async function listSpend(
  db: Queryable,
  { organization_id, workspace_id }: Pick<Scope, 'organization_id' | 'workspace_id'>,
  { from, to, group_by }: SpendQuery,
  { limit, after }: { limit: number; after: string | null },
): Promise<(Spend & { id: string })[]> {
  if (from && to && from > to) throw invalidField('/from', 'inverted', 'must not be after to')
  const cursor = parseCursor(after)
  const last = sql`coalesce(to_date(${to ?? null}, 'YYYY-MM'), date_trunc('month', now())::date)`
  const monthly = workspace_id === null ? sql`organization_spend` : sql`workspace_spend`
  const grouped = group_by === 'model' ? modelSpend(organization_id) : sql`agent_spend`
  const rows = await db<Row[]>`
    select to_char(month, 'YYYY-MM') as month, key, used_usd
    from (
      select month, ${group_by ? KEYS[group_by].key : sql`''`} collate "C" as key, sum(used_usd) as used_usd
      from ${group_by ? grouped : monthly}
      where organization_id = ${organization_id}
        ${workspace_id === null ? sql`` : sql`and workspace_id = ${workspace_id}`}
        and month <= ${last}
        and month >= coalesce(to_date(${from ?? null}, 'YYYY-MM'), ${last} - interval '11 months')
      group by 1, 2
      having sum(used_usd) > 0
    ) as spent
    where ${cursor === null}
      or month < to_date(${cursor?.month ?? null}, 'YYYY-MM')
      or (month = to_date(${cursor?.month ?? null}, 'YYYY-MM') and key > ${cursor?.key ?? null})
    order by month desc, key
    limit ${limit}
  `
  return rows.map(({ month, key, used_usd }) =>
    group_by
      ? { id: `${month}:${key}`, month, [KEYS[group_by].field]: group_by === 'model' && key === '' ? null : key, used_usd }
      : { id: month, month, used_usd },
  )
}
