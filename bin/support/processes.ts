/** Runs the commands of the Procfile. */
import { readFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { Failure } from './failure.ts'
import { type Kept, keepRunning, type Running } from './keep-running.ts'
import { forEachLine } from './lines.ts'
import { readable } from './readable-lines.ts'
import { within } from './within.ts'

export interface Procfile {
  folder: string
  /** By name, such as `web`. */
  commands: Record<string, string>
}

interface LaunchOptions {
  environment: Record<string, string | undefined>
  /** Prints a line about the process. */
  say: (line: string) => void
}

const STOP_SECONDS = 30

export async function readProcfile(path: string): Promise<Procfile> {
  const lines = (await readFile(path, 'utf8')).matchAll(/^([\w-]+):[ \t]*(\S.*?)\s*$/gm)
  return { folder: dirname(path), commands: Object.fromEntries(Array.from(lines, ([, name, command]) => [name, command])) }
}

/** Runs a command to its end, as a deploy runs `release`. An abort stops it. */
export async function runProcess(
  procfile: Procfile,
  name: string,
  { environment, signal }: LaunchOptions & { signal: AbortSignal },
) {
  const running = launch(procfile, name, environment)
  const stop = () => void running.stop()
  signal.addEventListener('abort', stop)
  const code = await running.exited
  signal.removeEventListener('abort', stop)
  signal.throwIfAborted()
  if (code !== 0)
    throw new Failure(`${name} (${procfile.commands[name]}) failed with exit code ${code}; its lines above give the reason.`)
}

/** Keeps a command running: a process that ends is started again. */
export function keepProcess(
  procfile: Procfile,
  name: string,
  { environment, say }: LaunchOptions,
  afterCrash: 'start' | 'wait' = 'start',
): Promise<Kept<Running>> {
  return keepRunning({ name, say, afterCrash, start: async () => launch(procfile, name, environment) })
}

function launch({ folder, commands }: Procfile, name: string, environment: LaunchOptions['environment']): Running {
  const command = commands[name]
  if (!command) throw new Failure(`The Procfile has no line "${name}: …".`)
  // Detached: Ctrl-C goes to the whole foreground group, but the supervisor decides on the order of stopping.
  const child = Bun.spawn(['/bin/sh', '-c', `exec ${withThisBun(command)}`], {
    cwd: folder,
    env: {
      ...environment,
      // If the supervisor is killed with SIGKILL, its processes must end and release their ports.
      BUN_FEATURE_FLAG_NO_ORPHANS: '1',
    },
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

  let stopping: Promise<void> | undefined
  // Its last lines are printed before any line about its end; a grandchild may keep the pipes open for longer.
  const exited = child.exited.then(async (code) => {
    await within(1, read)
    return code
  })
  return {
    exited,
    stop: () => {
      stopping ??= (async () => {
        child.kill('SIGTERM')
        if (await within(STOP_SECONDS, exited)) return
        // The whole process group, including what it started.
        process.kill(-child.pid, 'SIGKILL')
        await exited
      })()
      return stopping
    },
  }
}

// With `npx bun start` there may be no bun on the PATH; children use the same executable.
function withThisBun(command: string): string {
  return command.replace(
    /^((?:env(?:\s+\w+=\S*)*\s+)?)bun(?=\s|$)/,
    (_, environment: string) => `${environment}'${process.execPath.replaceAll("'", `'\\''`)}'`,
  )
}
