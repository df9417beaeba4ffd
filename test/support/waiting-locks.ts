/** Locks that sessions wait for. */
import type { Sql } from '../../sql/index.ts'
import { onCitus } from './databases.ts'

/** How many lock requests of other sessions wait, on all nodes of a cluster. */
export async function waitingLocks(sql: Sql): Promise<number> {
  const [{ count }] = await sql<[{ count: number }]>`
    select count(*) as count from ${onCitus ? sql`citus_locks` : sql`pg_locks`} where not granted and pid <> pg_backend_pid()
  `
  return count
}

/** Whether a statement waits for a lock. On a cluster, whether any does: the node where it waits does not show its text. */
export async function waits(sql: Sql, like: string): Promise<boolean> {
  if (onCitus) return (await waitingLocks(sql)) > 0
  const rows = await sql`select from pg_stat_activity where wait_event_type = 'Lock' and query like ${like}`
  return rows.length > 0
}
