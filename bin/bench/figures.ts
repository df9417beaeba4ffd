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

type Unit = '/s' | 'ms' | 'B'

/** One line of the table. */
export interface Row {
  name: string
  /** Null where the system does not provide the figure. */
  value: number | null
  unit: Unit
  /** In the same unit. */
  baseline?: number
  /** For the value if it has a unit, else for the ratio of value to baseline. */
  target?: `${'≤' | '≥'} ${number}${'' | ` ${Unit}`}`
  /** Printed below the line. */
  note?: string
}

/** More digits would suggest a precision that the measurement does not have. */
const rounded = (value: number): number => Number(value.toPrecision(3))

const withUnit = (value: number | null | undefined, unit: Unit): string => {
  if (value === undefined) return ''
  if (value === null || Number.isNaN(value)) return '?'
  if (unit === 'B') return `${rounded(value).toLocaleString('en')} B`
  return unit === '/s' ? `${rounded(value).toLocaleString('en')}/s` : `${value.toFixed(value < 1 ? 3 : 1)} ms`
}

const ratioOf = ({ value, baseline }: Row): number | null => (value === null || !baseline ? null : value / baseline)

/** Whether a line reaches its target; null where it has none or was not measured. */
function isReached(row: Row): boolean | null {
  const [sign, limit, unit] = row.target?.split(' ') ?? []
  const figure = unit ? row.value : ratioOf(row)
  if (!sign || figure === null) return null
  return sign === '≤' ? figure <= Number(limit) : figure >= Number(limit)
}

const cellsOf = (row: Row): string[] => {
  const reached = isReached(row)
  return [
    row.name,
    withUnit(row.value, row.unit),
    withUnit(row.baseline, row.unit),
    ratioOf(row)?.toFixed(2) ?? '',
    row.target ?? '',
    reached === null ? '' : reached ? '✓' : '✗',
  ]
}

export function table(rows: Row[]): string {
  const lines = [['', 'measured', 'baseline', 'ratio', 'target', ''], ...rows.map(cellsOf)]
  const widths = (lines[0] ?? []).map((_, column) => Math.max(...lines.map((cells) => cells[column]?.length ?? 0)))
  const padded = (cell: string, column: number) => cell[column === 0 ? 'padEnd' : 'padStart'](widths[column] ?? 0)
  return lines
    .flatMap((cells, index) => {
      const note = rows[index - 1]?.note
      return [`  ${cells.map(padded).join('   ')}`.trimEnd(), ...(note ? [`    ${note}`] : [])]
    })
    .join('\n')
}
