/** Runs the lines of the Procfile, the one truth about which processes Signalbox is made of. */
import { readFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { Failure } from './failure.ts'
import { type Kept, keepRunning, type Running } from './keep-running.ts'
import { forEachLine } from './lines.ts'
import { readable } from './readable-lines.ts'
import { within } from './within.ts'

export interface Procfile {
  folder: string
  /** By process type, such as `web`. */
  commands: Record<string, string>
}

/** What the processes are given, and where a line about them goes. */
export interface Surroundings {
  environment: Record<string, string | undefined>
  say: (line: string) => void
}

const STOP_SECONDS = 30

export async function readProcfile(path: string): Promise<Procfile> {
  const lines = (await readFile(path, 'utf8')).matchAll(/^([\w-]+):[ \t]*(\S.*?)\s*$/gm)
  return { folder: dirname(path), commands: Object.fromEntries(Array.from(lines, ([, name, command]) => [name, command])) }
}

/** Runs a line to its end, as a deploy runs `release`. An abort stops it early. */
export async function runProcess(
  procfile: Procfile,
  name: string,
  { environment, signal }: Surroundings & { signal: AbortSignal },
) {
  const running = launch(procfile, name, environment)
  const stop = () => void running.stop()
  signal.addEventListener('abort', stop)
  const code = await running.exited
  signal.removeEventListener('abort', stop)
  signal.throwIfAborted()
  if (code !== 0)
    throw new Failure(`${name} (${procfile.commands[name]}) failed with exit code ${code}; its lines above say why.`)
}

/** Keeps a line running: a process that ends is started again. */
export function keepProcess(
  procfile: Procfile,
  name: string,
  { environment, say }: Surroundings,
  afterCrash: 'start' | 'wait' = 'start',
): Promise<Kept<Running>> {
  return keepRunning({ name, say, afterCrash, start: async () => launch(procfile, name, environment) })
}

function launch({ folder, commands }: Procfile, name: string, environment: Surroundings['environment']): Running {
  const command = commands[name]
  if (!command) throw new Failure(`The Procfile has no line "${name}: …".`)
  // Detached: Ctrl-C reaches the whole foreground group, but it is for the supervisor to say who stops when.
  const child = Bun.spawn(['/bin/sh', '-c', `exec ${withThisBun(command)}`], {
    cwd: folder,
    env: {
      ...environment,
      // Nobody would stop them, and they would hold the ports, if the supervisor were killed with -9.
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
  // The last words of a process come before any line about its end; a grandchild may hold the pipes for longer.
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
        // The group, so that nothing that it started in turn stays behind.
        process.kill(-child.pid, 'SIGKILL')
        await exited
      })()
      return stopping
    },
  }
}

// `npx bun start` works without any bun on the PATH; its children need the same one.
function withThisBun(command: string): string {
  return command.replace(
    /^((?:env(?:\s+\w+=\S*)*\s+)?)bun(?=\s|$)/,
    (_, environment: string) => `${environment}'${process.execPath.replaceAll("'", `'\\''`)}'`,
  )
}
