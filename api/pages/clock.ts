/** Times that forms offer. */
import { DAY_MS } from '../../core/values/instants.ts'

/** Midnight (UTC) in some days. The same all day long, so that a refused form keeps its value. */
export const inDays = (days: number): string => new Date((Math.floor(Date.now() / DAY_MS) + days) * DAY_MS).toISOString()

/** The times at which a new token can expire, as options of a form. */
export const lifetimes = () =>
  [7, 30, 90, 365].map((days): [string, string] => [inDays(days), `In ${days} days, on ${inDays(days).slice(0, 10)}`])
