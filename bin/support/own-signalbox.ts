/** Runs `bun start` as a child process, for commands that need a Signalbox where none runs. */
import { dirname, join, resolve } from 'node:path'
import { SETTINGS } from '../../core/platform/settings.ts'
import { Failure } from './failure.ts'
import { endWithParent } from './leash.ts'
import { forEachLine } from './lines.ts'
import { freePort } from './ports.ts'
import { runningPostgresUrl } from './postgres.ts'
import { throwawayFolder, withoutSettings } from './throwaway.ts'
import { within } from './within.ts'

const READY_SECONDS = 60
const STOP_SECONDS = 45
const LAST_LINES = 15

/** Whether a Signalbox answers at this origin and is ready. */
export async function isReady(origin: string): Promise<boolean> {
  try {
    const response = await fetch(`${origin}/readyz`, { signal: AbortSignal.timeout(2000) })
    return response.ok && ((await response.json()) as { status?: string }).status === 'ready'
  } catch {
    return false
  }
}

/** The origin that a command uses: `SIGNALBOX_URL`, or the API of `bun start` on this machine. */
export const signalboxUrl = (): string =>
  process.env.SIGNALBOX_URL?.replace(/\/+$/, '') || `http://localhost:${process.env.PORT || SETTINGS.PORT.fallback}`

/** The URL of the database of `bun start` on this machine, if it runs and the environment names no other. */
export const embeddedDatabaseUrl = async (): Promise<string | undefined> =>
  process.env.SIGNALBOX_URL || process.env.DATABASE_URL
    ? undefined
    : await runningPostgresUrl(resolve(import.meta.dir, '../..', process.env.DATA_DIR || SETTINGS.DATA_DIR.fallback, 'postgres'))

interface OwnSignalbox extends AsyncDisposable {
  url: string
}

interface ThrowawaySignalbox extends OwnSignalbox {
  /** The origin of the page of captured mail. */
  mailUrl: string
  port: number
  dataDir: string
}

/** Starts a Signalbox with free ports and a data folder that is removed at the end. Resolves when it is ready. */
export async function startThrowawaySignalbox(
  stopping: AbortSignal,
  settings: Record<string, string> = {},
): Promise<ThrowawaySignalbox> {
  await using started = new AsyncDisposableStack()
  const folder = started.use(await throwawayFolder('signalbox-demo-'))
  const [port, mailPort, mailWebPort] = await Promise.all([freePort('127.0.0.1'), freePort('127.0.0.1'), freePort('127.0.0.1')])
  const environment = {
    ...withoutSettings(process.env),
    PORT: String(port),
    MAIL_PORT: String(mailPort),
    MAIL_WEB_PORT: String(mailWebPort),
    DATA_DIR: folder.path,
    ...settings,
  }
  const url = `http://localhost:${port}`
  started.use(await startSignalbox(url, environment, stopping))
  const kept = started.move()
  return {
    url,
    mailUrl: `http://localhost:${mailWebPort}`,
    port,
    dataDir: folder.path,
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  }
}

/**
 * Runs `bin/start.ts`, and resolves when it is ready.
 *
 * @param url where its API will be
 * @throws {Failure} with its last lines if it does not get ready
 */
export async function startSignalbox(
  url: string,
  environment: Record<string, string | undefined>,
  stopping: AbortSignal,
): Promise<OwnSignalbox> {
  await using started = new AsyncDisposableStack()
  const child = Bun.spawn([process.execPath, join(dirname(import.meta.dir), 'start.ts')], {
    env: environment,
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
    // Ctrl-C goes to this program alone, which then stops the child in order.
    detached: true,
  })
  const release = endWithParent(child.pid, 'TERM')
  started.defer(async () => {
    child.kill('SIGTERM')
    if (!(await within(STOP_SECONDS, child.exited))) child.kill('SIGKILL')
    await child.exited
    release()
  })

  const lines: string[] = []
  const keep = (line: string) => {
    lines.push(line)
    if (lines.length > LAST_LINES) lines.shift()
  }
  void forEachLine(child.stdout, keep)
  void forEachLine(child.stderr, keep)

  for (const deadline = Date.now() + READY_SECONDS * 1000; !(await isReady(url)); await within(0.1, child.exited)) {
    stopping.throwIfAborted()
    if (child.exitCode !== null || Date.now() > deadline) {
      throw new Failure(`Signalbox did not start:\n${lines.map((line) => `  ${line}`).join('\n')}`)
    }
  }
  const kept = started.move()
  return { url, [Symbol.asyncDispose]: () => kept.disposeAsync() }
}
