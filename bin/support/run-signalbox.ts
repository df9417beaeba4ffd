/** Runs all of Signalbox on this machine: for `bun start`, `bun run dev`, and commands that need one. */
import { once } from 'node:events'
import { watch as watchFolder } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { stopSignal } from '../../cli/support/stop-signal.js'
import { hasForeignKey } from '../../core/platform/direct-database.ts'
import { MAIL_CATCHER_SETTINGS, readConnectionSettings, readSettings, SETTINGS } from '../../core/platform/settings.ts'
import { connect } from '../../sql/index.ts'
import { PASSWORD, PEOPLE } from '../scenario/stage.ts'
import { isReady } from './api-client.ts'
import { Failure, runToEnd } from './command.ts'
import { lockData, openSecrets } from './data-folder.ts'
import { keepRunning, type Running, type Supervised, stopper, within } from './keep-running.ts'
import { forEachLine, readable } from './lines.ts'
import { startMailCatcher } from './mail-catcher.ts'
import { requirePort } from './ports.ts'
import { type Postgres, startPostgres } from './postgres.ts'

/** After this many crashes before the API is ready, the cause is permanent. */
const MAX_CRASHES = 3
const WATCHED = ['api', 'core', 'docs', 'sql', 'worker']

const root = resolve(import.meta.dir, '../..')
const SCRIPTS = { release: 'sql/migrate.ts', web: 'api/server.ts', worker: 'worker/main.ts' }

type Environment = Record<string, string | undefined>

export interface Signalbox {
  /** The origin of the API and the web app. */
  url: string
  /** The origin of the mail catcher; null if there is none that can be read. */
  mailUrl: string | null
  databaseUrl: string | undefined
}

/**
 * Runs Signalbox until a signal stops it, and ends this process.
 *
 * @param watch restart API and worker when a source file changes, after running the release where the file is below sql/
 */
export function runSignalbox({ watch }: { watch: boolean }): Promise<never> {
  const stopping = stopSignal()
  const run = async () => {
    await using started = new AsyncDisposableStack()
    welcome(await startSignalbox(started, process.env, stopping, watch), watch)
    if (!stopping.aborted) await once(stopping, 'abort')
    console.log('\nStopping …')
  }
  return runToEnd(run, stopping)
}

/** Completes the environment with the settings of a run on this machine, and checks it. */
async function prepare(all: Environment) {
  const given: Environment = Object.fromEntries(Object.entries(all).filter(([, value]) => value))
  const DATA_DIR = resolve(root, given.DATA_DIR ?? SETTINGS.DATA_DIR.fallback)
  const ownDatabase = given.DATABASE_URL === undefined
  const ownMail = ownDatabase && given.SMTP_URL === undefined
  const opened = await openSecrets(given, DATA_DIR)
  const relaxed: Environment = ownDatabase ? { OUTBOUND_ALLOW: '127.0.0.0/8,::1/128', EMAIL_VERIFICATION: 'off' } : {}
  const environment: Environment = {
    // Hooks may reach loopback and addresses are not verified, so other machines must not reach the API.
    HOST: '127.0.0.1',
    ...relaxed,
    ...(ownMail && { SMTP_URL: `smtp://127.0.0.1:${given.MAIL_PORT ?? SETTINGS.MAIL_PORT.fallback}` }),
    ...given,
    ...opened.secrets,
    DATA_DIR,
  }
  // The URL of the embedded server is known only once it runs.
  const known = { DATABASE_URL: 'postgres://127.0.0.1/signalbox', ...environment }
  const settings = readSettings(known, ['DATA_DIR', ...(ownMail ? MAIL_CATCHER_SETTINGS : [])])
  const chosen = Object.entries(relaxed).filter(([name]) => given[name] === undefined)
  if (chosen.length > 0) console.log(`For development: ${chosen.map((each) => each.join('=')).join(' ')}`)
  return { environment, settings, ownDatabase, ownMail, opened }
}

/** Starts Signalbox, and resolves when it is ready. Disposing of `started` stops it. */
export async function startSignalbox(
  started: AsyncDisposableStack,
  given: Environment,
  stopping: AbortSignal,
  watch = false,
): Promise<Signalbox & { hint: string }> {
  const { environment, settings, ownDatabase, ownMail, opened } = await prepare(given)
  const { DATA_DIR, HOST = '127.0.0.1', PORT, MAIL_PORT, MAIL_WEB_PORT } = settings
  if (watch) environment.DEVELOPMENT ??= 'on'

  if (ownDatabase) {
    await mkdir(DATA_DIR, { recursive: true })
    started.use(lockData(DATA_DIR))
  }
  await requirePort('PORT', PORT, HOST)
  if (ownMail) {
    await requirePort('MAIL_PORT', MAIL_PORT)
    await requirePort('MAIL_WEB_PORT', MAIL_WEB_PORT)
    started.defer((await startMailCatcher({ smtpPort: MAIL_PORT, webPort: MAIL_WEB_PORT })).stop)
  }
  if (ownDatabase) {
    const database = await keepDatabase(join(DATA_DIR, 'postgres'))
    started.defer(database.stop)
    environment.DATABASE_URL = database.current.url
    stopping.throwIfAborted()
  }

  await runRelease(environment, stopping)
  if (opened.hasNewKey && (await hasForeignKey({ ...settings, ...readConnectionSettings(environment) })))
    throw new Failure(
      `${opened.file} has no SECRETS_KEY, and the database has secrets that a new key cannot decrypt. Restore the file, set SECRETS_KEY to the key that encrypted them, or set a new one to go on without them.`,
    )
  await opened.keep()
  const keep = (name: 'web' | 'worker') => keepRunning(name, async () => launch(name, environment), watch)
  const processes = await Promise.all([keep('web'), keep('worker')])
  started.defer(async () => void (await Promise.all(processes.map((each) => each.stop()))))
  if (watch) started.defer(restartOnChange(environment, processes, stopping))

  const url = originOf(HOST, PORT)
  await untilReady(url, processes, watch, stopping)
  const databaseUrl = environment.DATABASE_URL
  const hint = await signInHint(url, ownDatabase ? databaseUrl : undefined, settings.REGISTRATION === 'open')
  return { url, mailUrl: ownMail ? `http://localhost:${MAIL_WEB_PORT}` : null, databaseUrl, hint }
}

/** Migrates the database, as a deploy does. An abort stops it. */
async function runRelease(environment: Environment, signal: AbortSignal): Promise<void> {
  const { exited, stop } = launch('release', environment)
  signal.addEventListener('abort', stop)
  const code = await exited
  signal.throwIfAborted()
  if (code !== 0)
    throw new Failure(`release (bun ${SCRIPTS.release}) failed with exit code ${code}; its lines above give the reason.`)
}

function launch(name: keyof typeof SCRIPTS, environment: Environment): Running {
  // Detached: Ctrl-C goes to the whole foreground group, but the supervisor decides on the order of stopping.
  const child = Bun.spawn([process.execPath, SCRIPTS[name]], {
    cwd: root,
    // If the supervisor is killed with SIGKILL, its processes must end and release their ports.
    env: { ...environment, BUN_FEATURE_FLAG_NO_ORPHANS: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  const label = `${name.padEnd(7)}| `
  const read = Promise.all([
    forEachLine(child.stdout, (line) => process.stdout.write(`${label}${readable(line).replaceAll('\n', `\n${label}`)}\n`)),
    forEachLine(child.stderr, (line) => process.stderr.write(`${label}${line}\n`)),
  ])
  // Its last lines are printed before any line about its end; a grandchild may keep the pipes open for longer.
  const exited = child.exited.then(async (code) => {
    await within(1, read)
    return code
  })
  return { exited, stop: stopper(exited, (signal) => child.kill(signal), 'SIGTERM', 'SIGKILL') }
}

const SOURCE = /\.(tsx?|js|sql|md|html|css|json|ya?ml)$/
/** Long enough for all files of one save, or of one `git checkout` in most cases. */
const BURST_MS = 150

/** Restarts the processes once per burst of changes, after the release if one is below sql/. @returns stops watching */
function restartOnChange(environment: Environment, processes: Supervised<Running>[], stopping: AbortSignal): () => void {
  const changed = new Set<string>()
  let timer: Timer | undefined
  let running = Promise.resolve()
  async function restart(): Promise<void> {
    const paths = [...changed].sort()
    changed.clear()
    console.log(`${paths[0]}${paths.length > 1 ? ` and ${paths.length - 1} more` : ''} changed. Restarting.`)
    try {
      if (paths.some((path) => path.startsWith('sql/'))) await runRelease(environment, stopping)
    } catch (error) {
      if (!stopping.aborted) console.log(`${(error as Error).message} API and worker were not restarted.`)
      return
    }
    for (const each of processes) each.restart()
  }
  const watchers = WATCHED.map((folder) =>
    watchFolder(join(root, folder), { recursive: true }, (_, name) => {
      if (!name || !SOURCE.test(name)) return
      changed.add(join(folder, name))
      clearTimeout(timer)
      timer = setTimeout(() => (running = running.then(restart)), BURST_MS)
    }),
  )
  return () => {
    clearTimeout(timer)
    for (const watcher of watchers) watcher.close()
  }
}

function keepDatabase(dataDir: string): Promise<Supervised<Postgres>> {
  const onLog = (line: string) => {
    // A server that ends reports it for each connection; these lines would only repeat ours.
    if (/ (FATAL|PANIC): /.test(line) && !/ terminating connection | is (starting up|shutting down)| recovery mode/.test(line))
      console.error(`postgres| ${line}`)
  }
  return keepRunning('The database', (previous?: Postgres) => startPostgres({ dataDir, port: previous?.port, onLog }))
}

/** The origin under which this machine reaches the API. All addresses include loopback. */
function originOf(address: string, port: number): string {
  const host = ['0.0.0.0', '::', '127.0.0.1'].includes(address) ? 'localhost' : address
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}

/** Waits until the API is ready, as long as that can still happen: the next change of a file may mend it. */
async function untilReady(url: string, processes: Supervised<Running>[], watch: boolean, stopping: AbortSignal): Promise<void> {
  for (; !(await isReady(url)); await Bun.sleep(100)) {
    stopping.throwIfAborted()
    if (!watch && processes.some(({ crashes }) => crashes >= MAX_CRASHES))
      throw new Failure('Signalbox does not start: a process keeps ending. Its lines above give the reason.')
  }
}

function welcome({ url, mailUrl, databaseUrl, hint }: Awaited<ReturnType<typeof startSignalbox>>, watch: boolean): void {
  const shown = databaseUrl === process.env.DATABASE_URL ? '$DATABASE_URL' : databaseUrl
  console.log(`
Signalbox is ready.

  Sign in   ${hint}
  API       ${url}
  Docs      ${url}/docs${mailUrl ? `\n  Mail      ${mailUrl} shows what would have been sent` : ''}
  Database  psql "${shown}" -c 'table ops.health' (or npx --yes bun run ops)
  Try it    npx --yes bun run demo, in a second terminal
  Data      npx --yes bun run seed, in a second terminal${watch ? `\n  Watching  ${WATCHED.join(', ')}` : ''}
  Stop      Ctrl-C
`)
}

const { email } = PEOPLE.ada

/** Whether the account of `bun run seed` exists, with its password. */
async function hasSeedAccount(databaseUrl: string): Promise<boolean> {
  const sql = connect(databaseUrl, 'signalbox start', 1)
  const find = sql<{ password_hash: string }[]>`select password_hash from users where email = ${email} and deleted_at is null`
  const [user] = await find.finally(() => sql.end({ timeout: 1 }))
  return user !== undefined && Bun.password.verify(PASSWORD, user.password_hash)
}

/** @param databaseUrl of the embedded database; undefined for another, whose accounts are not looked at */
export async function signInHint(app: string, databaseUrl: string | undefined, isOpen: boolean): Promise<string> {
  if (databaseUrl && (await hasSeedAccount(databaseUrl))) return `${app}/sign-in as ${email} with the password "${PASSWORD}"`
  return isOpen ? `${app}/register creates an account; after that, ${app}/sign-in` : `${app}/sign-in`
}
