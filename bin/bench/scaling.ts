/** What more workers are worth where receivers are slow and each worker has a limited number of requests in flight. */
import { type Compared, compared, median, versus } from './figures.ts'
import { flood, makeHooks, receiverAt } from './flood.ts'
import type { Part } from './part.ts'
import { startProcess } from './processes.ts'
import { idle, type Stage, workersReady } from './stage.ts'

const WORKERS = 4
const HOOKS = 100
const ANSWER_MS = 50
const IN_FLIGHT = 60
/** Dispatches for each worker, so that a flood takes as long however many serve it. */
const countOf = (quick: boolean): number => (quick ? 500 : 8_000)
const roundsOf = (quick: boolean): number => (quick ? 1 : 3)

async function measureScaling(stage: Stage, count: number, rounds: number): Promise<Compared> {
  const { sql } = stage
  await using receiving = startProcess('bin/bench/receiver.ts', { ...stage.environment, RECEIVER_DELAY_MS: String(ANSWER_MS) })
  const receiver = receiverAt(await receiving.firstLine)
  const target = await makeHooks(stage, receiver.url, HOOKS)
  const limited = {
    ...stage.environment,
    DELIVERY_IN_FLIGHT: String(IN_FLIGHT),
    // With the defaults, so many workers would take all of the server's connections.
    WORKER_CONCURRENCY: '4',
    DATABASE_POOL: '6',
  }

  async function rateOf(workers: number): Promise<number> {
    await using running = new AsyncDisposableStack()
    for (let each = 0; each < workers; each++) running.use(startProcess('worker/main.ts', limited))
    await workersReady(sql, workers)
    // A process that has just begun compiles what it does most, and is slower meanwhile.
    await flood(stage, receiver, target, Math.ceil(count / 4) * workers)
    const rate = await flood(stage, receiver, target, count * workers)
    await idle(sql)
    return rate
  }

  return await stage.withoutWorker(async () => {
    const one: number[] = []
    const many: number[] = []
    for (let round = 0; round < rounds; round++) {
      one.push(await rateOf(1))
      many.push(await rateOf(WORKERS))
    }
    return { ours: median(many), baseline: WORKERS * median(one) }
  })
}

export const scaling: Part = {
  name: 'scaling',
  conditions: (quick) =>
    `scaling   ${HOOKS} hooks whose receiver answers after ${ANSWER_MS} ms; each worker has at most ${IN_FLIGHT} requests in flight (DELIVERY_IN_FLIGHT). ${WORKERS} workers; baseline: ${WORKERS} times what one does. In turns, median of ${roundsOf(quick)}.`,
  async run(stage, quick) {
    const figures = await measureScaling(stage, countOf(quick), roundsOf(quick))
    return {
      rows: [{ ...versus(`dispatches, ${WORKERS} workers to linear`, figures), limit: '≥ 0.85' }],
      figures: { four_workers_per_second: compared(figures) },
    }
  },
}
