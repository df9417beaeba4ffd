/** What a Citus cluster costs, against one PostgreSQL of the same version, and whether more nodes make work more expensive. */
import { distribute } from '../../sql/citus/distribute.ts'
import { migrate } from '../../sql/migrate.ts'
import { findCitus, startCluster, startServer, vacuum, withServer } from './citus-servers.ts'
import { cpuOf, postmasterOf } from './cpu.ts'
import { median, type Row } from './figures.ts'
import { type Flood, openFlood } from './flood.ts'
import { IN_FLIGHT } from './load.ts'
import { createWorkloads, ORGANIZATIONS, sendLoad, type Workload } from './requests.ts'
import { openStage, type Part, type Stage, untilIdle } from './stage.ts'

const SHARDS = 16
const NODES = 2
const MORE_NODES = [4, 8]
/** Rarely, because a look at all shards costs as much as many requests. */
const POLL_MS = 200

const WORK = ['read', 'write', 'dispatch'] as const
type Work = (typeof WORK)[number]
const TIME = { read: '≤ 2.5', write: '≤ 2.5', dispatch: '≤ 3' } as const
const CPU = { read: '≤ 4', write: '≤ 4', dispatch: '≤ 3' } as const

const scaleOf = (quick: boolean) =>
  quick ? { rounds: 1, seconds: 2, dispatches: 1_000 } : { rounds: 3, seconds: 5, dispatches: 10_000 }

/** Signalbox on one PostgreSQL or on a cluster. */
interface Side {
  stage: Stage
  servers: string[]
  pids: number[]
  requests: Record<'read' | 'write', Workload>
  flood: Flood
  /** Cores that its servers use while nothing happens. */
  idle: number
}

/** Milliseconds for each request or dispatch. */
interface Cost {
  time: number
  cpu: number
}

/** @param nodes of a cluster, beside the coordinator; 0 is one PostgreSQL without Citus */
async function openSide(programs: string, nodes: number, quick: boolean, started: AsyncDisposableStack): Promise<Side> {
  const servers = nodes ? await startCluster(programs, nodes, started) : [await startServer(programs, started)]
  const [url = ''] = servers
  await migrate(url)
  if (nodes) await withServer(url, (sql) => distribute(sql, { shards: SHARDS, log: () => {} }))
  const stage = await openStage(url, quick, started)
  const requests = await createWorkloads(stage.url)
  const flood = started.use(await openFlood(stage))
  await untilIdle(stage.sql)
  await vacuum(servers)
  const pids = await Promise.all(servers.map((server) => withServer(server, postmasterOf)))
  const [before, seconds] = [await cpuOf(pids), scaleOf(quick).seconds]
  await Bun.sleep(seconds * 1000)
  const idle = ((await cpuOf(pids)) - before) / seconds
  console.error(`citus: ${nodes} nodes use ${idle.toFixed(3)} cores when idle`)
  return { stage, servers, pids, requests, flood, idle }
}

async function costOf({ stage, servers, pids, requests, flood, idle }: Side, work: Work, isWarmUp: boolean): Promise<Cost> {
  const scale = scaleOf(stage.quick)
  const dispatches = scale.dispatches / (isWarmUp ? 4 : 1)
  if (work === 'dispatch') {
    await flood.prepare(dispatches)
    await vacuum(servers)
  }
  const [before, begun] = [await cpuOf(pids), performance.now()]
  const { requests: count, seconds } =
    work === 'dispatch'
      ? { requests: dispatches, seconds: await flood.deliver(dispatches, POLL_MS) }
      : await sendLoad(stage.url, requests[work], scale.seconds / (isWarmUp ? 2 : 1))
  // What a change leaves to the worker is part of its cost.
  await untilIdle(stage.sql, POLL_MS)
  const used = (await cpuOf(pids)) - before - (idle * (performance.now() - begun)) / 1000
  return { time: (seconds / count) * 1000, cpu: (used / count) * 1000 }
}

/** Measures on several sides in turns; the first round warms up. @returns the medians, in the order of the sides */
async function measure(programs: string, nodes: number[], quick: boolean): Promise<Record<Work, Cost>[]> {
  await using started = new AsyncDisposableStack()
  const sides: Side[] = []
  for (const each of nodes) sides.push(await openSide(programs, each, quick, started))
  const samples = sides.map(() => ({ read: [] as Cost[], write: [] as Cost[], dispatch: [] as Cost[] }))
  for (const work of WORK) {
    for (let round = 0; round <= scaleOf(quick).rounds; round++) {
      for (const [index, side] of sides.entries()) {
        const cost = await costOf(side, work, round === 0)
        if (round > 0) samples[index]?.[work].push(cost)
      }
    }
  }
  const middle = (costs: Cost[]) => ({ time: median(costs.map(({ time }) => time)), cpu: median(costs.map(({ cpu }) => cpu)) })
  return samples.map(({ read, write, dispatch }) => ({ read: middle(read), write: middle(write), dispatch: middle(dispatch) }))
}

export const citus: Part = {
  name: 'citus',
  onlyByName: true,
  about: `GET /organizations/{id} and POST /projects/{id}/requirements over ${ORGANIZATIONS} organizations of a user each, ${IN_FLIGHT} in flight for 5 s, then floods of 10,000 dispatches of one organization, on ${NODES} nodes and a coordinator of Citus; median of 3, in turns.
Baseline: one PostgreSQL of the same version. CPU is that of all servers, without what they use when idle.
Then on ${MORE_NODES.join(' and ')} nodes with as many organizations; baseline: ${NODES} nodes.`,
  async run({ quick }) {
    const programs = await findCitus()
    const note = 'not measured: no PostgreSQL with Citus is installed. CITUS_BIN names the folder of its programs.'
    if (!programs) return [{ name: 'citus', value: null, unit: 'ms', note }]
    const rows: Row[] = []
    const [plain, cluster] = await measure(programs, [0, NODES], quick)
    const row = { unit: 'ms' as const }
    for (const work of WORK) {
      const [one, many] = [plain?.[work], cluster?.[work]]
      rows.push({ ...row, name: `${work}, Citus`, value: many?.time ?? null, baseline: one?.time, target: TIME[work] })
      rows.push({ ...row, name: '  CPU of PostgreSQL', value: many?.cpu ?? null, baseline: one?.cpu, target: CPU[work] })
    }
    for (const nodes of MORE_NODES) {
      const [larger] = await measure(programs, [nodes], quick)
      for (const work of ['write', 'dispatch'] as const) {
        const [value = null, baseline] = [larger?.[work].cpu, cluster?.[work].cpu]
        rows.push({ ...row, name: `${work}, CPU of ${nodes} nodes`, value, baseline, target: '≤ 1.1' })
      }
    }
    return rows
  },
}
