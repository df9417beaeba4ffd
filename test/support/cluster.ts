/** A Citus cluster for a run of tests. */
import { chmod } from 'node:fs/promises'
import { dirname } from 'node:path'
import { connect } from '../../sql/index.ts'

/** Starts and stops a cluster on this machine: `start FOLDER PORT` prints the URL of the coordinator, `stop FOLDER`. */
const { CITUS_CLUSTER, CITUS_URL, CITUS_FOLDER = null } = process.env

/** For many small databases, in each of which Citus runs a process of its own on every node. */
const SETTINGS = [
  'max_worker_processes = 300',
  'max_connections = 600',
  'max_prepared_transactions = 1200',
  'autovacuum = off',
  'full_page_writes = off',
  'max_wal_size = 1GB',
  // For test/citus-statements.ts.
  "citus.multi_task_query_log_level = 'log'",
  "log_line_prefix = '%m [%p] %a '",
].join('\n')

export interface Cluster extends AsyncDisposable {
  coordinator: string
  nodes: string[]
  /** The log of the coordinator, if it is on this machine. */
  log: string | null
  /** Where its servers are, if they are on this machine and may be ended. */
  folder: string | null
}

/** @returns null if there is neither a script that starts a cluster nor the URL of a coordinator */
export async function openCluster(folder: string): Promise<Cluster | null> {
  if (CITUS_URL) return clusterAt(CITUS_URL, CITUS_FOLDER, async () => {})
  if (!CITUS_CLUSTER) return null
  const run = async (...given: string[]): Promise<string> => {
    const child = Bun.spawn(['bash', CITUS_CLUSTER, ...given], {
      env: { ...process.env, FSYNC: 'off', EXTRA_CONF: SETTINGS },
      stdout: 'pipe',
      stderr: 'pipe',
    })
    const [output, errors, code] = await Promise.all([
      new Response(child.stdout).text(),
      new Response(child.stderr).text(),
      child.exited,
    ])
    if (code !== 0) throw new Error(`The cluster did not ${given[0]}: ${errors}`)
    return output.trim().split('\n').at(-1) ?? ''
  }
  // Its servers run as another user.
  await chmod(dirname(folder), 0o755)
  const url = await run('start', folder, String(await threePorts()))
  return clusterAt(url, folder, async () => {
    await run('stop', folder)
  })
}

/**
 * The first of three free ports in a row. Below those that Linux gives to outgoing connections: tests start the servers again, and
 * a connection could have the port of one meanwhile.
 */
async function threePorts(): Promise<number> {
  for (;;) {
    const port = 20_000 + Math.floor(Math.random() * 12_000)
    const servers: { stop: (now: boolean) => void }[] = []
    try {
      for (const each of [port, port + 1, port + 2])
        servers.push(Bun.listen({ hostname: '127.0.0.1', port: each, socket: { data() {} } }))
      return port
    } catch {
      // Another process has one of them.
    } finally {
      for (const server of servers) server.stop(true)
    }
  }
}

async function clusterAt(coordinator: string, folder: string | null, stop: () => Promise<void>): Promise<Cluster> {
  const sql = connect(coordinator, 'signalbox tests', 1)
  try {
    const nodes = await sql<{ name: string; port: number }[]>`
      select nodename as name, nodeport as port from pg_dist_node where groupid > 0 order by nodeid
    `
    const urlOf = (name: string, port: number): string => {
      const url = new URL(coordinator)
      url.hostname = name
      url.port = String(port)
      return url.href
    }
    return {
      coordinator,
      log: folder === null ? null : `${folder}/coordinator.log`,
      folder,
      nodes: nodes.map(({ name, port }) => urlOf(name, port)),
      [Symbol.asyncDispose]: stop,
    }
  } finally {
    await sql.end({ timeout: 1 })
  }
}

/** Makes a cluster of servers that have a database of the same name. */
export async function connectNodes(coordinator: string, nodes: string[]): Promise<void> {
  for (const server of [coordinator, ...nodes]) {
    const sql = connect(server, 'signalbox cluster', 1)
    await sql`create extension citus`
    await sql.end()
  }
  const sql = connect(coordinator, 'signalbox cluster', 1, { statement_timeout: '0' })
  const [own, ...others] = [coordinator, ...nodes].map((server) => new URL(server))
  await sql`select citus_set_coordinator_host(${own?.hostname ?? ''}, ${Number(own?.port)})`
  for (const { hostname, port } of others) await sql`select citus_add_node(${hostname}, ${Number(port)})`
  await sql.end()
}
