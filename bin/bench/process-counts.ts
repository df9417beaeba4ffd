/** What more processes add on one PostgreSQL, and how much processor time API, worker and PostgreSQL use. */
import { costOf, cpuOf, machineCpu, postmasterOf } from './cpu.ts'
import { perSecond, type Row } from './figures.ts'
import { type Flood, openFlood } from './flood.ts'
import { IN_FLIGHT, runLoad, type Workload } from './load.ts'
import { type Process, startProcess } from './processes.ts'
import { startReceiver } from './receiver.ts'
import { createWorkloads, sentTo } from './requests.ts'
import { type Api, type Part, type Stage, settle, startApi, untilWorkersReady, withoutWorker } from './stage.ts'

const API_COUNTS = [1, 2, 3]
const WORKER_COUNTS = [1, 2, 4]
/** With the defaults, four workers would use every connection of the server. */
const FEW_CONNECTIONS = { WORKER_CONCURRENCY: '4' }
const SLOW = { hooks: 100, answerMs: 50, settings: { DELIVERY_IN_FLIGHT: '60' } }

/** Runs `measure`, and describes the processor time that it needed, in cores. */
async function observed(stage: Stage, apis: Api[], workers: Process[], measure: () => Promise<number>) {
  await settle(stage.sql)
  const usage = async () => ({
    API: await cpuOf(apis.map(({ process }) => process.pid)),
    worker: await cpuOf(workers.map(({ pid }) => pid)),
    PostgreSQL: await cpuOf([await postmasterOf(stage.sql)]),
    machine: (await machineCpu()).busy,
  })
  const [before, begun] = [await usage(), performance.now()]
  const value = await measure()
  const seconds = (performance.now() - begun) / 1000
  const after = Object.entries(await usage()) as [keyof typeof before, number][]
  const cores = after.map(([name, used]) => `${name} ${((used - before[name]) / seconds).toFixed(2)}`)
  return { value, note: `${cores.join(', ')} cores` }
}

/** Reads and writes, with one client for each API. */
async function measureApis(stage: Stage, seconds: number): Promise<Row[]> {
  await using started = new AsyncDisposableStack()
  const apis: Api[] = [stage]
  const { read, write } = await createWorkloads(stage.url)
  const send = async (workload: Workload, time: number): Promise<number> => {
    const loads = await Promise.all(apis.map(({ url }) => runLoad(sentTo(url, workload), time)))
    return loads.reduce((sum, load) => sum + load.requests / load.seconds, 0)
  }
  const rows: Row[] = []
  for (const count of API_COUNTS) {
    while (apis.length < count) apis.push(await startApi(stage.environment, started))
    for (const [index, workload] of [read, write].entries()) {
      // A new process is slower until its code is compiled.
      await send(workload, 1)
      const { value, note } = await observed(stage, apis, [stage.worker], () => send(workload, seconds))
      const baseline = rows[index]?.value ?? value
      rows.push(perSecond(`${index ? 'audited write' : 'authorized read'}, ${count} API`, value, { note, baseline }))
    }
  }
  return rows
}

/** Floods, with several numbers of workers, which are the only ones. @param count dispatches of a flood */
async function measureWorkers(stage: Stage, kind: string, flood: Flood, count: (workers: number) => number, settings = {}) {
  await using started = new AsyncDisposableStack()
  const environment = { ...stage.environment, ...FEW_CONNECTIONS, ...settings }
  const workers: Process[] = []
  const rows: Row[] = []
  const deliver = async (dispatches: number): Promise<number> => {
    await flood.prepare(dispatches)
    return (await costOf(stage, dispatches, () => flood.deliver(dispatches))).perSecond
  }
  for (const number of WORKER_COUNTS) {
    while (workers.length < number) workers.push(started.use(startProcess('worker/main.ts', environment)))
    await untilWorkersReady(stage.sql, number)
    // A new process is slower until its code is compiled.
    await deliver(count(number) / 4)
    const { value, note } = await observed(stage, [stage], workers, () => deliver(count(number)))
    const one = rows[0]?.value ?? value
    const ofFast = { baseline: one, ...(number === 2 && { target: '≥ 0.95' as const }) }
    const goal = kind === 'slow' ? { baseline: number * one, target: '≥ 0.85' as const } : ofFast
    rows.push(perSecond(`dispatch to ${kind} receivers, ${number} worker${number === 1 ? '' : 's'}`, value, { note, ...goal }))
  }
  return rows
}

export const part: Part = {
  about: `reads and writes as in \`requests\` for 8 s, one client with ${IN_FLIGHT} in flight for each API; then floods of 20,000 dispatches to 20 hooks that answer at once, with WORKER_CONCURRENCY=${FEW_CONNECTIONS.WORKER_CONCURRENCY}. Baseline: one process.
Then floods of 8,000 dispatches for each worker to ${SLOW.hooks} hooks that answer after ${SLOW.answerMs} ms, with DELIVERY_IN_FLIGHT=${SLOW.settings.DELIVERY_IN_FLIGHT}. Baseline: as many times one worker.
Processor time is in cores; \`machine\` includes clients, receiver and everything else on the machine.`,
  async run(stage) {
    const { quick } = stage
    const apis = await measureApis(stage, quick ? 2 : 8)
    await using fast = await openFlood(stage)
    await using slow = await openFlood(stage, SLOW.hooks, startReceiver(SLOW.answerMs))
    return await withoutWorker(stage, async () => {
      const toFast = await measureWorkers(stage, 'fast', fast, () => (quick ? 2_000 : 20_000))
      const toSlow = await measureWorkers(stage, 'slow', slow, (workers) => (quick ? 400 : 8_000) * workers, SLOW.settings)
      return [...apis, ...toFast, ...toSlow]
    })
  },
}
