/** The clock of the database, which decides what has expired; the clock of this process may be wrong. */
import type { Queryable } from '../../sql/index.ts'

export async function databaseNow(db: Queryable): Promise<string> {
  const [{ now }] = await db<[{ now: string }]>`select now()::timestamptz(3) as now`
  return now
}

export const isPast = (at: string | null, now: string): boolean => at !== null && Date.parse(at) <= Date.parse(now)
