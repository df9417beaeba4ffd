/** Times in messages: exact, in UTC, and relative to when the message was caused, so that every attempt reads the same. */

const UNITS: [unit: Intl.RelativeTimeFormatUnit, seconds: number][] = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
]

const relative = new Intl.RelativeTimeFormat('en', { numeric: 'always' })

/** Date, hour and minute. */
export const minuteText = (instant: string): string => `${instant.slice(0, 10)} ${instant.slice(11, 16)} UTC`

/** A duration from one time to another, in its largest unit, such as "in 2 hours". */
function fromThen(instant: string, then: string): string {
  const seconds = (Date.parse(instant) - Date.parse(then)) / 1000
  const [unit, length] = UNITS.find(([, each]) => Math.abs(seconds) >= each) ?? UNITS.at(-1) ?? ['minute', 60]
  const count = Math.round(seconds / length)
  return count === 0 ? 'within a minute' : relative.format(count, unit)
}

/** A time, exact and relative to another: `2026-11-21 10:00 UTC (in 2 hours)`. */
export const timeText = (instant: string, then: string): string => `${minuteText(instant)} (${fromThen(instant, then)})`
