/** What one dispatch costs PostgreSQL, from making it to its record: time and WAL. */
import { connect } from '../../sql/index.ts'
import { cpuOf, postmasterOf } from './cpu.ts'
import { kilobytes, microseconds, type Row, rounded } from './figures.ts'
import { countOf, floodFromEvents, makeHooks, receiverAt, roundsOf } from './flood.ts'
import type { Part } from './part.ts'
import { startProcess } from './processes.ts'
import { setStage, tidy } from './stage.ts'
import {
  type Cost,
  MEASURING,
  readStatements,
  resetStatements,
  STEPS,
  type StatementCost,
  type Step,
  sumOf,
  UNMEASURED,
} from './statements.ts'

const LIMIT_US = 80
const LIMIT_KB = 1.6
const SHOWN_STATEMENTS = 10
const SHOWN_CHARACTERS = 120

/** One flood. Costs are of one dispatch. */
interface Measurement {
  statements: StatementCost[]
  /** From making a dispatch to its record: everything but draining its event. */
  total: Cost
  /** Microseconds of processor time of the whole server; not a number where the system does not say. */
  cpu_us: number
}

async function measureCost(count: number, rounds: number): Promise<Measurement> {
  await using started = new AsyncDisposableStack()
  const loud = await setStage(started, MEASURING)
  const sql = connect(loud.environment.DATABASE_URL ?? '', 'signalbox bench', 2, UNMEASURED)
  started.defer(() => sql.end())
  const stage = { ...loud, sql }
  await sql`create extension pg_stat_statements`
  const receiving = started.use(startProcess('bin/bench/receiver.ts', stage.environment))
  const receiver = receiverAt(await receiving.firstLine)
  const target = await makeHooks(stage, receiver.url)
  const postmaster = await postmasterOf(sql)

  const measured: Measurement[] = []
  for (let round = 0; round <= rounds; round++) {
    // The first round warms up, and writes most of the pages whose first change would be in the WAL as a whole.
    const size = round === 0 ? Math.ceil(count / 4) : count
    await tidy(sql)
    let before = 0
    await floodFromEvents(stage, receiver, target, size, async () => {
      await resetStatements(sql)
      before = await cpuOf([postmaster], 'with children')
    })
    const cpu = (await cpuOf([postmaster], 'with children')) - before
    const statements = (await readStatements(sql)).map((each) => ({
      ...each,
      us: each.us / size,
      wal_bytes: each.wal_bytes / size,
    }))
    const total = sumOf(statements.filter(({ step }) => step !== 'draining'))
    if (round > 0) measured.push({ statements, total, cpu_us: (cpu / size) * 1e6 })
  }
  measured.sort((a, b) => a.total.us - b.total.us)
  return measured[Math.floor(measured.length / 2)] as Measurement
}

const NAMES: Record<Step, string> = {
  draining: 'draining its event (not in the sum)',
  making: 'making it',
  fetching: 'fetching it',
  recording: 'recording its attempt',
  other: 'other statements of the worker',
}

export const cost: Part = {
  name: 'cost',
  // What the worker does anyway weighs too much beside few dispatches.
  thorough: true,
  conditions: (quick) =>
    [
      `cost      ${countOf(quick).toLocaleString('en')} events of one commit, each for one of 20 hooks, from their drain to the last record, on a server of its own with pg_stat_statements; the median of ${roundsOf(quick)}.`,
      '          Time is planning and execution, by the clock: it grows when others use the cores. The processor time is that of the whole server, with commits and vacuum.',
      "          WAL is that of the statements (wal_bytes). No checkpoint runs meanwhile, so that there are next to no full-page images. The bench's own statements do not count.",
    ].join('\n'),
  async run(_, quick) {
    const { statements, total, cpu_us } = await measureCost(countOf(quick), roundsOf(quick))
    const steps = STEPS.map((step) => ({ step, ...sumOf(statements.filter((each) => each.step === step)) }))
    const rows: Row[] = [
      { name: "PostgreSQL's time per dispatch", ours: microseconds(total.us), limit: `≤ ${LIMIT_US} µs` },
      { name: 'WAL per dispatch', ours: kilobytes(total.wal_bytes), limit: `≤ ${LIMIT_KB} KB` },
      ...steps.map(({ step, us, wal_bytes }) => ({
        name: `  ${NAMES[step]}`,
        ours: microseconds(us),
        baseline: kilobytes(wal_bytes),
      })),
      { name: "PostgreSQL's processor time per dispatch", ours: microseconds(cpu_us) },
    ]
    const shown = statements.slice(0, SHOWN_STATEMENTS).map(({ step, us, wal_bytes, calls, query }) => ({
      step,
      us: rounded(us),
      wal_bytes: rounded(wal_bytes),
      calls,
      query: query.replaceAll(/\s+/g, ' ').slice(0, SHOWN_CHARACTERS),
    }))
    const figures = {
      us: rounded(total.us),
      wal_bytes: rounded(total.wal_bytes),
      processor_us: rounded(cpu_us),
      steps: Object.fromEntries(
        steps.map(({ step, us, wal_bytes }) => [step, { us: rounded(us), wal_bytes: rounded(wal_bytes) }]),
      ),
      statements: shown,
    }
    return { rows, figures: { dispatch_cost: figures } }
  },
}
