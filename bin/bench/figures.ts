/** Samples that are taken in turns, and the table of what they show. */

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
 * @returns the samples of each figure of each measurement
 */
export async function inTurns<Name extends string, Figure extends string>(
  rounds: number,
  measurements: Record<Name, (isWarmUp: boolean) => Promise<Record<Figure, number>>>,
): Promise<Record<Name, Record<Figure, number[]>>> {
  const samples = {} as Record<Name, Record<Figure, number[]>>
  for (let round = 0; round <= rounds; round++) {
    for (const name in measurements) {
      const figures = await measurements[name](round === 0)
      if (round === 0) samples[name] = Object.fromEntries(Object.keys(figures).map((figure) => [figure, []])) as never
      else for (const figure in figures) samples[name][figure].push(figures[figure])
    }
  }
  return samples
}

/** One line of the table. */
export interface Row {
  name: string
  unit: 'ms' | 'B' | ''
  /** A sample of each round; NaN where the system does not provide the figure. */
  value: number[]
  baseline?: number[]
  /** The goal: for the ratio of value to baseline if there is one, else for the value. */
  atMost?: number
  /** Printed below the line. */
  note?: string
}

/** More digits would suggest a precision that the measurement does not have. */
export const rounded = (value: number): string =>
  Number.isNaN(value) ? '?' : value.toLocaleString('en', { maximumSignificantDigits: 3 })

/** Compares processor time. @param groups of processes, whose time counts; their shares and the throughput stand in a note */
export function compareCpu<Group extends string>(
  name: string,
  groups: Group[],
  value: Record<Group | 'time', number[]>,
  baseline: typeof value,
  atMost: number,
): Row {
  const total = (of: typeof value): number[] =>
    of.time.map((_, round) => groups.reduce((sum, group) => sum + (of[group][round] ?? Number.NaN), 0))
  const shares = groups.map((group) => `${group} ${rounded(median(value[group]))} ms`).join(', ')
  const [perSecond, other] = [value, baseline].map(({ time }) => rounded(1000 / median(time)))
  const note = `${shares}; ${perSecond}/s, baseline ${other}/s`
  return { name, unit: 'ms', value: total(value), baseline: total(baseline), atMost, note }
}

function cellsOf({ name, unit, value, baseline, atMost }: Row): string[] {
  const shown = (samples?: number[]): string => (samples ? `${rounded(median(samples))} ${unit}`.trim() : '')
  const ratios = baseline && value.map((sample, round) => sample / (baseline[round] ?? Number.NaN))
  const judged = ratios ?? value
  const middle = median(judged)
  const spread = judged.length > 1 ? `${rounded(((Math.max(...judged) - Math.min(...judged)) / middle) * 100)}%` : ''
  const goal = atMost === undefined ? '' : `≤ ${rounded(atMost)} ${ratios ? '' : unit}`.trim()
  const mark = Number.isNaN(middle) || atMost === undefined ? '' : middle <= atMost ? '✓' : '✗'
  return [name, shown(value), shown(baseline), ratios ? middle.toFixed(2) : '', spread, goal, mark]
}

export function table(rows: Row[]): string {
  const lines = [['', 'measured', 'baseline', 'ratio', 'spread', 'goal', ''], ...rows.map(cellsOf)]
  const widths = (lines[0] ?? []).map((_, column) => Math.max(...lines.map((cells) => cells[column]?.length ?? 0)))
  const padded = (cell: string, column: number) => cell[column === 0 ? 'padEnd' : 'padStart'](widths[column] ?? 0)
  const notes = ['', ...rows.map(({ note }) => (note ? `\n    ${note}` : ''))]
  return lines.map((cells, index) => `  ${cells.map(padded).join('   ')}`.trimEnd() + notes[index]).join('\n')
}
