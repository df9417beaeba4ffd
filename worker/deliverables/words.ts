/** How figures are said. Everything is in UTC and independent of the machine's language. */

/** `1 gate`, `2 gates`. */
export const counted = (count: number, noun: string, plural = `${noun}s`): string => `${count} ${count === 1 ? noun : plural}`

/** The day of an instant, as ISO 8601 has it. */
export const day = (instant: string): string => instant.slice(0, 10)

/** Day and minute. */
export const minute = (instant: string): string => `${instant.slice(0, 10)} ${instant.slice(11, 16)} UTC`

/** Money, to the cent; below a cent as exact as it was reported. */
export const usd = (amount: number): string => `$${amount > 0 && amount < 0.01 ? amount : amount.toFixed(2)}`

/** A share of a whole, in per cent. */
export const share = (part: number, whole: number): string => (whole === 0 ? '–' : `${Math.round((part / whole) * 100)} %`)

/** A length of time, in its two largest units. */
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

/** The one in the middle; of an even number the mean of the two. */
export function median(values: number[]): number | null {
  const sorted = [...values].sort((one, other) => one - other)
  const middle = Math.floor(sorted.length / 2)
  const [low = null, high = null] =
    sorted.length % 2 === 0 ? [sorted[middle - 1], sorted[middle]] : [sorted[middle], sorted[middle]]
  return low === null || high === null ? null : (low + high) / 2
}

/** Values by a key, in the order in which the keys first came. */
export function grouped<Item>(items: Item[], key: (item: Item) => string): [string, Item[]][] {
  const groups = new Map<string, Item[]>()
  for (const item of items) {
    const group = groups.get(key(item))
    if (group) group.push(item)
    else groups.set(key(item), [item])
  }
  return [...groups]
}
