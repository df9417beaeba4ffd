/** The clock of pages. */
import type { Queryable } from '../../sql/index.ts'

/** The time by the clock of the database, which decides what has expired; that of this process may be wrong. */
export async function databaseNow(db: Queryable): Promise<string> {
  const [{ now }] = await db<[{ now: string }]>`select now()::timestamptz(3) as now`
  return now
}

/** Whether a time has passed. */
export const isPast = (at: string | null, now: string): boolean => at !== null && Date.parse(at) <= Date.parse(now)
