/** Runs all of Signalbox on this machine, for `bun start` and `bun run dev`. */
import { mkdir } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { stopSignal } from '../../cli/support/stop-signal.js'
import { readSettings, SETTINGS, type Settings, SettingsError } from '../../core/platform/settings.ts'
import { lockData } from './data-lock.ts'
import { Failure } from './failure.ts'
import { type Kept, keepRunning, type Running } from './keep-running.ts'
import { type MailCatcher, startMailCatcher } from './mail-catcher.ts'
import { requirePorts, type WantedPort } from './ports.ts'
import { startPostgres } from './postgres.ts'
import { keepProcess, type Procfile, readProcfile, runProcess } from './processes.ts'
import { openSecrets } from './secrets.ts'
import { signInHint } from './sign-in-hint.ts'
import { watchFiles } from './watch-files.ts'
import { within } from './within.ts'

type Environment = Record<string, string | undefined>

interface Mode {
  /** Restart API and worker when a source file changes, after running the release where the file is below sql/. */
  watch: boolean
}

const READY_SECONDS = 60
/** After this many crashes before the API is ready, the cause is permanent. */
const MAX_CRASHES = 3
const WATCHED = ['api', 'core', 'docs', 'sql', 'worker']

const root = dirname(dirname(import.meta.dir))
const say = (line: string) => console.log(line)

/** Runs Signalbox until a signal stops it, and ends this process. */
export async function runSignalbox(mode: Mode): Promise<never> {
  const stopping = stopSignal()
  let exitCode = 0
  try {
    await run(mode, stopping)
  } catch (error) {
    if (!(stopping.aborted && error === stopping.reason)) {
      exitCode = 1
      console.error(error instanceof Failure || error instanceof SettingsError ? error.message : error)
    }
  }
  process.exit(exitCode)
}

/** Completes the environment with the settings of a run on this machine. */
async function prepare(): Promise<{ environment: Environment; settings: Settings; ownDatabase: boolean; ownMail: boolean }> {
  const given: Environment = Object.fromEntries(Object.entries(process.env).filter(([, value]) => value !== ''))
  const dataDir = resolve(root, given.DATA_DIR ?? SETTINGS.DATA_DIR.fallback)
  const ownDatabase = given.DATABASE_URL === undefined
  const ownMail = ownDatabase && given.SMTP_URL === undefined
  const environment: Environment = {
    // Hooks may reach loopback and addresses are not verified, so other machines must not reach the API.
    HOST: '127.0.0.1',
    ...(ownDatabase && { OUTBOUND_ALLOW: '127.0.0.0/8,::1/128', EMAIL_VERIFICATION: 'off' }),
    ...(ownMail && { SMTP_URL: `smtp://127.0.0.1:${given.MAIL_PORT ?? SETTINGS.MAIL_PORT.fallback}` }),
    ...given,
    ...(await openSecrets(given, dataDir)),
    DATA_DIR: dataDir,
  }
  // Settings are checked before anything starts; the URL of the embedded server is known only once it runs.
  const settings = readSettings({ DATABASE_URL: 'postgres://127.0.0.1/signalbox', ...environment })
  if (ownDatabase) {
    const opened = ['OUTBOUND_ALLOW', 'EMAIL_VERIFICATION'].filter((name) => given[name] === undefined)
    if (opened.length > 0) say(`For development: ${opened.map((name) => `${name}=${environment[name]}`).join(' ')}`)
  }
  return { environment, settings, ownDatabase, ownMail }
}

async function run(mode: Mode, stopping: AbortSignal): Promise<void> {
  const { environment, settings, ownDatabase, ownMail } = await prepare()
  if (mode.watch) environment.DEVELOPMENT ??= 'on'
  // Stops everything in the opposite order of its start, also when a later start fails.
  await using started = new AsyncDisposableStack()

  if (ownDatabase) {
    await mkdir(settings.DATA_DIR, { recursive: true })
    const lock = lockData(settings.DATA_DIR)
    started.defer(lock.release)
  }
  await requirePorts([apiPort(settings), ...(ownMail ? mailPorts(settings) : [])])

  if (ownDatabase) {
    const database = await keepDatabase(join(settings.DATA_DIR, 'postgres'))
    started.defer(database.stop)
    environment.DATABASE_URL = database.current.url
    stopping.throwIfAborted()
  }
  let mail: MailCatcher | undefined
  if (ownMail) {
    mail = await startMailCatcher({ smtpPort: settings.MAIL_PORT, webPort: settings.MAIL_WEB_PORT })
    started.defer(mail.stop)
  }

  const procfile = await readProcfile(join(root, 'Procfile'))
  await runProcess(procfile, 'release', { environment, say, signal: stopping })
  const afterCrash = mode.watch ? 'wait' : 'start'
  const processes = await Promise.all(
    ['web', 'worker'].map((name) => keepProcess(procfile, name, { environment, say }, afterCrash)),
  )
  started.defer(async () => {
    await Promise.all(processes.map((each) => each.stop()))
  })
  if (mode.watch) started.defer(restartOnChange(procfile, environment, processes, stopping))

  await untilReady(settings, processes, mode, stopping)
  await welcome(settings, ownDatabase ? environment.DATABASE_URL : undefined, mail, mode)
  await aborted(stopping)
  say('\nStopping …')
}

/** @returns stops watching */
function restartOnChange(procfile: Procfile, environment: Environment, processes: Kept<Running>[], stopping: AbortSignal) {
  return watchFiles(root, WATCHED, async (paths) => {
    const [first = ''] = paths
    say(`${paths.length === 1 ? first : `${first} and ${paths.length - 1} more`} changed. Restarting.`)
    try {
      if (paths.some((path) => path.startsWith('sql/'))) {
        await runProcess(procfile, 'release', { environment, say, signal: stopping })
      }
    } catch (error) {
      if (!stopping.aborted) say(`${(error as Error).message} API and worker were not restarted.`)
      return
    }
    for (const each of processes) each.restart()
  })
}

function keepDatabase(dataDir: string) {
  return keepRunning({
    name: 'The database',
    say,
    start: (previous?: Awaited<ReturnType<typeof startPostgres>>) =>
      startPostgres({
        dataDir,
        port: previous?.port,
        onLog: (line) => {
          // A server that ends reports it for each connection; these lines would only repeat ours.
          if (
            / (FATAL|PANIC): /.test(line) &&
            !/ terminating connection | is (starting up|shutting down)| recovery mode/.test(line)
          ) {
            console.error(`postgres| ${line}`)
          }
        },
      }),
  })
}

const apiPort = ({ PORT, HOST = '127.0.0.1' }: Settings): WantedPort => ({
  setting: 'PORT',
  port: PORT,
  host: HOST,
  purpose: 'the API',
})

/** The origin under which this machine reaches the API. All addresses include loopback. */
function originOf({ HOST = '127.0.0.1', PORT }: Settings, loopback: string): string {
  const host = ['0.0.0.0', '::', '127.0.0.1', 'localhost'].includes(HOST) ? loopback : HOST
  return `http://${host.includes(':') ? `[${host}]` : host}:${PORT}`
}

const mailPorts = ({ MAIL_PORT, MAIL_WEB_PORT }: Settings): WantedPort[] => [
  { setting: 'MAIL_PORT', port: MAIL_PORT, host: '127.0.0.1', purpose: 'captured mail' },
  { setting: 'MAIL_WEB_PORT', port: MAIL_WEB_PORT, host: '127.0.0.1', purpose: 'the page of captured mail' },
]

/** Waits until the API is ready. While files are watched it waits forever, since the next change may mend it. */
async function untilReady(settings: Settings, processes: Kept<Running>[], { watch }: Mode, stopping: AbortSignal): Promise<void> {
  const url = `${originOf(settings, '127.0.0.1')}/readyz`
  const stopped = aborted(stopping)
  let answer = 'nothing'
  for (const deadline = Date.now() + READY_SECONDS * 1000; watch || Date.now() < deadline; await within(0.1, stopped)) {
    stopping.throwIfAborted()
    if (!watch && processes.some(({ crashes }) => crashes >= MAX_CRASHES)) {
      throw new Failure('Signalbox does not start: a process keeps ending. Its lines above give the reason.')
    }
    try {
      const { ok, status } = await fetch(url, { signal: AbortSignal.timeout(2000) })
      if (ok) return
      answer = String(status)
    } catch {
      // Not listening yet.
    }
  }
  throw new Failure(`Signalbox was not ready within ${READY_SECONDS} seconds: the last answer of ${url} was ${answer}.`)
}

async function welcome(
  settings: Settings,
  databaseUrl: string | undefined,
  mail: MailCatcher | undefined,
  { watch }: Mode,
): Promise<void> {
  const api = originOf(settings, 'localhost')
  const rows = [
    ['Sign in', await signInHint(api, databaseUrl, settings.REGISTRATION === 'open')],
    ['API', api],
    ['Docs', `${api}/docs`],
    ...(mail ? [['Mail', `${mail.webUrl} shows what would have been sent`]] : []),
    ['Database', `psql "${databaseUrl ?? '$DATABASE_URL'}" -c 'table ops.health' (or npx --yes bun run ops)`],
    ['Try it', 'npx --yes bun run demo, in a second terminal'],
    ['Data', 'npx --yes bun run seed, in a second terminal'],
    ...(watch ? [['Watching', WATCHED.join(', ')]] : []),
    ['Stop', 'Ctrl-C'],
  ]
  say(`\nSignalbox is ready.\n\n${rows.map(([name = '', text]) => `  ${name.padEnd(10)}${text}`).join('\n')}\n`)
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
}
