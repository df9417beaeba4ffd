import { type Subprocess, spawn } from 'bun'
import { endWithParent } from '../../cli/agent/parent-watch.js'
import { PATIENCE_MS } from './patience.ts'
import { SHORT_LIVED } from './short-lived.ts'
import { noteFault } from './statement-faults.ts'

const root = `${import.meta.dir}/../..`

/** What processes inherit: nothing that configures Signalbox. */
const INHERITED = ['PATH', 'HOME', ...Object.keys(SHORT_LIVED)]

const inherited = (): Record<string, string> =>
  Object.fromEntries(INHERITED.map((name) => [name, process.env[name] ?? '']).filter(([, value]) => value !== ''))

/** A process of Signalbox, and its output. */
export class Process {
  readonly lines: string[] = []
  #watchers = new Set<() => void>()
  readonly #process: Subprocess<'ignore', 'pipe', 'pipe'>
  /** Resolves when all output of the process is in `lines`. */
  readonly isRead: Promise<unknown>

  /**
   * @param script with its arguments
   * @param folder of the code
   */
  constructor(script: string | string[], environment: Record<string, string>, runtime = process.execPath, folder = root) {
    this.#process = spawn([runtime, ...[script].flat()], {
      cwd: folder,
      env: { ...inherited(), ...environment },
      stdin: 'ignore',
      stdout: 'pipe',
      stderr: 'pipe',
    })
    // A file that throws while it is loaded does not run its afterAll; its processes must not outlive the run.
    void this.#process.exited.then(endWithParent(this.#process.pid, 'TERM'))
    this.isRead = Promise.all([this.#read(this.#process.stdout), this.#read(this.#process.stderr)])
  }

  async #read(stream: ReadableStream<Uint8Array>): Promise<void> {
    let rest = ''
    const decoder = new TextDecoder()
    for await (const chunk of stream) {
      rest += decoder.decode(chunk, { stream: true })
      const lines = rest.split('\n')
      rest = lines.pop() ?? ''
      this.lines.push(...lines)
      for (const line of lines) noteFault(line)
      for (const watcher of this.#watchers) watcher()
    }
    if (rest) this.lines.push(rest)
  }

  get pid(): number {
    return this.#process.pid
  }

  get hasExited(): boolean {
    return this.#process.exitCode !== null || this.#process.signalCode !== null
  }

  get exited(): Promise<number> {
    return this.#process.exited
  }

  kill(signal: NodeJS.Signals): void {
    this.#process.kill(signal)
  }

  /** Resolves with the first line that contains a text. */
  said(text: string): Promise<string> {
    return new Promise((resolve, reject) => {
      const look = () => {
        const line = this.lines.find((each) => each.includes(text))
        if (line === undefined) return
        this.#watchers.delete(look)
        clearTimeout(timer)
        resolve(line)
      }
      const timer = setTimeout(
        () => reject(new Error(`"${text}" was never printed:\n${this.lines.slice(-20).join('\n')}`)),
        PATIENCE_MS,
      )
      this.#watchers.add(look)
      look()
    })
  }
}
