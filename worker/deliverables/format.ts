/** Formats numbers and times. Independent of locale and time zone: everything is in UTC. */

/** `1 gate`, `2 gates`. */
export const counted = (count: number, noun: string, plural = `${noun}s`): string => `${count} ${count === 1 ? noun : plural}`

/** The order of texts by code unit, in which times in ISO 8601 are in order of time. */
export const compare = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0)

export const day = (instant: string): string => instant.slice(0, 10)

/** The month of an ISO 8601 time, as `November 2026`. */
export const month = (instant: string): string =>
  new Date(instant).toLocaleString('en', { month: 'long', year: 'numeric', timeZone: 'UTC' })

/** Words as `a`, `a and b`, or `a, b and c`. */
export const enumerated = (words: string[]): string => new Intl.ListFormat('en-GB').format(words)

export const share = (part: number, whole: number): string => (whole === 0 ? '–' : `${Math.round((part / whole) * 100)}%`)

/** A duration in its two largest units. */
export function duration(seconds: number): string {
  const whole = Math.round(seconds)
  const units = [
    [Math.floor(whole / 86_400), 'd'],
    [Math.floor(whole / 3600) % 24, 'h'],
    [Math.floor(whole / 60) % 60, 'min'],
    [whole % 60, 's'],
  ] as const
  const first = units.findIndex(([count]) => count > 0)
  if (first === -1) return '0 s'
  return units
    .slice(first, first + 2)
    .filter(([count]) => count > 0)
    .map(([count, unit]) => `${count} ${unit}`)
    .join(' ')
}

export function median(values: number[]): number | null {
  const sorted = [...values].sort((one, other) => one - other)
  const middle = Math.floor(sorted.length / 2)
  const [low = null, high = null] =
    sorted.length % 2 === 0 ? [sorted[middle - 1], sorted[middle]] : [sorted[middle], sorted[middle]]
  return low === null || high === null ? null : (low + high) / 2
}

export const grouped = <Item>(items: Item[], key: (item: Item) => string): [string, Item[]][] => [...Map.groupBy(items, key)]
