/** The processes that are measured and those that generate load, each a real process. */
import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Failure } from '../support/failure.ts'
import { forEachLine } from '../support/lines.ts'
import { within } from '../support/within.ts'

const root = dirname(dirname(import.meta.dir))
const STOP_SECONDS = 30
const READY_SECONDS = 30

export type Environment = Record<string, string | undefined>

export interface Process extends AsyncDisposable {
  pid: number
  /** Its first line on stdout. Helpers of the benchmark print their URL there when they are ready. */
  firstLine: Promise<string>
  /** Resident memory in MiB; null on systems without /proc. */
  memory(): Promise<number | null>
}

const spawnOptions = (environment: Environment) => ({
  cwd: root,
  env: { ...environment, BUN_FEATURE_FLAG_NO_ORPHANS: '1' },
  stdout: 'pipe' as const,
  stderr: 'inherit' as const,
  // Ctrl-C goes to the benchmark alone, which then stops the others in order.
  detached: true,
})

/** Starts a file of this repository. Lines on stdout after the first are copied to stderr. */
export function startProcess(file: string, environment: Environment): Process {
  const child = Bun.spawn([process.execPath, join(root, file)], { ...spawnOptions(environment), stdin: 'ignore' })
  const { promise: firstLine, resolve, reject } = Promise.withResolvers<string>()
  // Most callers do not wait for it.
  firstLine.catch(() => {})
  let isFirst = true
  void forEachLine(child.stdout, (line) => {
    if (isFirst) resolve(line)
    else console.error(line)
    isFirst = false
  })
  const fail = (what: string) => reject(new Failure(`${file} ${what}.`))
  setTimeout(fail, READY_SECONDS * 1000, `printed nothing within ${READY_SECONDS} seconds`).unref()
  child.exited.then((code) => fail(`ended with exit code ${code}`))
  return {
    pid: child.pid,
    firstLine,
    memory: () => residentMemory(child.pid),
    async [Symbol.asyncDispose]() {
      child.kill('SIGTERM')
      if (!(await within(STOP_SECONDS, child.exited))) child.kill('SIGKILL')
      await child.exited
    },
  }
}

async function residentMemory(pid: number): Promise<number | null> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  const [, kibibytes] = /^VmRSS:\s+(\d+) kB/m.exec(status) ?? []
  return kibibytes === undefined ? null : Math.round(Number(kibibytes) / 1024)
}

/** Runs a helper to its end with its order as JSON on stdin, and returns the JSON that it prints. */
export async function runHelper<Answer>(file: string, order: object): Promise<Answer> {
  const child = Bun.spawn([process.execPath, join(root, file)], {
    ...spawnOptions(process.env),
    stdin: new Blob([JSON.stringify(order)]),
  })
  const text = await new Response(child.stdout).text()
  const code = await child.exited
  if (code !== 0) throw new Failure(`${file} failed with exit code ${code}; its lines above give the reason.`)
  return JSON.parse(text)
}
