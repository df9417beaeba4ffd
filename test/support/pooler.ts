/** PgBouncer in transaction mode in front of a PostgreSQL server, for any database. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Subprocess, spawn } from 'bun'
import { freePort } from '../../bin/support/ports.ts'
import { find } from './programs.ts'

const program = find('pgbouncer', 'Signalbox behind PgBouncer')

/** Whether this machine has PgBouncer. */
export const hasPooler = program !== null

export class Pooler {
  private constructor(
    /** The database of `direct`, through the pooler. */
    readonly url: URL,
    private readonly folder: string,
    private process: Subprocess,
  ) {}

  static async before(direct: URL): Promise<Pooler> {
    const url = new URL(direct.href)
    url.port = String(await freePort('127.0.0.1'))
    const folder = await mkdtemp(join(tmpdir(), 'signalbox-pgbouncer-'))
    const password = direct.password === '' ? '' : ` password=${direct.password}`
    await Bun.write(
      join(folder, 'pgbouncer.ini'),
      `[databases]
* = host=127.0.0.1 port=${direct.port} user=${direct.username}${password}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${url.port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = 4
`,
    )
    await Bun.$`chmod -R a+rX ${folder}`
    return new Pooler(url, folder, launch(folder))
  }

  kill(signal: NodeJS.Signals): void {
    this.process.kill(signal)
  }

  /** Kills it, as in a crash. */
  async crash(): Promise<void> {
    this.process.kill('SIGKILL')
    await this.process.exited
  }

  start(): void {
    this.process = launch(this.folder)
  }

  async stop(): Promise<void> {
    await this.crash()
    await rm(this.folder, { recursive: true, force: true })
  }
}

function launch(folder: string): Subprocess {
  // PgBouncer does not run as root.
  const asNobody = process.getuid?.() === 0 ? ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups'] : []
  return spawn([...asNobody, program ?? '', join(folder, 'pgbouncer.ini')], { stdout: 'ignore', stderr: 'ignore' })
}
