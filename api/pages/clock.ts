/** The clock of pages. */
import { DAY_MS } from '../../core/values/instants.ts'
import type { Queryable } from '../../sql/index.ts'

/** The time by the clock of the database, which decides what has expired; that of this process may be wrong. */
export async function databaseNow(db: Queryable): Promise<string> {
  const [{ now }] = await db<[{ now: string }]>`select now()::timestamptz(3) as now`
  return now
}

/** Midnight (UTC) in some days. The same all day long, so that a refused form keeps its value. */
export const inDays = (days: number): string => new Date((Math.floor(Date.now() / DAY_MS) + days) * DAY_MS).toISOString()

/** The times at which a new token can expire, as options of a form. */
export const lifetimes = () =>
  [7, 30, 90, 365].map((days): [string, string] => [inDays(days), `In ${days} days, on ${inDays(days).slice(0, 10)}`])

export const isPast = (at: string | null, now: string): boolean => at !== null && Date.parse(at) <= Date.parse(now)
