/** What a Citus cluster costs, against one PostgreSQL of the same version, and whether more nodes make work more expensive. */
import { distribute } from '../../sql/citus/distribute.ts'
import { migrate } from '../../sql/migrate.ts'
import { findCitus, startServers, vacuum, withServer } from './citus-servers.ts'
import { cpuOf, postmasterOf } from './cpu.ts'
import { inTurns, median, ms, type Row, timeOf } from './figures.ts'
import { openFlood } from './flood.ts'
import { IN_FLIGHT, runLoad } from './load.ts'
import { createWorkloads, ORGANIZATIONS } from './requests.ts'
import { openStage, type Part, untilIdle } from './stage.ts'

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

/**
 * Starts Signalbox on a cluster, or on one PostgreSQL if it has no nodes.
 *
 * @returns does some work: milliseconds of time and of the servers' processors for each request or dispatch
 */
async function openSide(programs: string, nodes: number, quick: boolean, started: AsyncDisposableStack) {
  const servers = await startServers(programs, nodes, started)
  const [url = ''] = servers
  await migrate(url)
  if (nodes) await withServer(url, (sql) => distribute(sql, { shards: SHARDS, log: () => {} }))
  const stage = await openStage(url, quick, started)
  const workloads = await createWorkloads(stage.url)
  const flood = started.use(await openFlood(stage))
  await untilIdle(stage.sql)
  await vacuum(servers)
  const pids = await Promise.all(servers.map((server) => withServer(server, postmasterOf)))
  const { seconds, dispatches } = scaleOf(quick)
  const before = await cpuOf(pids)
  await Bun.sleep(seconds * 1000)
  const idle = ((await cpuOf(pids)) - before) / seconds
  console.error(`citus: ${nodes} nodes use ${idle.toFixed(3)} cores when idle`)

  async function send(work: Work, isWarmUp: boolean) {
    if (work !== 'dispatch') return runLoad(workloads[work], seconds / (isWarmUp ? 2 : 1))
    const requests = dispatches / (isWarmUp ? 4 : 1)
    return { requests, seconds: (await timeOf(() => flood.deliver(requests, POLL_MS))) / 1000 }
  }
  return async (work: Work, isWarmUp: boolean) => {
    if (work === 'dispatch') {
      await flood.prepare(dispatches / (isWarmUp ? 4 : 1))
      await vacuum(servers)
    }
    const [before, begun] = [await cpuOf(pids), performance.now()]
    const sent = await send(work, isWarmUp)
    // What a change leaves to the worker is part of its cost.
    await untilIdle(stage.sql, POLL_MS)
    const used = (await cpuOf(pids)) - before - (idle * (performance.now() - begun)) / 1000
    return { time: (sent.seconds / sent.requests) * 1000, cpu: (used / sent.requests) * 1000 }
  }
}

/** Measures on several sides in turns. @returns for each side and work, such as `2 write`, the median of its time and of its cpu */
async function measure(programs: string, nodes: number[], quick: boolean) {
  await using started = new AsyncDisposableStack()
  const figures: Record<string, number> = {}
  const sides: [number, Awaited<ReturnType<typeof openSide>>][] = []
  for (const each of nodes) sides.push([each, await openSide(programs, each, quick, started)])
  for (const work of WORK) {
    const turns = sides.map(([each, run]) => [`${each} ${work}`, (isWarmUp: boolean) => run(work, isWarmUp)] as const)
    for (const [side, costs] of Object.entries(await inTurns(scaleOf(quick).rounds, Object.fromEntries(turns)))) {
      for (const figure of ['time', 'cpu'] as const) figures[`${side} ${figure}`] = median(costs.map((cost) => cost[figure]))
    }
  }
  return figures
}

export const part: Part = {
  about: `GET /organizations/{id} and POST /projects/{id}/requirements over ${ORGANIZATIONS} organizations of a user each, ${IN_FLIGHT} in flight for 5 s, then floods of 10,000 dispatches of one organization, on ${NODES} nodes and a coordinator of Citus; median of 3, in turns.
Baseline: one PostgreSQL of the same version. CPU is that of all servers, without what they use when idle.
Then on ${MORE_NODES.join(' and ')} nodes with as many organizations; baseline: ${NODES} nodes.`,
  async run({ quick }) {
    const programs = await findCitus()
    const note = 'not measured: no PostgreSQL with Citus is installed. CITUS_BIN names the folder of its programs.'
    if (!programs) return [ms('citus', null, { note })]
    const rows: Row[] = []
    const figures = await measure(programs, [0, NODES], quick)
    const of = (nodes: number, figure: string) => figures[`${nodes} ${figure}`] ?? Number.NaN
    for (const work of WORK) {
      const [time, cpu] = [`${work} time`, `${work} cpu`]
      rows.push(ms(`${work}, Citus`, of(NODES, time), { baseline: of(0, time), target: TIME[work] }))
      rows.push(ms('  CPU of PostgreSQL', of(NODES, cpu), { baseline: of(0, cpu), target: CPU[work] }))
    }
    for (const nodes of MORE_NODES) {
      Object.assign(figures, await measure(programs, [nodes], quick))
      for (const work of ['write', 'dispatch']) {
        const cpu = `${work} cpu`
        rows.push(ms(`${work}, CPU of ${nodes} nodes`, of(nodes, cpu), { baseline: of(NODES, cpu), target: '≤ 1.1' }))
      }
    }
    return rows
  },
}
