/** Tables that grow without bound, partitioned by time: partitions are created ahead and dropped when they are old. */
import type { Sql } from './index.ts'
import { acrossTenants } from './reach.ts'

/** Tables whose rows belong together; those that others reference come first. */
export interface Family {
  tables: string[]
  /** The time that one partition covers. */
  span: string
  /** How far ahead partitions are created, and so how long the nightly upkeep may fail. */
  ahead: string
  /** The table whose pending rows prevent their partitions from being dropped. */
  waiting?: string
}

export const FAMILIES = {
  job_runs: { tables: ['ops.job_runs'], span: '1 day', ahead: '7 days' },
  dispatches: {
    tables: ['dispatches', 'repeated_attempts'],
    span: '7 days',
    ahead: '14 days',
    waiting: 'dispatches',
  },
  messages: {
    tables: ['channel_events', 'channel_messages', 'channel_attempts'],
    span: '7 days',
    ahead: '14 days',
    waiting: 'channel_messages',
  },
} as const satisfies Record<string, Family>

/** Creates the partitions that will be needed soon. Rows without a partition go to the default partition. */
export async function makePartitions(sql: Sql): Promise<void> {
  for (const { tables, span, ahead } of Object.values<Family>(FAMILIES)) {
    await acrossTenants(
      sql`select ensure_partitions(${tables}::text[]::regclass[], ${span}::interval, now(), now() + ${ahead}::interval)`,
    )
  }
}

/** Updates the planner statistics of whole partitioned tables: autovacuum analyzes single partitions only. */
export async function analyzePartitioned(sql: Sql): Promise<void> {
  for (const table of Object.values<Family>(FAMILIES).flatMap(({ tables }) => tables)) await sql`analyze ${sql(table)}`
}

/**
 * Drops the partitions that are entirely older than a number of days, except those with pending rows.
 *
 * @param days how long rows are kept
 * @returns how many were dropped
 */
export async function dropPartitions(sql: Sql, family: Family, days: number): Promise<number> {
  const tables = sql`${family.tables}::text[]::regclass[]`
  await acrossTenants(sql`
    select detach_partitions(${tables}, now() - ${days} * interval '1 day', ${family.waiting ?? null}::text::regclass)
  `)
  // Including those that an earlier run detached and could not drop.
  const old = await sql<{ name: string }[]>`select table_name::text as name from detached_partitions(${tables}) as table_name`
  for (const { name } of old) await sql`drop table ${sql(name)}`
  return old.length
}
