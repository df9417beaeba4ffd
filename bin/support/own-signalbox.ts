/** A Signalbox of one's own for a minute: `bun start` with free ports and a folder that is removed afterwards. */
import { dirname, join } from 'node:path'
import { Failure } from './failure.ts'
import { endWithParent } from './leash.ts'
import { forEachLine } from './lines.ts'
import { freePort } from './ports.ts'
import { throwawayFolder, withoutSettings } from './throwaway.ts'
import { within } from './within.ts'

const READY_SECONDS = 60
const STOP_SECONDS = 45
const KEPT_LINES = 15

/** Whether a Signalbox answers there, and is ready. */
export async function isReady(origin: string): Promise<boolean> {
  try {
    const response = await fetch(`${origin}/readyz`, { signal: AbortSignal.timeout(2000) })
    return response.ok && ((await response.json()) as { status?: string }).status === 'ready'
  } catch {
    return false
  }
}

export interface OwnSignalbox extends AsyncDisposable {
  url: string
}

/**
 * Starts one, and resolves when it is ready.
 *
 * @throws {Failure} with its last lines, where it does not get ready
 */
export async function startOwnSignalbox(stopping: AbortSignal): Promise<OwnSignalbox> {
  await using started = new AsyncDisposableStack()
  const folder = started.use(await throwawayFolder('signalbox-demo-'))
  const [port, mailPort, mailWebPort] = await Promise.all([1, 2, 3].map(() => freePort('127.0.0.1')))
  const child = Bun.spawn([process.execPath, join(dirname(import.meta.dir), 'start.ts')], {
    env: {
      ...withoutSettings(process.env),
      PORT: String(port),
      MAIL_PORT: String(mailPort),
      MAIL_WEB_PORT: String(mailWebPort),
      DATA_DIR: folder.path,
    },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
    // Ctrl-C is for this program alone, which then stops the other in its own time.
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
    if (lines.length > KEPT_LINES) lines.shift()
  }
  void forEachLine(child.stdout, keep)
  void forEachLine(child.stderr, keep)

  const url = `http://localhost:${port}`
  for (const deadline = Date.now() + READY_SECONDS * 1000; !(await isReady(url)); await within(0.1, child.exited)) {
    stopping.throwIfAborted()
    if (child.exitCode !== null || Date.now() > deadline) {
      throw new Failure(`Signalbox did not start:\n${lines.map((line) => `  ${line}`).join('\n')}`)
    }
  }
  const kept = started.move()
  return { url, [Symbol.asyncDispose]: () => kept.disposeAsync() }
}
