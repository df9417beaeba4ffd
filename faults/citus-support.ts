/** The servers of a Citus cluster, which its fault tests kill. `bun run test:citus` sets where they are. */
import { readdir, readFile, readlink } from 'node:fs/promises'
import { dirname } from 'node:path'
import { freePort } from '../bin/support/ports.ts'
import { connect, type Sql } from '../sql/index.ts'
import { connectNodes } from '../test/support/cluster.ts'
import { createDatabase, dropDatabase } from '../test/support/databases.ts'
import type { Box } from '../test/support/signalbox.ts'

/** Where the script keeps the servers; undefined without a cluster whose servers may be killed. */
export const folder = process.env.TEST_CITUS_FOLDER

const NODES = (process.env.TEST_CITUS_NODES ?? '').split(' ')

export type ServerName = 'coordinator' | 'worker1' | 'worker2'

/** The folder of the programs of PostgreSQL that the servers run. */
export async function programs(): Promise<string> {
  const [pid = ''] = (await readFile(`${folder}/coordinator/postmaster.pid`, 'utf8')).split('\n')
  return dirname(await readlink(`/proc/${pid}/exe`))
}

/** A server of the cluster, on this machine. */
export class Server {
  private constructor(
    readonly port: number,
    readonly data: string,
    private readonly postmaster: () => Promise<number>,
    private readonly command: string,
    private readonly log: () => Promise<string>,
  ) {}

  /** @param name the server runs */
  static async of(name: ServerName): Promise<Server> {
    const port = Number((await readFile(`${folder}/${name}/postmaster.pid`, 'utf8')).split('\n')[3])
    return Server.in(`${folder}/${name}`, port)
  }

  /** @param data its folder, beside which is its log */
  static async in(data: string, port: number): Promise<Server> {
    const postmaster = async () => Number((await readFile(`${data}/postmaster.pid`, 'utf8')).split('\n')[0])
    const command = `${await programs()}/pg_ctl -D ${data} -l ${data}.log -w`
    return new Server(port, data, postmaster, command, () => readFile(`${data}.log`, 'utf8'))
  }

  /** A new server with the settings of the others. */
  static async create(name: string): Promise<Server> {
    const [data, port] = [`${folder}/${name}`, await freePort('127.0.0.1')]
    await asPostgres(`${await programs()}/initdb -D ${data} -U postgres -A trust -E UTF8 --locale=C.UTF-8 -N`)
    await asPostgres(`cp ${folder}/worker1/postgresql.conf ${data} && echo 'port = ${port}' >> ${data}/postgresql.conf`)
    const server = await Server.in(data, port)
    await server.start()
    return server
  }

  /** Ends it at once. No session ends by itself. */
  async kill(): Promise<void> {
    const postmaster = await this.postmaster()
    // While it is stopped, it starts no process that would be overlooked. The signal needs a moment.
    process.kill(postmaster, 'SIGSTOP')
    while ((await stateOf(postmaster)) !== 'T') await Bun.sleep(1)
    const processes = [...(await childrenOf(postmaster)), postmaster]
    for (const pid of processes) killIfThere(pid)
    // It does not start while a process of its last run has its memory.
    while ((await Promise.all(processes.map(isThere))).includes(true)) await Bun.sleep(10)
  }

  /** @param environment variables of the server, such as `TZ=UTC` */
  async start(environment = ''): Promise<void> {
    await asPostgres(`${environment} ${this.command} start`).catch(async ({ message }) => {
      throw new Error(`${message}\n${(await this.log()).slice(-2_000)}`)
    })
  }

  /** Ends it as an operator does. */
  stop = (mode: 'fast' | 'immediate') => asPostgres(`${this.command} -m ${mode} stop`)
}

/** Runs a command of PostgreSQL as the user of its servers. */
export async function asPostgres(command: string): Promise<void> {
  const child = Bun.spawn(['su', 'postgres', '-s', '/bin/sh', '-c', command], { stdout: 'ignore', stderr: 'pipe' })
  if ((await child.exited) !== 0) throw new Error(`${command} failed: ${await new Response(child.stderr).text()}`)
}

function killIfThere(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It has ended by itself.
  }
}

/** The state of a process, such as T for stopped; undefined if it is not there. */
async function stateOf(pid: number): Promise<string | undefined> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[0] || undefined
}

const isThere = async (pid: number): Promise<boolean> => (await stateOf(pid)) !== undefined

async function childrenOf(parent: number): Promise<number[]> {
  const pids = (await readdir('/proc')).map(Number).filter((pid) => pid > 0)
  const parents = await Promise.all(
    pids.map(async (pid) => {
      const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
      return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])
    }),
  )
  return pids.filter((_, index) => parents[index] === parent)
}

/** The port of the node that has the rows of an organization. */
export async function portOf({ sql }: Box, organization_id: string): Promise<number> {
  const [{ port }] = await sql<[{ port: number }]>`
    select nodeport as port
    from pg_dist_shard_placement
    where shardid = get_shard_id_for_distribution_column('organizations', ${organization_id}::uuid)
  `
  return port
}

/** The database of a box on the node with this port. */
export function connectToNode({ url }: Box, port: number): Sql {
  const node = NODES.find((each) => each.includes(`:${port}/`)) ?? ''
  return connect(node.replace(/[^/]*$/, new URL(url).pathname.slice(1)), 'signalbox node', 2)
}

const COORDINATOR = process.env.TEST_DATABASE_URL ?? ''

const at = (server: string, name: string): string => server.replace(/[^/]*$/, name)

/** A database on all servers of the cluster, without tables. */
export async function emptyCluster(name: string): Promise<string> {
  const admin = connect(COORDINATOR, 'signalbox tests', 1, { statement_timeout: '0' })
  await dropDatabase(admin, name)
  await createDatabase(admin, name)
  await admin.end()
  await connectNodes(
    at(COORDINATOR, name),
    NODES.map((node) => at(node, name)),
  )
  return at(COORDINATOR, name)
}
