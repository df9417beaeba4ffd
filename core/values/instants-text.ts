/** Times in messages: exact, and in UTC. Nothing is relative to now: a message may be sent again, or read, much later. */

/** Date, hour and minute. */
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
