/** What more processes add on one PostgreSQL, and how much processor time API, worker and PostgreSQL use. */
import type { Sql } from '../../sql/index.ts'
import { isReady } from '../support/own-signalbox.ts'
import { freePort } from '../support/ports.ts'
import { cpuOf, cpuOfTree, machineCpu, postmasterOf } from './cpu.ts'
import { type Row, rounded } from './figures.ts'
import { createHooks, flood, startReceiver } from './flood.ts'
import type { Part } from './part.ts'
import { type Process, startProcess } from './processes.ts'
import { IN_FLIGHT, sendLoad, type Workload, workloads } from './requests.ts'
import { type Stage, settle, until, untilWorkersReady } from './stage.ts'

const API_COUNTS = [1, 2, 3]
const WORKER_COUNTS = [1, 2, 4]

const scaleOf = (quick: boolean) => (quick ? { seconds: 2, dispatches: 2_000 } : { seconds: 8, dispatches: 20_000 })

/** The measured processes. */
interface Running {
  apis: { url: string; process: Process }[]
  workers: Process[]
}

async function connectionsTo(sql: Sql): Promise<number> {
  const [{ count }] = await sql<[{ count: number }]>`
    select count(*) as count
    from pg_stat_activity
    where datname = current_database()
      and application_name not in ('signalbox bench', '')
  `
  return count
}

/** Totals since the processes started. */
async function usage({ sql }: Stage, { apis, workers }: Running) {
  const [{ commits }] = await sql<[{ commits: number }]>`
    select xact_commit as commits from pg_stat_database where datname = current_database()
  `
  return {
    API: await cpuOf(...apis.map(({ process }) => process.pid)),
    worker: await cpuOf(...workers.map(({ pid }) => pid)),
    PostgreSQL: await cpuOfTree(await postmasterOf(sql)),
    machine: (await machineCpu()).busy,
    commits,
  }
}

/** Runs `measure`, and describes the processor time (in cores), commits and connections that it needed. */
async function observed(stage: Stage, running: Running, measure: () => Promise<number>): Promise<{ rate: number; note: string }> {
  await settle(stage.sql)
  const before = await usage(stage, running)
  const begun = performance.now()
  let connections = 0
  const timer = setInterval(async () => {
    connections = Math.max(connections, await connectionsTo(stage.sql))
  }, 200)
  const rate = await measure().finally(() => clearInterval(timer))
  const seconds = (performance.now() - begun) / 1000
  const after = await usage(stage, running)
  const perSecond = (name: keyof typeof after): number => (after[name] - before[name]) / seconds
  const cores = (['API', 'worker', 'PostgreSQL', 'machine'] as const).map((name) => `${name} ${perSecond(name).toFixed(2)}`)
  return { rate, note: `${cores.join(', ')} cores; ${rounded(perSecond('commits'))}/s commits; ${connections} connections` }
}

async function measure(stage: Stage, { seconds, dispatches }: ReturnType<typeof scaleOf>): Promise<Row[]> {
  const { environment, sql } = stage
  await using started = new AsyncDisposableStack()
  const running: Running = { apis: [{ url: stage.url, process: stage.web }], workers: [stage.worker] }
  const rows: Row[] = []
  const baselines = new Map<string, number>()
  const add = async (what: string, count: string, run: () => Promise<number>) => {
    const { rate, note } = await observed(stage, running, run)
    const baseline = baselines.get(what) ?? rate
    baselines.set(what, baseline)
    rows.push({ name: `${what}, ${count}`, value: rate, unit: '/s', baseline, note })
  }

  const { read, write } = await workloads(stage)
  const send = async (workload: Workload, time: number): Promise<number> => {
    const loads = await Promise.all(running.apis.map(({ url }) => sendLoad(url, workload, time)))
    return loads.reduce((sum, load) => sum + load.requests / load.seconds, 0)
  }
  for (const count of API_COUNTS) {
    while (running.apis.length < count) {
      const port = await freePort('127.0.0.1')
      const url = `http://127.0.0.1:${port}`
      running.apis.push({ url, process: started.use(startProcess('api/server.ts', { ...environment, PORT: String(port) })) })
      await until('Another API is ready', () => isReady(url))
    }
    for (const [what, workload] of [
      ['authorized read', read],
      ['audited write', write],
    ] as const) {
      // A new process is slower until its code is compiled.
      await send(workload, 1)
      await add(what, `${count} API`, () => send(workload, seconds))
    }
  }

  // Their connections are needed by the workers: PostgreSQL accepts 100 by default.
  for (const { process } of running.apis.splice(1)) await process[Symbol.asyncDispose]()
  const limited = { ...environment, WORKER_CONCURRENCY: '8' }
  const receiver = started.use(await startReceiver(environment))
  const target = await createHooks(stage, receiver.url)
  for (const count of WORKER_COUNTS) {
    while (running.workers.length < count) running.workers.push(started.use(startProcess('worker/main.ts', limited)))
    await untilWorkersReady(sql, count)
    await flood(stage, receiver, target, Math.ceil(dispatches / 10))
    await add('dispatch', `${count} worker${count === 1 ? '' : 's'}`, () => flood(stage, receiver, target, dispatches))
  }
  return rows
}

export const processCounts: Part = {
  name: 'processes',
  onlyByName: true,
  describe(quick) {
    const { seconds, dispatches } = scaleOf(quick)
    return [
      `processes   reads and writes as in \`requests\` for ${seconds} s, one client with ${IN_FLIGHT} in flight for each API; then floods of ${dispatches.toLocaleString('en')} dispatches to 20 hooks, with WORKER_CONCURRENCY=8 for all workers but the first. Baseline: one process.`,
      '            Processor time is in cores; `machine` includes clients, receiver and everything else on the machine.',
    ].join('\n')
  },
  run: (stage, quick) => measure(stage, scaleOf(quick)),
}
