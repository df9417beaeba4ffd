/**
 * `bun start`: Signalbox on a machine that has nothing but Bun. Brings a PostgreSQL server, a
 * catcher for its mail and the secrets where none are set, then runs the Procfile.
 */
import { mkdir } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { readSettings, SETTINGS, type Settings, SettingsError } from '../core/platform/settings.ts'
import { lockData } from './support/data-lock.ts'
import { Failure } from './support/failure.ts'
import { answerHelp } from './support/help.ts'
import { type Kept, keepRunning, type Running } from './support/keep-running.ts'
import { type MailCatcher, startMailCatcher } from './support/mail-catcher.ts'
import { requirePorts, type WantedPort } from './support/ports.ts'
import { startPostgres } from './support/postgres.ts'
import { keepProcess, readProcfile, runProcess } from './support/processes.ts'
import { openSecrets } from './support/secrets.ts'
import { stopSignal } from './support/stop-signal.ts'
import { within } from './support/within.ts'

answerHelp(`npx --yes bun start

Runs all of Signalbox on this machine: migrates the database, then runs API and worker until Ctrl-C. Without DATABASE_URL it brings
a PostgreSQL server and a mail catcher, which keep their data in ${SETTINGS.DATA_DIR.fallback}/ (DATA_DIR).

Settings come from the environment, or from .env: PORT, MAIL_PORT and MAIL_WEB_PORT for other ports, the rest in docs/settings.md.`)

type Environment = Record<string, string | undefined>

const READY_SECONDS = 60
// A process that dies this often before Signalbox is ready will not get well by itself.
const FATAL_DEATHS = 3

const root = dirname(import.meta.dir)
const say = (line: string) => console.log(line)

/** What the environment leaves open, filled in for a run on this machine. */
async function prepare(): Promise<{ environment: Environment; settings: Settings; ownDatabase: boolean; ownMail: boolean }> {
  const given: Environment = Object.fromEntries(Object.entries(process.env).filter(([, value]) => value !== ''))
  const dataDir = resolve(root, given.DATA_DIR ?? SETTINGS.DATA_DIR.fallback)
  const ownDatabase = given.DATABASE_URL === undefined
  const ownMail = ownDatabase && given.SMTP_URL === undefined
  const environment: Environment = {
    // Its hooks may reach loopback, and addresses are not verified: other machines stay out.
    HOST: '127.0.0.1',
    ...(ownDatabase && { OUTBOUND_ALLOW: '127.0.0.0/8,::1/128', EMAIL_VERIFICATION: 'off' }),
    ...(ownMail && { SMTP_URL: `smtp://127.0.0.1:${given.MAIL_PORT ?? SETTINGS.MAIL_PORT.fallback}` }),
    ...given,
    ...(await openSecrets(given, dataDir)),
    DATA_DIR: dataDir,
  }
  // The server's own URL is known only once it runs, and everything is checked before anything runs.
  const settings = readSettings({ DATABASE_URL: 'postgres://127.0.0.1/signalbox', ...environment })
  if (ownDatabase) {
    const opened = ['OUTBOUND_ALLOW', 'EMAIL_VERIFICATION'].filter((name) => given[name] === undefined)
    if (opened.length > 0) say(`For development: ${opened.map((name) => `${name}=${environment[name]}`).join(' ')}`)
  }
  return { environment, settings, ownDatabase, ownMail }
}

async function run(stopping: AbortSignal): Promise<void> {
  const { environment, settings, ownDatabase, ownMail } = await prepare()
  // Whatever was started is stopped in the opposite order, also when a later start fails.
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
  const processes = await Promise.all(['web', 'worker'].map((name) => keepProcess(procfile, name, { environment, say })))
  started.defer(async () => {
    await Promise.all(processes.map((each) => each.stop()))
  })

  await untilReady(settings, processes, stopping)
  welcome(settings, ownDatabase ? environment.DATABASE_URL : undefined, mail)
  await aborted(stopping)
  say('\nStopping …')
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
          // A server that ends tells each connection so; those lines would only repeat ours.
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

/** Where this machine reaches what listens on an address: every address means that loopback is one of them. */
function originOf({ HOST = '127.0.0.1', PORT }: Settings, loopback: string): string {
  const host = ['0.0.0.0', '::', '127.0.0.1', 'localhost'].includes(HOST) ? loopback : HOST
  return `http://${host.includes(':') ? `[${host}]` : host}:${PORT}`
}

const mailPorts = ({ MAIL_PORT, MAIL_WEB_PORT }: Settings): WantedPort[] => [
  { setting: 'MAIL_PORT', port: MAIL_PORT, host: '127.0.0.1', purpose: 'captured mail' },
  { setting: 'MAIL_WEB_PORT', port: MAIL_WEB_PORT, host: '127.0.0.1', purpose: 'the page of captured mail' },
]

async function untilReady(settings: Settings, processes: Kept<Running>[], stopping: AbortSignal): Promise<void> {
  const url = `${originOf(settings, '127.0.0.1')}/readyz`
  const stopped = aborted(stopping)
  let answer = 'nothing'
  for (const deadline = Date.now() + READY_SECONDS * 1000; Date.now() < deadline; await within(0.1, stopped)) {
    stopping.throwIfAborted()
    if (processes.some(({ deaths }) => deaths >= FATAL_DEATHS)) {
      throw new Failure('Signalbox does not come up: a process ends again and again; its lines above say why.')
    }
    try {
      const { ok, status } = await fetch(url, { signal: AbortSignal.timeout(2000) })
      if (ok) return
      answer = String(status)
    } catch {
      // Not listening yet.
    }
  }
  throw new Failure(`Signalbox did not get ready within ${READY_SECONDS} seconds: ${url} last answered ${answer}.`)
}

function welcome(settings: Settings, databaseUrl: string | undefined, mail: MailCatcher | undefined): void {
  const api = originOf(settings, 'localhost')
  const rows = [
    ['API', api],
    ['Docs', `${api}/docs`],
    ...(mail ? [['Mail', `${mail.webUrl} shows what would have been sent`]] : []),
    ['Database', `psql "${databaseUrl ?? '$DATABASE_URL'}" -c 'table ops.health' (or npx --yes bun run ops)`],
    ['Try it', 'npx --yes bun run demo, in a second terminal'],
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

const stopping = await stopSignal()
let exitCode = 0
try {
  await run(stopping)
} catch (error) {
  if (!(stopping.aborted && error === stopping.reason)) {
    exitCode = 1
    console.error(error instanceof Failure || error instanceof SettingsError ? error.message : error)
  }
}
process.exit(exitCode)
