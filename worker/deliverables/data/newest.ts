/** The newest datum of a project, from which periods such as "the last 30 days" count back: the same data gives the same period. */

import { DAY_MS } from '../../../core/values/instants.ts'

interface Dated {
  created_at?: string
  completed_at?: string | null
  finished_at?: string | null
  decided_at?: string | null
  reported_at?: string
}

/**
 * The latest time in any row, as ISO 8601.
 *
 * @param start a time that is always known, such as when the project was created
 */
export function newestOf(start: string, ...rows: Dated[][]): string {
  let newest = Date.parse(start)
  for (const row of rows.flat()) {
    for (const at of [row.created_at, row.completed_at, row.finished_at, row.decided_at, row.reported_at]) {
      if (at != null) newest = Math.max(newest, Date.parse(at))
    }
  }
  return new Date(newest).toISOString()
}

/** The time this many days earlier. */
export const daysBefore = (instant: string, days: number): string => new Date(Date.parse(instant) - days * DAY_MS).toISOString()
