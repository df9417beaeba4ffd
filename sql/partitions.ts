/** The tables that grow without end and are forgotten by age: kept in partitions by time, made ahead, dropped when old. */
import type { Sql } from './index.ts'

/** Tables whose rows go together, those that others refer to first. */
export interface Family {
  tables: string[]
  /** How much time lies in one partition. */
  span: string
  /** How far ahead partitions are made: as many nights may pass without upkeep. */
  ahead: string
  /** The table whose pending rows keep their span from being dropped. */
  waiting?: string
}

export const FAMILIES = {
  job_runs: { tables: ['ops.job_runs'], span: '1 day', ahead: '7 days' },
  dispatches: {
    tables: ['dispatches', 'dispatch_bodies', 'dispatch_attempts'],
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

/** Makes the partitions that will be needed soon. What is written before they are goes to the default partitions. */
export async function makePartitions(sql: Sql): Promise<void> {
  for (const { tables, span, ahead } of Object.values<Family>(FAMILIES)) {
    await sql`select ensure_partitions(${tables}::text[]::regclass[], ${span}::interval, now(), now() + ${ahead}::interval)`
  }
}

/** Counts what lies in all partitions of a table together, for the planner: by itself, PostgreSQL looks at each alone. */
export async function analyzePartitioned(sql: Sql): Promise<void> {
  for (const table of Object.values<Family>(FAMILIES).flatMap(({ tables }) => tables)) await sql`analyze ${sql(table)}`
}

/**
 * Drops the partitions that lie wholly before a moment, but for those in which something is pending still.
 *
 * @param days how long rows are kept
 * @returns how many were dropped
 */
export async function dropPartitions(sql: Sql, family: Family, days: number): Promise<number> {
  const tables = sql`${family.tables}::text[]::regclass[]`
  await sql`
    select detach_partitions(${tables}, now() - ${days} * interval '1 day', ${family.waiting ?? null}::text::regclass)
  `
  // Those too that an earlier run took out and did not come to drop.
  const old = await sql<{ name: string }[]>`select table_name::text as name from detached_partitions(${tables}) as table_name`
  for (const { name } of old) await sql`drop table ${sql(name)}`
  return old.length
}
