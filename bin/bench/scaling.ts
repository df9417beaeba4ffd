/** What more workers add where receivers are slow and each worker has a limited number of requests in flight. */
import { medians } from './figures.ts'
import { createHooks, flood, roundsIn, startReceiver } from './flood.ts'
import type { Part } from './part.ts'
import { startProcess } from './processes.ts'
import { type Stage, untilIdle, untilWorkersReady, withoutWorker } from './stage.ts'

const WORKERS = 4
const HOOKS = 100
const ANSWER_MS = 50
const IN_FLIGHT = 60
/** For each worker, so that a flood takes equally long with any number of workers. */
const dispatchesPerWorker = (quick: boolean): number => (quick ? 500 : 8_000)

async function measure(stage: Stage, quick: boolean): Promise<{ one: number; many: number }> {
  const { sql } = stage
  await using started = new AsyncDisposableStack()
  const receiver = started.use(await startReceiver(stage.environment, ANSWER_MS))
  const target = await createHooks(stage, receiver.url, HOOKS)
  const count = dispatchesPerWorker(quick)
  const limited = {
    ...stage.environment,
    DELIVERY_IN_FLIGHT: String(IN_FLIGHT),
    // With the defaults, four workers would use every connection of the server.
    WORKER_CONCURRENCY: '4',
    DATABASE_POOL: '6',
  }

  async function rateOf(workers: number): Promise<number> {
    await using running = new AsyncDisposableStack()
    for (let each = 0; each < workers; each++) running.use(startProcess('worker/main.ts', limited))
    await untilWorkersReady(sql, workers)
    // A new process is slower until its code is compiled.
    await flood(stage, receiver, target, Math.ceil(count / 4) * workers)
    const rate = await flood(stage, receiver, target, count * workers)
    await untilIdle(sql)
    return rate
  }

  return await withoutWorker(stage, () => medians(roundsIn(quick), { one: () => rateOf(1), many: () => rateOf(WORKERS) }))
}

export const scaling: Part = {
  name: 'scaling',
  describe: (quick) =>
    `scaling     ${HOOKS} hooks whose receiver answers after ${ANSWER_MS} ms, with DELIVERY_IN_FLIGHT=${IN_FLIGHT}; ${WORKERS} workers; baseline: ${WORKERS} times the rate of one. In turns, median of ${roundsIn(quick)}.`,
  async run(stage, quick) {
    const { one, many } = await measure(stage, quick)
    return [
      { name: `dispatches, ${WORKERS} workers, to linear`, value: many, unit: '/s', baseline: WORKERS * one, ratioAtLeast: 0.85 },
    ]
  },
}
