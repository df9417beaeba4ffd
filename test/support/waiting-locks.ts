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
