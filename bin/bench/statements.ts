/** What the statements of a worker cost PostgreSQL, from pg_stat_statements, and which step of a dispatch they belong to. */
import type { Sql } from '../../sql/index.ts'

/** Settings of a server whose statements are measured. */
export const MEASURING = {
  shared_preload_libraries: 'pg_stat_statements',
  'pg_stat_statements.track_planning': 'on',
  // A checkpoint would have pages written to the WAL as a whole.
  checkpoint_timeout: '1h',
  max_wal_size: '4GB',
}

/** Settings of a session whose statements do not count. */
export const UNMEASURED = { 'pg_stat_statements.track': 'none' }

export const STEPS = ['draining', 'making', 'fetching', 'recording', 'other'] as const
export type Step = (typeof STEPS)[number]

/** What tells the statements of a step from all others; the first that matches counts. Everything else is `other`. */
const SIGNS: [Step, RegExp][] = [
  [
    'recording',
    /dispatch_attempts|insert into lane_health|from subscriptions|insert into outbox|select id, version\s+from lanes/,
  ],
  ['draining', /\boutbox\b|signalbox\.drain/],
  ['making', /insert into dispatches|set sequence|trigger_on|for no key update|event\.event_id, channel\.id/],
  ['fetching', /text\.body|hook\.target_since|set owner_id|min\(delivery\.due_at\)/],
]

/** Microseconds of planning and execution, and bytes of WAL. */
export interface Cost {
  us: number
  wal_bytes: number
}

export interface StatementCost extends Cost {
  step: Step
  calls: number
  query: string
}

const stepOf = (query: string): Step => SIGNS.find(([, sign]) => sign.test(query))?.[0] ?? 'other'

export async function resetStatements(sql: Sql): Promise<void> {
  await sql`select pg_stat_statements_reset()`
}

/** What statements have cost since the reset, most expensive first. */
export async function readStatements(sql: Sql): Promise<StatementCost[]> {
  const statements = await sql<(Cost & { calls: number; query: string })[]>`
    select
      (total_plan_time + total_exec_time) * 1000 as us,
      wal_bytes::double precision as wal_bytes,
      calls,
      query
    from pg_stat_statements
    where dbid = (select oid from pg_database where datname = current_database())
    order by us desc
  `
  return statements.map((each) => ({ ...each, step: stepOf(each.query) }))
}

/** The sum of costs. */
export const sumOf = (costs: Cost[]): Cost => ({
  us: costs.reduce((sum, { us }) => sum + us, 0),
  wal_bytes: costs.reduce((sum, { wal_bytes }) => sum + wal_bytes, 0),
})
