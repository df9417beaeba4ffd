/** Runs the processes that the Procfile names, with their lines on this terminal. */
import { join } from 'node:path'
import { Failure } from './command.ts'
import type { Running } from './keep-running.ts'
import { forEachLine, readable } from './lines.ts'
import { stopper, within } from './within.ts'

const SCRIPTS = { release: 'sql/migrate.ts', web: 'api/server.ts', worker: 'worker/main.ts' }

export type Environment = Record<string, string | undefined>

/** Migrates the database, as a deploy does. An abort stops it. */
export async function runRelease(environment: Environment, signal: AbortSignal): Promise<void> {
  const { exited, stop } = launch('release', environment)
  signal.addEventListener('abort', stop)
  const code = await exited
  signal.throwIfAborted()
  if (code !== 0)
    throw new Failure(`release (bun ${SCRIPTS.release}) failed with exit code ${code}; its lines above give the reason.`)
}

/** Starts a process. */
export function launch(name: keyof typeof SCRIPTS, environment: Environment): Running {
  // Detached: Ctrl-C goes to the whole foreground group, but the supervisor decides on the order of stopping.
  const child = Bun.spawn([process.execPath, SCRIPTS[name]], {
    cwd: join(import.meta.dir, '../..'),
    // If the supervisor is killed with SIGKILL, its processes must end and release their ports.
    env: { ...environment, BUN_FEATURE_FLAG_NO_ORPHANS: '1' },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
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
