/** What a Citus cluster costs, against one PostgreSQL of the same version, and whether more nodes make work more expensive. */
import { distribute } from '../../sql/citus/distribute.ts'
import { connect } from '../../sql/index.ts'
import { migrate } from '../../sql/migrate.ts'
import { type ApiClient, apiClient, type Resource } from '../support/api-client.ts'
import { findCitus, type Server, startCluster, startPlain, vacuum } from './citus-servers.ts'
import { cpuOfTree } from './cpu.ts'
import { median, type Row } from './figures.ts'
import { createHooks, deliverPending, type FloodTarget, preparePending, type Receiver, startReceiver } from './flood.ts'
import type { Part } from './part.ts'
import { IN_FLIGHT, sendLoad, type Workload } from './requests.ts'
import { createOrganization, openStage, type Stage, untilIdle } from './stage.ts'

const ORGANIZATIONS = 16
const SHARDS = 16
const NODES = 2
const TIME_RATIO = 2.5
const CPU_RATIO = 4
const RECORDING_RATIO = 3
const GROWTH_RATIO = 1.1
/** Rarely, because a look at all shards costs as much as many requests. */
const POLL_MS = 200

const scaleOf = (quick: boolean) =>
  quick
    ? { rounds: 1, seconds: 2, idleSeconds: 2, dispatches: 1_000, growth: [4, 8] }
    : { rounds: 3, seconds: 5, idleSeconds: 5, dispatches: 10_000, growth: [4, 8] }

type Scale = ReturnType<typeof scaleOf>

/** Signalbox on one PostgreSQL or on a cluster. */
interface Side {
  stage: Stage
  servers: Server[]
  read: Workload
  write: Workload
  receiver: Receiver
  target: FloodTarget
  /** Cores that its servers use while nothing happens. */
  idle: number
}

/** Milliseconds for each request or dispatch. */
interface Cost {
  time: number
  cpu: number
}

/** @param isCluster whether the first server is the coordinator of the others */
async function openSide(servers: Server[], isCluster: boolean, scale: Scale, started: AsyncDisposableStack): Promise<Side> {
  const url = servers[0]?.url ?? ''
  await migrate(url)
  if (isCluster) {
    const sql = connect(url, 'signalbox bench', 1, { statement_timeout: '0' })
    await distribute(sql, { shards: SHARDS, log: () => {} })
    await sql.end()
  }
  const stage = await openStage(url, started)
  const made = await createTenants(stage)
  const receiver = started.use(await startReceiver(stage.environment))
  const target = await createHooks(stage, receiver.url)
  await untilIdle(stage.sql)
  await vacuum(servers)
  const before = await cpuOf(servers)
  await Bun.sleep(scale.idleSeconds * 1000)
  const idle = ((await cpuOf(servers)) - before) / scale.idleSeconds
  return { stage, servers, ...workloadsOf(made), receiver, target, idle }
}

/** Organizations with an owner and a project each, so that every node has some. A user belongs to few. */
interface Tenants {
  clients: ApiClient[]
  organizations: Resource[]
  projects: Resource[]
}

async function createTenants({ url }: Stage): Promise<Tenants> {
  const made: Tenants = { clients: [], organizations: [], projects: [] }
  for (let each = 1; each <= ORGANIZATIONS; each++) {
    const api = apiClient(url)
    const account = { email: `bench.${each}@example.com`, password: 'correct horse battery staple', name: 'Bench' }
    const { access_token } = await api.post<{ access_token: string }>('/auth/register', account)
    api.authorization = `Bearer ${access_token}`
    const { organization, workspace } = await createOrganization(api, `Bench ${each}`)
    made.clients.push(api)
    made.organizations.push(organization)
    made.projects.push(await api.post(`/workspaces/${workspace.id}/projects`, { name: 'Bench' }))
  }
  return made
}

function workloadsOf({ clients, organizations, projects }: Tenants) {
  const headers = { 'Content-Type': 'application/json' }
  const authorizations = clients.map(({ authorization }) => authorization)
  const body = JSON.stringify({ title: 'Pay by invoice', description: 'An invoice is sent within a minute of the order.' })
  const read: Workload = {
    paths: organizations.map(({ id }) => `/api/v1/organizations/${id}`),
    order: { method: 'GET', headers, authorizations, status: 200, contains: '"slug":' },
  }
  const write: Workload = {
    paths: projects.map(({ id }) => `/api/v1/projects/${id}/requirements`),
    order: { method: 'POST', headers, authorizations, body, status: 201, contains: '"number":' },
  }
  return { read, write }
}

const cpuOf = async (servers: Server[]): Promise<number> => {
  const used = await Promise.all(servers.map(({ pid }) => cpuOfTree(pid)))
  return used.reduce((sum, each) => sum + each, 0)
}

/** @param run returns how many requests or dispatches took how many seconds */
async function costOf({ servers, stage, idle }: Side, run: () => Promise<{ count: number; seconds: number }>): Promise<Cost> {
  const [before, begun] = [await cpuOf(servers), performance.now()]
  const { count, seconds } = await run()
  // What a change leaves to the worker is part of its cost.
  await untilIdle(stage.sql, POLL_MS)
  const used = (await cpuOf(servers)) - before - (idle * (performance.now() - begun)) / 1000
  return { time: (seconds / count) * 1000, cpu: (used / count) * 1000 }
}

const WORK = ['read', 'write', 'dispatch'] as const
type Work = (typeof WORK)[number]

/** Measures one kind of work. */
async function measure(side: Side, work: Work, scale: Scale, isWarmUp: boolean): Promise<Cost> {
  const { stage, receiver, target } = side
  if (work === 'dispatch') {
    const count = isWarmUp ? Math.ceil(scale.dispatches / 4) : scale.dispatches
    await preparePending(stage, target, count)
    await vacuum(side.servers)
    return costOf(side, async () => ({ count, seconds: count / (await deliverPending(stage, receiver, target, count, POLL_MS)) }))
  }
  return costOf(side, async () => {
    const { requests, seconds } = await sendLoad(stage.url, side[work], isWarmUp ? scale.seconds / 2 : scale.seconds)
    return { count: requests, seconds }
  })
}

/** Measures on all sides in turns. @returns the medians, in the order of the sides */
async function inTurns(sides: Side[], work: Work, scale: Scale): Promise<Cost[]> {
  const samples: Cost[][] = sides.map(() => [])
  for (let round = 0; round <= scale.rounds; round++) {
    for (const [index, side] of sides.entries()) {
      const cost = await measure(side, work, scale, round === 0)
      if (round > 0) samples[index]?.push(cost)
    }
  }
  return samples.map((costs) => ({
    time: median(costs.map(({ time }) => time)),
    cpu: median(costs.map(({ cpu }) => cpu)),
  }))
}

const GROWING = ['write', 'dispatch'] as const
/** PostgreSQL's CPU time by work, on the smallest cluster. */
type Baselines = Record<(typeof GROWING)[number], number>

async function compare(programs: string, scale: Scale): Promise<{ rows: Row[]; baselines: Baselines }> {
  await using started = new AsyncDisposableStack()
  const plain = await openSide(await startPlain(programs, started), false, scale, started)
  const cluster = await openSide(await startCluster(programs, NODES, started), true, scale, started)
  const rows: Row[] = []
  const baselines: Baselines = { write: Number.NaN, dispatch: Number.NaN }
  const names = { read: 'authorized read', write: 'audited write', dispatch: 'dispatch and its attempt' }
  for (const work of WORK) {
    console.error(`citus: ${work} …`)
    const [baseline, cost] = await inTurns([plain, cluster], work, scale)
    if (!baseline || !cost) continue
    if (work !== 'read') baselines[work] = cost.cpu
    const isDispatch = work === 'dispatch'
    const limits = isDispatch ? { time: RECORDING_RATIO, cpu: RECORDING_RATIO } : { time: TIME_RATIO, cpu: CPU_RATIO }
    rows.push(
      { name: `${names[work]}, Citus`, value: cost.time, unit: 'ms', baseline: baseline.time, ratioAtMost: limits.time },
      { name: '  CPU of PostgreSQL', value: cost.cpu, unit: 'ms', baseline: baseline.cpu, ratioAtMost: limits.cpu },
    )
  }
  const note = `CPU of idle servers: PostgreSQL ${plain.idle.toFixed(3)}, ${NODES} nodes and their coordinator ${cluster.idle.toFixed(3)} cores.`
  return { rows: rows.map((row, index) => (index === rows.length - 1 ? { ...row, note } : row)), baselines }
}

/** PostgreSQL's CPU time on larger clusters. */
async function grow(programs: string, scale: Scale, baselines: Baselines): Promise<Row[]> {
  const rows: Record<keyof Baselines, Row[]> = { write: [], dispatch: [] }
  for (const nodes of scale.growth) {
    await using started = new AsyncDisposableStack()
    console.error(`citus: ${nodes} nodes …`)
    const side = await openSide(await startCluster(programs, nodes, started), true, scale, started)
    for (const work of GROWING) {
      const [cost] = await inTurns([side], work, scale)
      const row = { unit: 'ms' as const, baseline: baselines[work], ratioAtMost: GROWTH_RATIO }
      rows[work].push({ name: `${work}, CPU of ${nodes} nodes`, value: cost?.cpu ?? null, ...row })
    }
  }
  return [...rows.write, ...rows.dispatch]
}

export const citus: Part = {
  name: 'citus',
  onlyByName: true,
  describe(quick) {
    const { rounds, seconds, dispatches, growth } = scaleOf(quick)
    return [
      `citus       GET /organizations/{id} and POST /projects/{id}/requirements over ${ORGANIZATIONS} organizations of a user each, ${IN_FLIGHT} in flight for ${seconds} s, then floods of ${dispatches.toLocaleString('en')} dispatches of one organization, on ${NODES} nodes and a coordinator of Citus; median of ${rounds}, in turns.`,
      '            Baseline: one PostgreSQL of the same version. CPU is that of all servers, without what they use when idle.',
      `            Then on ${growth.join(' and ')} nodes with as many organizations; baseline: ${NODES} nodes.`,
    ].join('\n')
  },
  async run(_stage, quick) {
    const programs = await findCitus()
    if (!programs)
      return [
        {
          name: 'citus',
          value: null,
          unit: 'ms',
          note: 'not measured: no PostgreSQL with Citus is installed. CITUS_BIN names the folder of its programs.',
        },
      ]
    const scale = scaleOf(quick)
    const { rows, baselines } = await compare(programs, scale)
    return [...rows, ...(await grow(programs, scale, baselines))]
  },
}
