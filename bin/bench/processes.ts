/** The processes that are measured and those that generate load, each a real process. */
import { dirname, join } from 'node:path'
import { Failure } from '../support/failure.ts'
import { forEachLine } from '../support/lines.ts'
import { within } from '../support/within.ts'

const root = dirname(dirname(import.meta.dir))
const STOP_SECONDS = 30

export type Environment = Record<string, string | undefined>

export interface Process extends AsyncDisposable {
  pid: number
  /** Its first line on stdout: where a helper of the benchmark listens, or its result. */
  firstLine: Promise<string>
}

/** Starts a file of this repository. Lines on stdout after the first are copied to stderr. */
export function startProcess(file: string, environment: Environment): Process {
  const child = Bun.spawn([process.execPath, join(root, file)], {
    cwd: root,
    env: { ...environment, BUN_FEATURE_FLAG_NO_ORPHANS: '1' },
    stdio: ['ignore', 'pipe', 'inherit'],
    // Ctrl-C goes to the benchmark alone, which then stops the others in order.
    detached: true,
  })
  const { promise: firstLine, resolve, reject } = Promise.withResolvers<string>()
  // Most callers do not wait for it.
  firstLine.catch(() => {})
  let use = (line: string) => {
    resolve(line)
    use = console.error
  }
  const ended = forEachLine(child.stdout, (line) => use(line))
  void ended.then(async () => reject(new Failure(`${file} ended with exit code ${await child.exited}.`)))
  return {
    pid: child.pid,
    firstLine,
    async [Symbol.asyncDispose]() {
      child.kill('SIGTERM')
      if (!(await within(STOP_SECONDS, child.exited))) child.kill('SIGKILL')
      await child.exited
    },
  }
}
