/** The servers of a Citus cluster, which its fault tests kill. `bun run test:citus` sets where they are. */
import { readdir, readFile, readlink } from 'node:fs/promises'
import { dirname } from 'node:path'
import { connect, type Sql } from '../sql/index.ts'
import type { Box } from '../test/support/signalbox.ts'

/** Where the script keeps the servers; undefined without a cluster whose servers may be killed. */
export const folder = process.env.TEST_CITUS_FOLDER

const NODES = (process.env.TEST_CITUS_NODES ?? '').split(' ')

type ServerName = 'coordinator' | 'worker1' | 'worker2'

/** A server of the cluster, on this machine. */
export class Server {
  private constructor(
    readonly port: number,
    private readonly postmaster: () => Promise<number>,
    private readonly command: string,
    private readonly log: () => Promise<string>,
  ) {}

  /** @param name the server runs */
  static async of(name: ServerName): Promise<Server> {
    const lines = async () => (await readFile(`${folder}/${name}/postmaster.pid`, 'utf8')).split('\n')
    const postmaster = async () => Number((await lines())[0])
    const programs = dirname(await readlink(`/proc/${await postmaster()}/exe`))
    const start = `${programs}/pg_ctl -D ${folder}/${name} -l ${folder}/${name}.log -w start`
    return new Server(Number((await lines())[3]), postmaster, start, () => readFile(`${folder}/${name}.log`, 'utf8'))
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

  async start(): Promise<void> {
    const child = Bun.spawn(['su', 'postgres', '-s', '/bin/sh', '-c', this.command], { stdout: 'ignore', stderr: 'ignore' })
    if ((await child.exited) !== 0) throw new Error(`${this.command} failed:\n${(await this.log()).slice(-2_000)}`)
  }
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
