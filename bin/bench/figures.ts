/** Statistics of samples, measurements in turns, and the table of results. */

/** The value that the given share of the samples does not exceed. */
export function percentile(samples: number[], share: number): number {
  const sorted = samples.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

export const median = (samples: number[]): number => percentile(samples, 0.5)

type Measurements<Name extends string, Sample> = Record<Name, (isWarmUp: boolean) => Promise<Sample>>

/**
 * Takes several measurements in turns, so that other load on the machine affects all of them alike. The first round
 * warms up and does not count.
 */
export async function inTurns<Name extends string, Sample>(rounds: number, measurements: Measurements<Name, Sample>) {
  const named = Object.entries(measurements) as [Name, (isWarmUp: boolean) => Promise<Sample>][]
  const samples = Object.fromEntries(named.map(([name]) => [name, []])) as unknown as Record<Name, Sample[]>
  for (let round = 0; round <= rounds; round++) {
    for (const [name, measure] of named) {
      const sample = await measure(round === 0)
      if (round > 0) samples[name].push(sample)
    }
  }
  return samples
}

/** The median of each measurement. */
export async function medians<Name extends string>(rounds: number, measurements: Measurements<Name, number>) {
  const samples = Object.entries<number[]>(await inTurns(rounds, measurements))
  return Object.fromEntries(samples.map(([name, each]) => [name, median(each)])) as Record<Name, number>
}

/** Milliseconds that some work takes. */
export async function timeOf(run: () => Promise<unknown>): Promise<number> {
  const begun = performance.now()
  await run()
  return performance.now() - begun
}

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

const rowIn =
  (unit: Unit) =>
  (name: string, value: number | null, rest: Pick<Row, 'baseline' | 'target' | 'note'> = {}): Row => ({
    name,
    value,
    unit,
    ...rest,
  })
export const [perSecond, ms, bytes] = [rowIn('/s'), rowIn('ms'), rowIn('B')]

function withUnit(value: number | null | undefined, unit: Unit): string {
  if (value === undefined) return ''
  if (value === null || Number.isNaN(value)) return '?'
  // More digits would suggest a precision that the measurement does not have.
  const rounded = Number(value.toPrecision(3)).toLocaleString('en')
  return unit === 'ms' ? `${value.toFixed(value < 1 ? 3 : 1)} ms` : `${rounded}${unit === 'B' ? ' B' : unit}`
}

function cellsOf({ name, value, unit, baseline, target }: Row): string[] {
  const ratio = value === null || !baseline ? null : value / baseline
  const [sign, limit, unitOfTarget] = target?.split(' ') ?? []
  const figure = unitOfTarget ? value : ratio
  const isReached = sign === '≤' ? Number(figure) <= Number(limit) : Number(figure) >= Number(limit)
  const mark = figure === null || !target ? '' : isReached ? '✓' : '✗'
  return [name, withUnit(value, unit), withUnit(baseline, unit), ratio?.toFixed(2) ?? '', target ?? '', mark]
}

export function table(rows: Row[]): string {
  const lines = [['', 'measured', 'baseline', 'ratio', 'target', ''], ...rows.map(cellsOf)]
  const widths = (lines[0] ?? []).map((_, column) => Math.max(...lines.map((cells) => cells[column]?.length ?? 0)))
  const padded = (cell: string, column: number) => cell[column === 0 ? 'padEnd' : 'padStart'](widths[column] ?? 0)
  const notes = ['', ...rows.map(({ note }) => (note ? `\n    ${note}` : ''))]
  return lines.map((cells, index) => `  ${cells.map(padded).join('   ')}`.trimEnd() + notes[index]).join('\n')
}
