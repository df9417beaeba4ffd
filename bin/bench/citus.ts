/** What a Citus cluster costs, against one PostgreSQL of the same version, and whether more nodes make work more expensive. */
import { distribute } from '../../sql/citus/distribute.ts'
import { migrate } from '../../sql/migrate.ts'
import { findCitus, onEach, startServers, vacuum } from './citus-servers.ts'
import { observe, postmasterOf } from './cpu.ts'
import { medians, ms, type Row, timeOf } from './figures.ts'
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
  if (nodes) await onEach([url], (sql) => distribute(sql, { shards: SHARDS, log: () => {} }))
  const stage = await openStage(url, quick, started)
  const workloads = await createWorkloads(stage.url)
  const flood = started.use(await openFlood(stage))
  await untilIdle(stage.sql)
  await vacuum(servers)
  const groups = { servers: await onEach(servers, postmasterOf) }
  const { seconds, dispatches } = scaleOf(quick)
  const pause = await observe(groups, () => Bun.sleep(seconds * 1000))
  const idle = pause.cpu.servers / pause.seconds
  console.error(`citus: ${nodes} nodes use ${idle.toFixed(3)} cores when idle`)

  return async (work: Work, isWarmUp: boolean) => {
    const count = dispatches / (isWarmUp ? 4 : 1)
    if (work === 'dispatch') {
      await flood.prepare(count)
      await vacuum(servers)
    }
    const used = await observe(groups, async () => {
      const sent =
        work === 'dispatch'
          ? { requests: count, seconds: (await timeOf(() => flood.deliver(count, POLL_MS))) / 1000 }
          : await runLoad(workloads[work], seconds / (isWarmUp ? 2 : 1))
      // What a change leaves to the worker is part of its cost.
      await untilIdle(stage.sql, POLL_MS)
      return sent
    })
    const { requests, seconds: time } = used.result
    return { time: (time / requests) * 1000, cpu: ((used.cpu.servers - idle * used.seconds) / requests) * 1000 }
  }
}

/** Measures on several sides in turns. @returns the time and the processor time of each side and work, such as `2 write` */
async function measure(programs: string, nodes: number[], quick: boolean) {
  await using started = new AsyncDisposableStack()
  const sides: [number, Awaited<ReturnType<typeof openSide>>][] = []
  for (const each of nodes) sides.push([each, await openSide(programs, each, quick, started)])
  const figures: Record<string, { time: number; cpu: number }> = {}
  for (const work of WORK) {
    const turns = sides.map(([each, run]) => [`${each} ${work}`, (isWarmUp: boolean) => run(work, isWarmUp)] as const)
    Object.assign(figures, await medians(scaleOf(quick).rounds, Object.fromEntries(turns)))
  }
  return figures
}

export const part: Part = {
  about: `GET /organizations/{id} and POST /projects/{id}/requirements over ${ORGANIZATIONS} organizations of a user each, ${IN_FLIGHT} in flight for 5 s, then floods of 10,000 dispatches of one organization, on ${NODES} nodes and a coordinator of Citus; median of 3, in turns.
Baseline: one PostgreSQL of the same version. CPU is that of all servers, without what they use when idle.
Then on ${MORE_NODES.join(' and ')} nodes with as many organizations; baseline: ${NODES} nodes.`,
  async run({ quick }) {
    const programs = findCitus()
    const note = 'not measured: no PostgreSQL with Citus is installed. CITUS_BIN names the folder of its programs.'
    if (!programs) return [ms('citus', Number.NaN, undefined, note)]
    const figures = await measure(programs, [0, NODES], quick)
    const compared = (figure: 'time' | 'cpu', work: Work, nodes: number, others: number) => ({
      value: figures[`${nodes} ${work}`]?.[figure] ?? Number.NaN,
      baseline: figures[`${others} ${work}`]?.[figure],
    })
    const rows: Row[] = []
    for (const work of WORK) {
      rows.push(ms(`${work}, Citus`, compared('time', work, NODES, 0), TIME[work]))
      rows.push(ms('  CPU of PostgreSQL', compared('cpu', work, NODES, 0), CPU[work]))
    }
    for (const nodes of MORE_NODES) {
      Object.assign(figures, await measure(programs, [nodes], quick))
      for (const work of ['write', 'dispatch'] as const)
        rows.push(ms(`${work}, CPU of ${nodes} nodes`, compared('cpu', work, nodes, NODES), '≤ 1.1'))
    }
    return rows
  },
}
