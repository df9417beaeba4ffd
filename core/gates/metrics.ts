/** The metrics of a gate as people read them: each with how it differs from the execution before. */
import { line } from '../values/plain-text.ts'

type Metrics = Record<string, number>

/** Numbers outside of these sizes are written with powers of ten. */
const [TINY, HUGE] = [1e-6, 1e15]

const powers = new Intl.NumberFormat('en', { notation: 'scientific', maximumFractionDigits: 3 })
const fractions = new Intl.NumberFormat('en', { maximumSignificantDigits: 3 })
const decimals = new Intl.NumberFormat('en', { maximumFractionDigits: 3 })

export function numberText(value: number): string {
  const size = Math.abs(value)
  const isExtreme = size >= HUGE || (size < TINY && size > 0)
  return (isExtreme ? powers : size < 1 ? fractions : decimals).format(value)
}

/** `+12`, `−3`; null if it is the same or was not measured. */
function difference(now: number, before: number | undefined): string | null {
  if (before === undefined || before === now) return null
  return `${now > before ? '+' : '−'}${numberText(Math.abs(now - before))}`
}

/** Rows of an earlier version may have values that are no numbers. */
const measured = (metrics: Metrics): [string, number][] =>
  Object.entries(metrics).filter(([, value]) => typeof value === 'number')

interface Metric {
  name: string
  value: number
  /** Since the execution before; null if it is the same or was not measured. */
  changed: string | null
}

const nameOf = (name: string): string => name.replaceAll('_', ' ')

/** By name. @param before those of the execution before; null if there are none */
export function metricsOf(metrics: Metrics, before: Metrics | null): Metric[] {
  const known = new Map(measured(before ?? {}))
  return measured(metrics)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => ({ name: nameOf(name), value, changed: difference(value, known.get(name)) }))
}

const MAX_NAMED = 5
const MAX_NAME = 40

/** `coverage 81.2 (−0.3 since the execution before); tests passed 418`: those that changed first. Null if there are none. */
export function metricsText(metrics: Metrics, before: Metrics | null): string | null {
  const all = metricsOf(metrics, before).sort((a, b) => Number(a.changed === null) - Number(b.changed === null))
  const shown = all.slice(0, MAX_NAMED).map(({ name, value, changed }, index) => {
    const since = index === 0 ? ' since the execution before' : ''
    return `${line(name, MAX_NAME)} ${numberText(value)}${changed === null ? '' : ` (${changed}${since})`}`
  })
  const more = all.length - shown.length
  return [...shown, ...(more > 0 ? [`${more} more`] : [])].join('; ') || null
}
