/** Servers of this machine's PostgreSQL with Citus: one alone, or a coordinator and its nodes. */
import { existsSync } from 'node:fs'
import { appendFile, mkdir, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { connect, type Sql } from '../../sql/index.ts'
import { Failure } from '../support/failure.ts'
import { endWithParent } from '../support/leash.ts'
import { freePort } from '../support/ports.ts'
import { throwawayFolder } from '../support/throwaway.ts'

const DEBIAN = '/usr/lib/postgresql'

const SETTINGS = { listen_addresses: '127.0.0.1', unix_socket_directories: '', timezone: 'UTC', max_connections: '300' }
const CITUS_SETTINGS = {
  ...SETTINGS,
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
export async function findCitus(): Promise<string | undefined> {
  const versions = await readdir(DEBIAN).catch(() => [])
  const folders = process.env.CITUS_BIN ? [process.env.CITUS_BIN] : versions.sort().map((each) => join(DEBIAN, each, 'bin'))
  return folders.findLast((folder) => {
    if (!existsSync(join(folder, 'pg_config'))) return false
    const { stdout } = Bun.spawnSync([join(folder, 'pg_config'), '--sharedir'])
    return existsSync(join(stdout.toString().trim(), 'extension/citus.control'))
  })
}

/** PostgreSQL refuses to run as root; its packages create the user `postgres`. */
async function runAsPostgres(folder: string, ...command: string[]): Promise<void> {
  const user = process.getuid?.() === 0 ? ['setpriv', '--reuid=postgres', '--regid=postgres', '--clear-groups', '--'] : []
  // Not the certificates and the password file of the caller, which the user cannot read.
  const env = { PATH: process.env.PATH, LC_ALL: 'C', HOME: folder }
  const child = Bun.spawn([...user, ...command], {
    cwd: folder,
    env,
    stdin: 'ignore',
    stdout: 'ignore',
    stderr: 'pipe',
    detached: true,
  })
  const code = await child.exited
  if (code !== 0) throw new Failure(`${command[0]} failed: ${await new Response(child.stderr).text()}`)
}

/** Starts one server, by default without Citus. Disposing of `started` stops it and removes its data. */
export async function startServer(programs: string, started: AsyncDisposableStack, settings: object = SETTINGS): Promise<Server> {
  const { path } = started.use(await throwawayFolder('signalbox-bench-citus-'))
  const folder = join(path, 'server')
  await mkdir(folder)
  if (process.getuid?.() === 0) Bun.spawnSync(['chown', 'postgres:', folder])
  const data = join(folder, 'data')
  const create = ['--username=postgres', '--auth=trust', '--encoding=UTF8', '--locale=C.UTF-8', '--no-instructions']
  await runAsPostgres(folder, join(programs, 'initdb'), `--pgdata=${data}`, ...create)
  const port = await freePort('127.0.0.1')
  const lines = Object.entries({ ...settings, port: String(port) }).map(([name, value]) => `${name} = '${value}'\n`)
  await appendFile(join(data, 'postgresql.conf'), lines.join(''))
  const control = (...command: string[]) =>
    runAsPostgres(folder, join(programs, 'pg_ctl'), `--pgdata=${data}`, '--wait', ...command)
  await control('start', `--log=${join(folder, 'log')}`)
  const pid = Number((await readFile(join(data, 'postmaster.pid'), 'utf8')).split('\n')[0])
  const release = endWithParent(pid, 'INT')
  started.defer(async () => {
    await control('stop', '--mode=fast')
    release()
  })
  return { url: `postgres://postgres@127.0.0.1:${port}/postgres`, pid }
}

/** Starts a cluster. @returns the coordinator, then the nodes */
export async function startCluster(programs: string, nodes: number, started: AsyncDisposableStack): Promise<Server[]> {
  const starting = Array.from({ length: nodes + 1 }, () => startServer(programs, started, CITUS_SETTINGS))
  const servers = await Promise.all(starting)
  for (const server of servers) await withServer(server, (sql) => sql`create extension citus`)
  const [coordinator, ...others] = servers.map(({ url }) => Number(new URL(url).port))
  await withServer(servers[0], async (sql) => {
    await sql`select citus_set_coordinator_host('127.0.0.1', ${coordinator ?? 0})`
    for (const port of others) await sql`select citus_add_node('127.0.0.1', ${port})`
  })
  return servers
}

/** Removes dead rows and counts rows on every server, as autovacuum would have done. */
export async function vacuum(servers: Server[]): Promise<void> {
  for (const server of servers) await withServer(server, (sql) => sql`vacuum (analyze)`)
}

/** Without a time limit for statements. */
export async function withServer(server: Server | undefined, run: (sql: Sql) => Promise<unknown>): Promise<void> {
  const sql = connect(server?.url ?? '', 'signalbox bench', 1, { statement_timeout: '0' })
  await Promise.resolve(run(sql)).finally(() => sql.end({ timeout: 1 }))
}
