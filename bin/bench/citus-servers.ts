/** Servers of this machine's PostgreSQL with Citus: one alone, or a coordinator and its nodes. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { connect, type Sql } from '../../sql/index.ts'
import { connectNodes } from '../../test/support/cluster.ts'
import { throwawayFolder } from '../support/throwaway.ts'
import { startDatabase } from './stage.ts'

const CITUS_SETTINGS = {
  shared_preload_libraries: 'citus',
  wal_level: 'logical',
  max_prepared_transactions: '600',
  'citus.enable_unsafe_triggers': 'on',
  // Without TLS, like the connections of the API and the workers.
  'citus.node_conninfo': 'sslmode=disable',
}

/** The folder of the programs of a PostgreSQL that has Citus: `CITUS_BIN`, or the newest that Debian's packages installed. */
export function findCitus(): string | undefined {
  const newest = [...new Bun.Glob('usr/lib/postgresql/*/lib/citus.so').scanSync('/')].sort().at(-1)
  return process.env.CITUS_BIN ?? (newest && join('/', newest, '../../bin'))
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
  if (nodes > 0) await connectNodes(servers[0] ?? '', servers.slice(1))
  return servers
}

/** Does something on each server, without a time limit for statements. */
export const onEach = <Result>(servers: string[], run: (sql: Sql) => PromiseLike<Result>): Promise<Result[]> =>
  Promise.all(
    servers.map(async (url) => {
      const sql = connect(url, 'signalbox bench', 1, { statement_timeout: '0' })
      return Promise.resolve(run(sql)).finally(() => sql.end({ timeout: 1 }))
    }),
  )

/** Removes dead rows and counts rows on every server, as autovacuum would have done. */
export const vacuum = (servers: string[]) => onEach(servers, (sql) => sql`vacuum (analyze)`)
