/** Figures from samples, and how they are shown. */

/** The value below which the share of the samples lies. */
export function percentile(samples: number[], share: number): number {
  const sorted = samples.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

export const median = (samples: number[]): number => percentile(samples, 0.5)

/** Three digits that mean something; more would claim what was not measured. */
export const rounded = (value: number): number => Number(value.toPrecision(3))

/** Every figure of an object, rounded. */
export const roundedEach = (figures: object) =>
  Object.fromEntries(Object.entries(figures).map(([name, value]) => [name, rounded(value)]))

/** One line of the table. */
export interface Row {
  name: string
  ours: string
  baseline?: string
  ratio?: number
  /** What is to be reached: a bound on the ratio (`≥ 0.8`), or, with a unit, on ours (`< 20 ms`). */
  limit?: string
}

export const perSecond = (value: number): string => `${rounded(value).toLocaleString('en')}/s`
export const milliseconds = (value: number): string => `${value.toFixed(1)} ms`
export const microseconds = (value: number): string => `${value.toFixed(1)} µs`
/** Thousands of bytes. */
export const kilobytes = (bytes: number): string => `${(bytes / 1000).toFixed(2)} KB`

/** Whether a line reaches its limit; null where it has none, or could not be measured. */
export function isReached({ ours, ratio, limit }: Row): boolean | null {
  const [, sign, bound, unit] = /^([<>≤≥]) ([\d.]+)(?: (\S+))?$/.exec(limit ?? '') ?? []
  if (!sign) return null
  const [, value] = unit ? (/^([\d.,]+) /.exec(ours) ?? []) : [null, ratio]
  if (value === undefined) return null
  const measured = Number(String(value).replaceAll(',', ''))
  return sign === '<' || sign === '≤' ? measured <= Number(bound) : measured >= Number(bound)
}

const mark = (row: Row): string => ({ true: '✓', false: '✗', null: '' })[`${isReached(row)}`] ?? ''

export function table(rows: Row[]): string {
  const cells = rows.map((row) => [
    row.name,
    row.ours,
    row.baseline ?? '',
    row.ratio?.toFixed(2) ?? '',
    row.limit ?? '',
    mark(row),
  ])
  const all = [['', 'ours', 'baseline', 'ratio', 'to reach', ''], ...cells]
  const widths = [0, 1, 2, 3, 4, 5].map((column) => Math.max(...all.map((row) => row[column]?.length ?? 0)))
  return all
    .map((row) => row.map((cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0))))
    .map((row) => `  ${row.join('   ')}`.trimEnd())
    .join('\n')
}

/** A figure beside its baseline. */
export interface Compared {
  ours: number
  baseline: number
}

/** The line of a rate beside its baseline. */
export const versus = (name: string, { ours, baseline }: Compared): Row => ({
  name,
  ours: perSecond(ours),
  baseline: perSecond(baseline),
  ratio: ours / baseline,
})

/** The same for the line of JSON. */
export const compared = ({ ours, baseline }: Compared) => ({
  ours: rounded(ours),
  baseline: rounded(baseline),
  ratio: rounded(ours / baseline),
})
