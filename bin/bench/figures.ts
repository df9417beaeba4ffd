/** Statistics of samples, measurements in turns, and the table of results. */

/** The value that the given share of the samples does not exceed. */
export function percentile(samples: number[], share: number): number {
  const sorted = samples.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

export const median = (samples: number[]): number => percentile(samples, 0.5)

/** One figure, or several. */
type Sample = number | { [figure: string]: number }

/**
 * Takes several measurements in turns, so that other load on the machine affects all of them alike. The first round
 * warms up and does not count.
 *
 * @returns the median of each measurement; if it has several figures, of each of them
 */
export async function medians<Taken extends Record<string, Sample>>(
  rounds: number,
  measurements: { [Name in keyof Taken]: (isWarmUp: boolean) => Promise<Taken[Name]> },
): Promise<Taken> {
  const samples: Record<string, Sample[]> = {}
  for (let round = 0; round <= rounds; round++) {
    for (const [name, measure] of Object.entries(measurements)) {
      const sample = await measure(round === 0)
      if (round > 0) samples[name] = [...(samples[name] ?? []), sample]
    }
  }
  return Object.fromEntries(Object.entries(samples).map(([name, taken]) => [name, middle(taken)])) as Taken
}

function middle(samples: Sample[]): Sample {
  if (typeof samples[0] === 'number') return median(samples as number[])
  const several = samples as Record<string, number>[]
  const names = Object.keys(several[0] ?? {})
  return Object.fromEntries(names.map((name) => [name, median(several.map((sample) => sample[name] ?? Number.NaN))]))
}

/** Milliseconds that some work takes. */
export async function timeOf(run: () => Promise<unknown>): Promise<number> {
  const begun = performance.now()
  await run()
  return performance.now() - begun
}

/** How often in a second some work does what it does `count` times. */
export const rateOf = async (count: number, work: () => Promise<unknown>): Promise<number> =>
  (count * 1000) / (await timeOf(work))

/** Milliseconds of each of some runs. @param prepare what comes before each, and is not measured */
export async function times<Input>(
  count: number,
  prepare: (turn: number) => Promise<Input>,
  run: (input: Input) => Promise<unknown>,
) {
  const samples: number[] = []
  while (samples.length < count) {
    const input = await prepare(samples.length)
    samples.push(await timeOf(() => run(input)))
  }
  return samples
}

/** Long enough for the record of a dispatch and the release of its lane, so that these do not overlap with the next one. */
const PAUSE_MS = 100
/** Changes before those that are measured. */
export const WARM_UP = 10

/**
 * Milliseconds from the answer to a change, just after its commit, to an effect of it.
 *
 * @param prepare what makes the change, and when its effect was seen by `performance.now()`
 */
export async function delays(count: number, prepare: () => Promise<{ change: () => Promise<unknown>; seen: Promise<number> }>) {
  const samples: number[] = []
  for (let turn = -WARM_UP; turn < count; turn++) {
    const { change, seen } = await prepare()
    await Bun.sleep(PAUSE_MS)
    await change()
    const committed = performance.now()
    const ms = (await seen) - committed
    if (turn >= 0) samples.push(Math.max(0, ms))
  }
  return samples
}

type Unit = '/s' | 'ms' | 'B'

/** One line of the table. */
export interface Row {
  name: string
  unit: Unit
  /** NaN where the system does not provide the figure. */
  value: number
  /** In the same unit. */
  baseline?: number
  /** For the value if it has a unit, else for the ratio of value to baseline. */
  target?: `${'≤' | '≥'} ${number}${'' | ` ${Unit}`}`
  /** Printed below the line. */
  note?: string
}

const rowIn =
  (unit: Unit) =>
  (name: string, figure: number | Pick<Row, 'value' | 'baseline'>, target?: Row['target'], note?: string): Row => {
    const { value, baseline } = typeof figure === 'number' ? { value: figure } : figure
    return { name, unit, value, baseline, target, note }
  }
export const [perSecond, ms, bytes] = [rowIn('/s'), rowIn('ms'), rowIn('B')]

function withUnit(value: number, unit: Unit): string {
  if (Number.isNaN(value)) return '?'
  // More digits would suggest a precision that the measurement does not have.
  const rounded = Number(value.toPrecision(3)).toLocaleString('en')
  return unit === 'ms' ? `${value.toFixed(value < 1 ? 3 : 1)} ms` : `${rounded}${unit === 'B' ? ' B' : unit}`
}

function cellsOf({ name, unit, value, baseline, target }: Row): string[] {
  const ratio = baseline ? (value / baseline).toFixed(2) : ''
  const [sign, limit, unitOfTarget] = target?.split(' ') ?? []
  const figure = unitOfTarget ? value : value / (baseline ?? Number.NaN)
  const isReached = sign === '≤' ? figure <= Number(limit) : figure >= Number(limit)
  const mark = Number.isNaN(figure) || !target ? '' : isReached ? '✓' : '✗'
  return [name, withUnit(value, unit), baseline === undefined ? '' : withUnit(baseline, unit), ratio, target ?? '', mark]
}

export function table(rows: Row[]): string {
  const lines = [['', 'measured', 'baseline', 'ratio', 'target', ''], ...rows.map(cellsOf)]
  const widths = (lines[0] ?? []).map((_, column) => Math.max(...lines.map((cells) => cells[column]?.length ?? 0)))
  const padded = (cell: string, column: number) => cell[column === 0 ? 'padEnd' : 'padStart'](widths[column] ?? 0)
  const notes = ['', ...rows.map(({ note }) => (note ? `\n    ${note}` : ''))]
  return lines.map((cells, index) => `  ${cells.map(padded).join('   ')}`.trimEnd() + notes[index]).join('\n')
}
