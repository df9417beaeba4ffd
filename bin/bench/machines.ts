/** What more processes bring on one PostgreSQL, and who of API, worker and PostgreSQL is at the end of their powers first. */
import { isReady } from '../support/own-signalbox.ts'
import { freePort } from '../support/ports.ts'
import { busyCores, type Cpu, cpuOf, postmasterOf } from './cpu.ts'
import { perSecond, type Row, rounded, roundedEach } from './figures.ts'
import { flood, makeHooks, receiverAt, type Target } from './flood.ts'
import type { Load, LoadOrder } from './load.ts'
import type { Part } from './part.ts'
import { type Process, runHelper, startProcess } from './processes.ts'
import { idle, makeProjects, type Stage, until, workersReady } from './stage.ts'

const IN_FLIGHT = 16
const PROJECTS = 16
const APIS = [1, 2, 3]
const WORKERS = [1, 2, 4]

const scaleOf = (quick: boolean) => (quick ? { seconds: 2, dispatches: 2_000 } : { seconds: 8, dispatches: 20_000 })

/** What went on while something was measured. CPU is in cores: 1 is one core, all the time. */
interface Around {
  api: number
  worker: number
  postgresql: number
  /** All that the machine did, with what else runs on it. */
  machine: number
  commits_per_second: number
  /** At the most. */
  connections: number
}

interface Measurement {
  what: 'authorised read' | 'audited write' | 'dispatch'
  apis: number
  workers: number
  per_second: number
  around: Around
}

/** All processes that are measured. */
interface Crew {
  apis: { url: string; process: Process }[]
  workers: Process[]
}

const sum = (numbers: number[]) => numbers.reduce((all, each) => all + each, 0)

async function commits({ sql }: Stage): Promise<number> {
  const [{ count }] = await sql<[{ count: number }]>`
    select xact_commit as count from pg_stat_database where datname = current_database()
  `
  return count
}

async function connections({ sql }: Stage): Promise<number> {
  const [{ count }] = await sql<[{ count: number }]>`
    select count(*) as count
    from pg_stat_activity
    where datname = current_database()
      and application_name not in ('signalbox bench', '')
  `
  return count
}

/** Does something, and tells what it cost whom. */
async function watched<Result>(stage: Stage, crew: Crew, act: () => Promise<Result>): Promise<[Result, Around]> {
  const postmaster = await postmasterOf(stage.sql)
  const look = async () => ({
    at: performance.now(),
    cpu: await Promise.all<Cpu>([
      Promise.all(crew.apis.map(({ process }) => cpuOf([process.pid]))).then(sum),
      cpuOf(crew.workers.map(({ pid }) => pid)),
      cpuOf([postmaster], 'with children'),
      busyCores(),
    ]),
    commits: await commits(stage),
  })
  const before = await look()
  let open = 0
  let acting = true
  const counting = (async () => {
    while (acting) {
      open = Math.max(open, await connections(stage))
      await Bun.sleep(200)
    }
  })()
  const result = await act().finally(() => {
    acting = false
  })
  await counting
  const after = await look()
  const seconds = (after.at - before.at) / 1000
  const [api = 0, worker = 0, postgresql = 0, machine = 0] = after.cpu.map(
    (each, index) => (each - (before.cpu[index] ?? 0)) / seconds,
  )
  return [
    result,
    { api, worker, postgresql, machine, commits_per_second: (after.commits - before.commits) / seconds, connections: open },
  ]
}

/** Sends the same to every API at once, from a client each; answers a second of all together. */
async function requested(
  stage: Stage,
  crew: Crew,
  order: Pick<LoadOrder, 'method' | 'status' | 'contains' | 'body'>,
  paths: string[],
  seconds: number,
) {
  const headers = { Authorization: stage.api.authorization, 'Content-Type': 'application/json' }
  const loads = await Promise.all(
    crew.apis.map(({ url }) =>
      runHelper<Load>('bin/bench/load.ts', {
        ...order,
        headers,
        seconds,
        inFlight: IN_FLIGHT,
        urls: paths.map((path) => url + path),
      } satisfies LoadOrder),
    ),
  )
  return sum(loads.map((load) => load.requests / load.seconds))
}

async function measure(stage: Stage, { seconds, dispatches }: ReturnType<typeof scaleOf>): Promise<Measurement[]> {
  const { environment, sql, tenant } = stage
  await using started = new AsyncDisposableStack()
  const crew: Crew = { apis: [{ url: stage.url, process: stage.web }], workers: [stage.worker] }
  const measurements: Measurement[] = []
  const note = async (what: Measurement['what'], act: () => Promise<number>) => {
    await idle(sql)
    await sql`vacuum (analyze)`
    const [per_second, around] = await watched(stage, crew, act)
    measurements.push({ what, apis: crew.apis.length, workers: crew.workers.length, per_second, around })
  }

  const organization = `/api/v1/organizations/${tenant.organization.id}`
  const creations = (await makeProjects(stage, PROJECTS)).map(({ id }) => `/api/v1/projects/${id}/requirements`)
  const read = (time: number) =>
    requested(stage, crew, { method: 'GET', status: 200, contains: tenant.organization.id }, [organization], time)
  const body = JSON.stringify({ title: 'Pay by invoice', description: 'An invoice is sent within a minute of the order.' })
  const write = (time: number) =>
    requested(stage, crew, { method: 'POST', status: 201, contains: '"number":', body }, creations, time)

  for (const count of APIS) {
    while (crew.apis.length < count) {
      const port = await freePort('127.0.0.1')
      const url = `http://127.0.0.1:${port}`
      crew.apis.push({ url, process: started.use(startProcess('api/server.ts', { ...environment, PORT: String(port) })) })
      await until('Another API gets ready', () => isReady(url))
    }
    // What runs for the first time is compiled then.
    await read(1)
    await note('authorised read', () => read(seconds))
    await write(1)
    await note('audited write', () => write(seconds))
  }

  // Each keeps connections, of which a PostgreSQL as it comes has a hundred.
  for (const { process } of crew.apis.splice(1)) await process[Symbol.asyncDispose]()

  // With the default number of jobs at once, four workers would take all of the server's connections.
  const more = { ...environment, WORKER_CONCURRENCY: '8' }
  const receiving = started.use(startProcess('bin/bench/receiver.ts', environment))
  const receiver = receiverAt(await receiving.firstLine)
  const target: Target = await makeHooks(stage, receiver.url)
  for (const count of WORKERS) {
    while (crew.workers.length < count) crew.workers.push(started.use(startProcess('worker/main.ts', more)))
    await workersReady(sql, count)
    await flood(stage, receiver, target, Math.ceil(dispatches / 10))
    await note('dispatch', () => flood(stage, receiver, target, dispatches))
  }
  return measurements
}

const nameOf = ({ what, apis, workers }: Measurement) => `${what}, ${apis} API, ${workers} worker${workers === 1 ? '' : 's'}`

const aroundIt = ({ api, worker, postgresql, machine, commits_per_second, connections }: Around): string => {
  const cores = Object.entries({ API: api, worker, PostgreSQL: postgresql, machine }).map(
    ([who, value]) => `${who} ${value.toFixed(2)}`,
  )
  return `${cores.join(', ')} cores; ${perSecond(commits_per_second)} commits; ${connections} connections`
}

export const machines: Part = {
  name: 'processes',
  apart: true,
  conditions(quick) {
    const { seconds, dispatches } = scaleOf(quick)
    return [
      `processes GET /organizations/{id} and POST /projects/{id}/requirements for ${seconds} s, a client of ${IN_FLIGHT} in flight for each API; then floods of ${dispatches.toLocaleString('en')} dispatches to 20 hooks; all workers but the first with WORKER_CONCURRENCY=8. Baseline: one process of the kind.`,
      '          CPU by /proc, in cores; clients, receiver and all that else runs on the machine are in its figure alone.',
    ].join('\n')
  },
  async run(stage, quick) {
    const measured = await measure(stage, scaleOf(quick))
    const rows = measured.flatMap((each): Row[] => {
      const one = measured.find(({ what }) => what === each.what)
      if (!one) return []
      const ratio = each.per_second / one.per_second
      return [
        { name: nameOf(each), ours: perSecond(each.per_second), baseline: perSecond(one.per_second), ratio },
        { name: `  ${aroundIt(each.around)}`, ours: '' },
      ]
    })
    const figures = measured.map((each) => ({ ...each, per_second: rounded(each.per_second), around: roundedEach(each.around) }))
    return { rows, figures: { processes: figures } }
  },
}
