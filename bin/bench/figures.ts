/** Statistics of samples, and the table of results. */

/** The value that the given share of the samples does not exceed. */
export function percentile(samples: number[], share: number): number {
  const sorted = samples.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

export const median = (samples: number[]): number => percentile(samples, 0.5)

/**
 * Takes several measurements in turns, so that other load on the machine affects all of them alike. The first round
 * warms up and does not count.
 *
 * @returns the median of each measurement
 */
export async function medians<Name extends string>(
  rounds: number,
  measurements: Record<Name, (isWarmUp: boolean) => Promise<number>>,
): Promise<Record<Name, number>> {
  const named = Object.entries(measurements) as [Name, (isWarmUp: boolean) => Promise<number>][]
  const samples = new Map<Name, number[]>(named.map(([name]) => [name, []]))
  for (let round = 0; round <= rounds; round++) {
    for (const [name, measure] of named) {
      const value = await measure(round === 0)
      if (round > 0) samples.get(name)?.push(value)
    }
  }
  return Object.fromEntries(named.map(([name]) => [name, median(samples.get(name) ?? [])])) as Record<Name, number>
}

/** One line of the table. */
export interface Row {
  name: string
  /** Null where the system does not provide the figure. */
  value: number | null
  unit: '/s' | 'ms' | 'MiB'
  /** In the same unit. */
  baseline?: number
  /** The highest value that is accepted. */
  atMost?: number
  /** The lowest accepted ratio of value to baseline. */
  ratioAtLeast?: number
  /** The highest accepted ratio of value to baseline. */
  ratioAtMost?: number
  /** Printed below the line. */
  note?: string
}

/** More than three digits would suggest a precision that the measurement does not have. */
export const rounded = (value: number): number => Number(value.toPrecision(3))

const withUnit = (value: number | null | undefined, unit: Row['unit']): string => {
  if (value === undefined) return ''
  if (value === null) return '?'
  if (unit === '/s') return `${rounded(value).toLocaleString('en')}/s`
  return unit === 'ms' ? `${value.toFixed(value < 1 ? 3 : 1)} ms` : `${value} MiB`
}

export const ratioOf = ({ value, baseline }: Row): number | null =>
  value === null || baseline === undefined ? null : value / baseline

/** Whether a line reaches its target; null where it has none or was not measured. */
export function isReached(row: Row): boolean | null {
  const ratio = ratioOf(row)
  if (row.atMost !== undefined && row.value !== null) return row.value <= row.atMost
  if (ratio === null) return null
  if (row.ratioAtMost !== undefined) return ratio <= row.ratioAtMost
  return row.ratioAtLeast === undefined ? null : ratio >= row.ratioAtLeast
}

function cellsOf(row: Row): string[] {
  const target =
    row.atMost !== undefined
      ? `≤ ${row.atMost} ${row.unit}`
      : row.ratioAtMost
        ? `≤ ${row.ratioAtMost}`
        : row.ratioAtLeast
          ? `≥ ${row.ratioAtLeast}`
          : ''
  const reached = isReached(row)
  return [
    row.name,
    withUnit(row.value, row.unit),
    withUnit(row.baseline, row.unit),
    ratioOf(row)?.toFixed(2) ?? '',
    target,
    reached === null ? '' : reached ? '✓' : '✗',
  ]
}

export function table(rows: Row[]): string {
  const header = ['', 'measured', 'baseline', 'ratio', 'target', '']
  const lines = [{ cells: header, note: undefined }, ...rows.map((row) => ({ cells: cellsOf(row), note: row.note }))]
  const widths = header.map((_, column) => Math.max(...lines.map(({ cells }) => cells[column]?.length ?? 0)))
  return lines
    .flatMap(({ cells, note }) => {
      const padded = cells.map((cell, column) =>
        column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0),
      )
      return [`  ${padded.join('   ')}`.trimEnd(), ...(note ? [`    ${note}`] : [])]
    })
    .join('\n')
}
