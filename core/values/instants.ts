/** Times in requests, as people and programs write them; and in messages: in UTC, and not relative to now, as they are read later. */

/**
 * The seconds may be missing (Java leaves out zeros), and so may the colon of an offset, or its minutes (PostgreSQL). Date and time may be
 * separated by a space, and a space may be the sign of an offset: it is what a `+` in a query means.
 */
const INSTANT =
  /^(\d{4}-\d{2}-\d{2})[Tt ]((?:[01]\d|2[0-3]):[0-5]\d)(:[0-5]\d(?:[.,]\d{1,9})?)?(?:([Zz])|([ +-])(?:(0\d|1[0-3])(?::?([0-5]\d))?|14(?::?00)?))$/

export const DAY_MS = 86_400_000

const FIRST_MS = Date.parse('0001-01-01T00:00:00.000Z')
/** The last time that is written with a year of four digits, as PostgreSQL reads it. */
export const LAST_MS = Date.parse('9999-12-31T23:59:59.999Z')

/** Whether a date exists: JavaScript parses 30 February as 2 March. */
function isDay(day: string): boolean {
  const midnight = new Date(`${day}T00:00:00Z`)
  return !Number.isNaN(midnight.getTime()) && midnight.toISOString().startsWith(day)
}

/** The milliseconds since 1970 of a time; NaN if it is none. */
function millisecondsOf(text: string): number {
  const [, day, minute, second = ':00', utc, sign, hours = '14', minutes = '00'] = INSTANT.exec(text) ?? []
  if (day === undefined || !isDay(day)) return Number.NaN
  const offset = utc ? 'Z' : `${sign === '-' ? '-' : '+'}${hours}:${minutes}`
  return Date.parse(`${day}T${minute}${second.replace(',', '.')}${offset}`)
}

/** In UTC between the years 1 and 9999. */
export function isInstant(text: string): boolean {
  const ms = millisecondsOf(text)
  return ms >= FIRST_MS && ms <= LAST_MS
}

/** The same time in UTC. Digits after the milliseconds are dropped: PostgreSQL would round them, possibly into the year 10000. */
export const inUtc = (instant: string): string => new Date(millisecondsOf(instant)).toISOString()

export const minuteText = (instant: string): string => `${instant.slice(0, 10)} ${instant.slice(11, 16)} UTC`

/** Date, hour, minute and second: for times at which something ends. */
export const secondText = (instant: string): string => `${instant.slice(0, 10)} ${instant.slice(11, 19)} UTC`

const UNITS = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
] as const

/** The time between two instants, to the second: `1 hour 30 minutes`. */
export function durationText(from: string, to: string): string {
  let seconds = Math.max(0, Math.round((Date.parse(to) - Date.parse(from)) / 1000))
  const parts = UNITS.flatMap(([unit, length]) => {
    const count = Math.floor(seconds / length)
    seconds %= length
    return count === 0 ? [] : `${count} ${unit}${count === 1 ? '' : 's'}`
  })
  return parts.join(' ') || '0 seconds'
}
