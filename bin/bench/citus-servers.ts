/** PostgreSQL servers of this machine's PostgreSQL with Citus: one alone, or a coordinator and its nodes. */
import { existsSync } from 'node:fs'
import { chown, mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { connect } from '../../sql/index.ts'
import { Failure } from '../support/failure.ts'
import { endWithParent } from '../support/leash.ts'
import { freePort } from '../support/ports.ts'
import { throwawayFolder } from '../support/throwaway.ts'
import { within } from '../support/within.ts'
import { until } from './stage.ts'

const DEBIAN = '/usr/lib/postgresql'
const START_MS = 60_000
const STOP_SECONDS = 30

const SETTINGS = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  timezone: 'UTC',
  max_connections: '300',
}
const CITUS_SETTINGS = {
  shared_preload_libraries: 'citus',
  wal_level: 'logical',
  max_prepared_transactions: '600',
  'citus.enable_unsafe_triggers': 'on',
  // Without TLS, like the connections of the API and the workers.
  'citus.node_conninfo': 'sslmode=disable',
}

export interface Server {
  url: string
  /** Its parent process. */
  pid: number
}

/** The folder of the programs of a PostgreSQL that has Citus: `CITUS_BIN`, or the newest that Debian's packages installed. */
export async function findCitus(): Promise<string | null> {
  const versions = await readdir(DEBIAN).catch(() => [])
  const folders = process.env.CITUS_BIN ? [process.env.CITUS_BIN] : versions.sort().map((each) => join(DEBIAN, each, 'bin'))
  return folders.findLast(hasCitus) ?? null
}

function hasCitus(folder: string): boolean {
  const config = join(folder, 'pg_config')
  if (!existsSync(config)) return false
  const { stdout } = Bun.spawnSync([config, '--sharedir'])
  return existsSync(join(stdout.toString().trim(), 'extension/citus.control'))
}

/** Starts one server. Disposing of `started` stops it and removes its data. */
async function startServer(programs: string, settings: Record<string, string>, started: AsyncDisposableStack): Promise<Server> {
  const folder = started.use(await throwawayFolder('signalbox-bench-citus-'))
  const data = join(folder.path, 'data')
  await mkdir(data)
  const asOwner = await runAsOwner(data)
  const port = await freePort('127.0.0.1')
  const create = ['--username=postgres', '--auth=trust', '--encoding=UTF8', '--locale=C.UTF-8', '--no-instructions']
  const initdb = Bun.spawn(asOwner(join(programs, 'initdb'), `--pgdata=${data}`, ...create), { cwd: data, stderr: 'pipe' })
  if ((await initdb.exited) !== 0) throw new Failure(`initdb failed: ${await new Response(initdb.stderr).text()}`)
  const parameters = Object.entries(settings).map(([name, value]) => `${name} = '${value}'\n`)
  await writeFile(join(data, 'postgresql.auto.conf'), parameters.join(''))
  const log = Bun.file(join(folder.path, 'log'))
  const child = Bun.spawn(asOwner(join(programs, 'postgres'), '-D', data, '-p', String(port)), {
    cwd: data,
    // Not the certificates and the password file of the caller, which its owner cannot read.
    env: { PATH: process.env.PATH, LC_ALL: 'C', HOME: data },
    stdin: 'ignore',
    stdout: 'ignore',
    stderr: log,
    // Ctrl-C goes to the benchmark alone, which then stops the others in order.
    detached: true,
  })
  const release = endWithParent(child.pid, 'INT')
  started.defer(async () => {
    for (const signal of ['SIGINT', 'SIGQUIT', 'SIGKILL'] as const) {
      child.kill(signal)
      if (await within(STOP_SECONDS, child.exited)) break
    }
    release()
  })
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`
  await until(
    'A PostgreSQL with Citus accepts connections',
    async () => {
      if (child.exitCode !== null) throw new Failure(`PostgreSQL ended during its start: ${await log.text()}`)
      return accepts(url)
    },
    START_MS,
  )
  return { url, pid: child.pid }
}

async function accepts(url: string): Promise<boolean> {
  const sql = connect(url, 'signalbox bench', 1)
  try {
    await sql`select 1`
    return true
  } catch {
    return false
  } finally {
    await sql.end({ timeout: 1 })
  }
}

/** PostgreSQL refuses to run as root; its packages create the user `postgres`. */
async function runAsOwner(data: string): Promise<(...command: string[]) => string[]> {
  if (process.getuid?.() !== 0) return (...command) => command
  const idOf = (kind: string) => Number(Bun.spawnSync(['id', kind, 'postgres']).stdout.toString())
  const [user, group] = [idOf('-u'), idOf('-g')]
  await chown(data, user, group)
  return (...command) => ['setpriv', `--reuid=${user}`, `--regid=${group}`, '--clear-groups', '--', ...command]
}

/** Starts a PostgreSQL without Citus. */
export async function startPlain(programs: string, started: AsyncDisposableStack): Promise<Server[]> {
  return [await startServer(programs, SETTINGS, started)]
}

/** Starts a cluster. @returns the coordinator, then the nodes */
export async function startCluster(programs: string, nodes: number, started: AsyncDisposableStack): Promise<Server[]> {
  const starting = Array.from({ length: nodes + 1 }, () => startServer(programs, { ...SETTINGS, ...CITUS_SETTINGS }, started))
  const servers = await Promise.all(starting)
  for (const { url } of servers) await withServer(url, (sql) => sql`create extension citus`)
  const [coordinator, ...others] = servers.map(({ url }) => new URL(url))
  await withServer(coordinator?.href ?? '', async (sql) => {
    await sql`select citus_set_coordinator_host('127.0.0.1', ${Number(coordinator?.port)})`
    for (const { port } of others) await sql`select citus_add_node('127.0.0.1', ${Number(port)})`
  })
  return servers
}

/** Removes dead rows and counts rows on every server, as autovacuum would have done. */
export async function vacuum(servers: Server[]): Promise<void> {
  for (const { url } of servers) await withServer(url, (sql) => sql`vacuum (analyze)`)
}

async function withServer(url: string, run: (sql: ReturnType<typeof connect>) => Promise<unknown>): Promise<void> {
  const sql = connect(url, 'signalbox bench', 1, { statement_timeout: '0' })
  try {
    await run(sql)
  } finally {
    await sql.end({ timeout: 1 })
  }
}
