/** What more processes add on one PostgreSQL, and how much processor time API, worker and PostgreSQL use. */
import { machineCpu, observe, postmasterOf } from './cpu.ts'
import { perSecond, type Row, rateOf } from './figures.ts'
import { type Flood, HOOKS, openFlood } from './flood.ts'
import { IN_FLIGHT, runLoad, type Workload } from './load.ts'
import { type Environment, type Process, startProcess } from './processes.ts'
import { startReceiver } from './receiver.ts'
import { createWorkloads, sentTo } from './requests.ts'
import { type Api, type Part, type Stage, settle, startApi, untilWorkersReady, withWorker } from './stage.ts'

const API_COUNTS = [1, 2, 3]
const WORKER_COUNTS = [1, 2, 4]
/** With the defaults, four workers would use every connection of the server. */
const FEW_CONNECTIONS = { WORKER_CONCURRENCY: '4' }
const SLOW = { hooks: 100, answerMs: 50, settings: { ...FEW_CONNECTIONS, DELIVERY_IN_FLIGHT: '60' } }

/** Runs `measure`, and describes the processor time that it needed, in cores. */
async function observed(stage: Stage, apis: Api[], workers: Process[], measure: () => Promise<number>) {
  await settle(stage.sql)
  const [API, worker] = [apis.map(({ process }) => process.pid), workers.map(({ pid }) => pid)]
  const groups = { API, worker, PostgreSQL: [await postmasterOf(stage.sql)] }
  const before = await machineCpu()
  const { result: value, seconds, cpu } = await observe(groups, measure)
  const used = Object.entries({ ...cpu, machine: (await machineCpu()).busy - before.busy })
  return { value, note: `${used.map(([name, time]) => `${name} ${(time / seconds).toFixed(2)}`).join(', ')} cores` }
}

/** Reads and writes, with one client for each API. */
async function measureApis(stage: Stage, seconds: number): Promise<Row[]> {
  await using started = new AsyncDisposableStack()
  const apis: Api[] = [stage]
  const workloads = Object.entries(await createWorkloads(stage.url))
  const send = async (workload: Workload, time: number): Promise<number> => {
    const loads = await Promise.all(apis.map(({ url }) => runLoad(sentTo(url, workload), time)))
    return loads.reduce((sum, load) => sum + load.requests / load.seconds, 0)
  }
  const rows: Row[] = []
  for (const count of API_COUNTS) {
    while (apis.length < count) apis.push(await startApi(stage.environment, started))
    for (const [index, [name, workload]] of workloads.entries()) {
      // A new process is slower until its code is compiled.
      await send(workload, 1)
      const { value, note } = await observed(stage, apis, [stage.worker], () => send(workload, seconds))
      const figure = { value, baseline: rows[index]?.value ?? value }
      rows.push(perSecond(`${name === 'read' ? 'authorized read' : 'audited write'}, ${count} API`, figure, undefined, note))
    }
  }
  return rows
}

/** Floods, with several numbers of workers, which are the only ones. @param count dispatches of a flood */
const measureWorkers = (stage: Stage, kind: string, flood: Flood, count: (workers: number) => number, settings: Environment) =>
  withWorker(stage, settings, async () => {
    await using started = new AsyncDisposableStack()
    const workers = [stage.worker]
    const rows: Row[] = []
    const deliver = async (dispatches: number): Promise<number> => {
      await flood.prepare(dispatches)
      return rateOf(dispatches, () => flood.deliver(dispatches))
    }
    for (const number of WORKER_COUNTS) {
      const environment = { ...stage.environment, ...settings }
      while (workers.length < number) workers.push(started.use(startProcess('worker/main.ts', environment)))
      await untilWorkersReady(stage.sql, number)
      // A new process is slower until its code is compiled.
      await deliver(count(number) / 4)
      const { value, note } = await observed(stage, [stage], workers, () => deliver(count(number)))
      const one = rows[0]?.value ?? value
      const name = `dispatch to ${kind} receivers, ${number} worker${number === 1 ? '' : 's'}`
      if (kind === 'slow') rows.push(perSecond(name, { value, baseline: number * one }, '≥ 0.85', note))
      else rows.push(perSecond(name, { value, baseline: one }, number === 2 ? '≥ 0.95' : undefined, note))
    }
    return rows
  })

export const part: Part = {
  about: `reads and writes as in \`requests\` for 8 s, one client with ${IN_FLIGHT} in flight for each API; then floods of 20,000 dispatches to ${HOOKS} hooks that answer at once, with WORKER_CONCURRENCY=${FEW_CONNECTIONS.WORKER_CONCURRENCY}. Baseline: one process.
Then floods of 8,000 dispatches for each worker to ${SLOW.hooks} hooks that answer after ${SLOW.answerMs} ms, with DELIVERY_IN_FLIGHT=${SLOW.settings.DELIVERY_IN_FLIGHT}. Baseline: as many times one worker.
Processor time is in cores; \`machine\` includes clients, receiver and everything else on the machine.`,
  async run(stage) {
    const { quick } = stage
    const apis = await measureApis(stage, quick ? 2 : 8)
    await using fast = await openFlood(stage)
    await using slow = await openFlood(stage, startReceiver(SLOW.answerMs), Array(SLOW.hooks).fill(stage))
    const toFast = await measureWorkers(stage, 'fast', fast, () => (quick ? 2_000 : 20_000), FEW_CONNECTIONS)
    const toSlow = await measureWorkers(stage, 'slow', slow, (workers) => (quick ? 400 : 8_000) * workers, SLOW.settings)
    return [...apis, ...toFast, ...toSlow]
  },
}
