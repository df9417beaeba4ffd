/** Servers of this machine's PostgreSQL with Citus: one alone, or a coordinator and its nodes. */
import { existsSync } from 'node:fs'
import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { connect, type Sql } from '../../sql/index.ts'
import { throwawayFolder } from '../support/throwaway.ts'
import { startDatabase } from './stage.ts'

const DEBIAN = '/usr/lib/postgresql'

const CITUS_SETTINGS = {
  shared_preload_libraries: 'citus',
  wal_level: 'logical',
  max_prepared_transactions: '600',
  'citus.enable_unsafe_triggers': 'on',
  // Without TLS, like the connections of the API and the workers.
  'citus.node_conninfo': 'sslmode=disable',
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

/**
 * Starts a cluster, or one server without Citus. Disposing of `started` stops it.
 *
 * @param nodes of a cluster, beside the coordinator
 * @returns the URL of the coordinator or server, then those of the nodes
 */
export async function startServers(bin: string, nodes: number, started: AsyncDisposableStack): Promise<string[]> {
  const { path } = started.use(await throwawayFolder('signalbox-bench-citus-'))
  // Nodes sign in to each other, and do not know each other's passwords.
  const hba_file = join(path, 'hba.conf')
  await writeFile(hba_file, 'host all all 127.0.0.1/32 trust\n', { mode: 0o644 })
  const programs = { initdb: join(bin, 'initdb'), postgres: join(bin, 'postgres') }
  const settings = { max_connections: '300', hba_file, ...(nodes && CITUS_SETTINGS) }
  const servers = await Promise.all(Array.from({ length: nodes + 1 }, () => startDatabase(started, { programs, settings })))
  if (nodes === 0) return servers
  for (const server of servers) await withServer(server, (sql) => sql`create extension citus`)
  const [coordinator = 0, ...others] = servers.map((url) => Number(new URL(url).port))
  await withServer(servers[0], async (sql) => {
    await sql`select citus_set_coordinator_host('127.0.0.1', ${coordinator})`
    for (const port of others) await sql`select citus_add_node('127.0.0.1', ${port})`
  })
  return servers
}

/** Removes dead rows and counts rows on every server, as autovacuum would have done. */
export async function vacuum(servers: string[]): Promise<void> {
  for (const server of servers) await withServer(server, (sql) => sql`vacuum (analyze)`)
}

/** Without a time limit for statements. */
export async function withServer<Result>(url = '', run: (sql: Sql) => PromiseLike<Result>): Promise<Result> {
  const sql = connect(url, 'signalbox bench', 1, { statement_timeout: '0' })
  return Promise.resolve(run(sql)).finally(() => sql.end({ timeout: 1 }))
}
