/** The processes that are measured, and those that measure: each real, each on its own. */
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
  /** Its first line on stdout: the helpers here say with it that they are ready, and where. */
  firstLine: Promise<string>
  /** Resident memory in MB; null where the system does not say. */
  memory(): Promise<number | null>
  /** Processor time that it has used so far, in seconds; null where the system does not say. */
  processorSeconds(): Promise<number | null>
}

/** Starts a file of this repository. What it writes to stdout beyond its first line goes to stderr, where logs belong. */
export function startProcess(file: string, environment: Environment): Process {
  const child = Bun.spawn([process.execPath, join(root, file)], {
    cwd: root,
    env: { ...environment, BUN_FEATURE_FLAG_NO_ORPHANS: '1' },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'inherit',
    // Ctrl-C is for the benchmark, which stops the others in its own order.
    detached: true,
  })
  const { promise: firstLine, resolve, reject } = Promise.withResolvers<string>()
  // Not everybody waits for it.
  firstLine.catch(() => {})
  let first = true
  void forEachLine(child.stdout, (line) => {
    if (first) resolve(line)
    else console.error(line)
    first = false
  })
  const fail = (what: string) => reject(new Failure(`${file} ${what}.`))
  setTimeout(fail, READY_SECONDS * 1000, `said nothing within ${READY_SECONDS} seconds`).unref()
  child.exited.then((code) => fail(`ended with exit code ${code}`))
  return {
    pid: child.pid,
    firstLine,
    memory: () => residentMemory(child.pid),
    processorSeconds: () => processorSeconds(child.pid),
    async [Symbol.asyncDispose]() {
      child.kill('SIGTERM')
      if (!(await within(STOP_SECONDS, child.exited))) child.kill('SIGKILL')
      await child.exited
    },
  }
}

async function residentMemory(pid: number): Promise<number | null> {
  try {
    const [, kilobytes] = /^VmRSS:\s+(\d+) kB/m.exec(await readFile(`/proc/${pid}/status`, 'utf8')) ?? []
    return kilobytes === undefined ? null : Math.round(Number(kilobytes) / 1024)
  } catch {
    return null
  }
}

/** Linux counts it in hundredths of a second, of user and system; the name before them may hold anything but a bracket last. */
async function processorSeconds(pid: number): Promise<number | null> {
  try {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return (Number(fields[11]) + Number(fields[12])) / 100
  } catch {
    return null
  }
}

/** Runs a helper to its end, with an order on stdin and its answer on stdout, both JSON. */
export async function runHelper<Answer>(file: string, order: object): Promise<Answer> {
  const child = Bun.spawn([process.execPath, join(root, file)], {
    cwd: root,
    env: { ...process.env, BUN_FEATURE_FLAG_NO_ORPHANS: '1' },
    stdin: new Blob([JSON.stringify(order)]),
    stdout: 'pipe',
    stderr: 'inherit',
    detached: true,
  })
  const text = await child.stdout.text()
  const code = await child.exited
  if (code !== 0) throw new Failure(`${file} failed with exit code ${code}; its lines above say why.`)
  return JSON.parse(text)
}
