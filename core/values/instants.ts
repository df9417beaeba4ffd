/** Times in requests: ISO 8601 with `Z` or an offset. */

const INSTANT = /^(\d{4}-\d{2}-\d{2})T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,9})?(?:Z|[+-](?:(?:0\d|1[0-3]):[0-5]\d|14:00))$/

export const DAY_MS = 86_400_000

const FIRST_MS = Date.parse('0001-01-01T00:00:00.000Z')
/** The last time that is written with a year of four digits, as PostgreSQL reads it. */
export const LAST_MS = Date.parse('9999-12-31T23:59:59.999Z')

/** Whether a date exists: JavaScript parses 30 February as 2 March. */
function isDay(day: string): boolean {
  const midnight = new Date(`${day}T00:00:00Z`)
  return !Number.isNaN(midnight.getTime()) && midnight.toISOString().startsWith(day)
}

/** Whether a text is a valid time, in UTC between the years 1 and 9999. */
export function isInstant(text: string): boolean {
  const [, day] = INSTANT.exec(text) ?? []
  if (day === undefined || !isDay(day)) return false
  const ms = Date.parse(text)
  return ms >= FIRST_MS && ms <= LAST_MS
}

/** The same time in UTC. Digits after the milliseconds are dropped: PostgreSQL would round them, possibly into the year 10000. */
export const inUtc = (instant: string): string => new Date(Date.parse(instant)).toISOString()
