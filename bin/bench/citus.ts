/** What a Citus cluster costs, against one PostgreSQL of the same version. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { distribute } from '../../sql/citus/distribute.ts'
import { connect, type Sql } from '../../sql/index.ts'
import { migrate } from '../../sql/migrate.ts'
import { connectNodes } from '../../test/support/cluster.ts'
import { LOCALE_BEFORE_17 } from '../../test/support/locale-before-17.ts'
import { throwawayFolder } from '../support/data-folder.ts'
import { costOf, postmasterOf } from './costs.ts'
import { inTurns, median, type Row, rounded } from './figures.ts'
import { openFlood } from './flood.ts'
import { createWorkloads, IN_FLIGHT, ORGANIZATIONS, sendLoad } from './requests.ts'
import { openStage, type Part, startDatabase, untilIdle } from './stage.ts'

const SHARDS = 16
/** Rarely, because a look at all shards costs as much as many requests. */
const POLL_MS = 200
const SETTINGS = {
  shared_preload_libraries: 'citus',
  wal_level: 'logical',
  max_prepared_transactions: '600',
  'citus.enable_unsafe_triggers': 'on',
  // Without TLS, like the connections of the API and the workers.
  'citus.node_conninfo': 'sslmode=disable',
}

/** Goals for the ratio of time and of processor time. */
const WORK = { read: [2.5, 4], write: [2.5, 4], dispatch: [3, 3] } as const

/** The folder of the programs of a PostgreSQL that has Citus: `CITUS_BIN`, or the newest that Debian's packages installed. */
function findCitus(): string | undefined {
  const newest = [...new Bun.Glob('usr/lib/postgresql/*/lib/citus.so').scanSync('/')].sort().at(-1)
  return process.env.CITUS_BIN ?? (newest && join('/', newest, '../../bin'))
}

/** Starts a coordinator with its nodes, or one server without Citus. @returns their URLs */
async function startServers(bin: string, nodes: number, started: AsyncDisposableStack): Promise<string[]> {
  const { path } = started.use(await throwawayFolder('signalbox-bench-citus-'))
  // Nodes sign in to each other, and do not know each other's passwords.
  const hba_file = join(path, 'hba.conf')
  await writeFile(hba_file, 'host all all 127.0.0.1/32 trust\n', { mode: 0o644 })
  const isOld = Number(/\d+/.exec(await Bun.$`${join(bin, 'postgres')} --version`.text())?.[0]) < 17
  const programs = { initdb: join(bin, 'initdb'), postgres: join(bin, 'postgres'), ...(isOld && { locale: LOCALE_BEFORE_17 }) }
  const settings = { max_connections: '300', hba_file, ...(nodes && SETTINGS) }
  const servers = await Promise.all(Array.from({ length: nodes + 1 }, () => startDatabase(started, { programs, settings })))
  if (nodes > 0) await connectNodes(servers[0] ?? '', servers.slice(1))
  return servers
}

/** Does something on each server, without a time limit for statements. */
const onEach = <Result>(servers: string[], run: (sql: Sql) => PromiseLike<Result>): Promise<Result[]> =>
  Promise.all(
    servers.map(async (url) => {
      const sql = connect(url, 'signalbox bench', 1, { statement_timeout: '0' })
      return Promise.resolve(run(sql)).finally(() => sql.end({ timeout: 1 }))
    }),
  )

/**
 * Starts Signalbox on a cluster, or on one PostgreSQL if it has no nodes.
 *
 * @returns does some work: milliseconds of time and of the servers' processors for each request or dispatch
 */
async function openSide(bin: string, nodes: number, quick: boolean, started: AsyncDisposableStack) {
  const servers = await startServers(bin, nodes, started)
  const [url = ''] = servers
  if (nodes) {
    await migrate(url)
    await onEach([url], (sql) => distribute(sql, { shards: SHARDS, log: () => {} }))
  }
  const stage = await openStage(url, quick, started)
  const workloads = await createWorkloads(stage.url)
  const flood = started.use(await openFlood(stage))
  await untilIdle(stage.sql)
  const vacuum = () => onEach(servers, (sql) => sql`vacuum (analyze)`)
  await vacuum()
  const all = await onEach(servers, postmasterOf)
  const groups = { cpu: all, coordinator: all.slice(0, 1) }
  const [seconds, dispatches] = quick ? [2, 1_000] : [5, 10_000]
  const idle = await costOf(groups, () => Bun.sleep(seconds * 1000).then(() => seconds * 1000))

  return (work: keyof typeof WORK) => async (isWarmUp: boolean) => {
    const count = dispatches / (isWarmUp ? 4 : 1)
    if (work === 'dispatch') {
      await flood.prepare(count)
      await vacuum()
    }
    const { time, cpu, coordinator } = await costOf(groups, async () => {
      const sent = work === 'dispatch' ? count : await sendLoad(stage.url, workloads[work], seconds / (isWarmUp ? 2 : 1))
      if (work === 'dispatch') await flood.resume().then(() => flood.untilRecorded(count, POLL_MS))
      // What a change leaves to the worker is part of its cost.
      await untilIdle(stage.sql, POLL_MS)
      return sent
    })
    return { time, cpu: cpu - idle.cpu * time, coordinator: coordinator - idle.coordinator * time }
  }
}

export const part: Part = {
  about: `GET /organizations/{id} and POST /projects/{id}/requirements over ${ORGANIZATIONS} organizations of a user each, ${IN_FLIGHT} in flight for 5 s, then floods of 10,000 dispatches of one organization, on two nodes and a coordinator of Citus; three rounds, in turns.
Baseline: one PostgreSQL of the same version. CPU is the sum of all servers, without what they use when idle.`,
  async run({ quick }) {
    const bin = findCitus()
    const note = 'not measured: no PostgreSQL with Citus is installed. CITUS_BIN names the folder of its programs.'
    if (!bin) return [{ name: 'citus', unit: 'ms', value: [Number.NaN], note }]
    await using started = new AsyncDisposableStack()
    const [plain, cluster] = [await openSide(bin, 0, quick, started), await openSide(bin, 2, quick, started)]
    const rows: Row[] = []
    for (const work of ['read', 'write', 'dispatch'] as const) {
      const { value, baseline } = await inTurns(quick ? 1 : 3, { value: cluster(work), baseline: plain(work) })
      const [time, cpu] = WORK[work]
      rows.push({ name: `${work}, Citus`, unit: 'ms', value: value.time, baseline: baseline.time, atMost: time })
      const note = `coordinator ${rounded(median(value.coordinator))} ms`
      rows.push({ name: '  CPU of PostgreSQL', unit: 'ms', value: value.cpu, baseline: baseline.cpu, atMost: cpu, note })
    }
    return rows
  },
}
