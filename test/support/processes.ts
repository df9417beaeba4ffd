/** The API and worker processes of a box, and what tests do to them. */
import type { Sql } from '../../sql/index.ts'
import { Contract, type Document } from './openapi.ts'
import { Process } from './process.ts'

/** Processes start slowly on a busy machine. */
const START_MS = 50_000

const CHEAP_PASSWORDS = ['--preload', './test/support/cheap-passwords.ts']

/** The document follows from the code alone, so one serves all files of a test process. */
let contract: Contract | undefined

export class Processes {
  api!: Process
  readonly workers: Process[] = []
  contract!: Contract
  /** Set for a box that several files use, one after another: what `close` does then. */
  release?: () => Promise<void>
  readonly #startedWorkers: Process[] = []

  /**
   * @param sql of the database that they use
   * @param port that the API listens on
   * @param environment of each process; a change holds for those that are started later
   * @param hasRealPasswords whether hashing a password costs what it costs in production
   */
  constructor(
    readonly sql: Sql,
    readonly port: number,
    readonly environment: Record<string, string>,
    readonly hasRealPasswords: boolean,
  ) {}

  get base(): string {
    return `http://127.0.0.1:${this.port}`
  }

  /** Starts the API and resolves when it answers, whether or not it can reach its database. */
  async startApi(): Promise<void> {
    this.#refuseIfShared()
    this.api = new Process([...(this.hasRealPasswords ? [] : CHEAP_PASSWORDS), 'api/server.ts'], this.environment)
    await this.#started(this.api, async () => (await fetch(`${this.base}/readyz`).catch(() => null)) !== null)
    contract ??= new Contract((await (await fetch(`${this.base}/docs/json`)).json()) as Document)
    this.contract = contract
  }

  /** Starts a worker and resolves when it takes jobs, and has taken over from those of this box that ended. */
  async startWorker(): Promise<Process> {
    this.#refuseIfShared()
    const worker = new Process('worker/main.ts', this.environment)
    this.workers.push(worker)
    this.#startedWorkers.push(worker)
    await this.#started(worker, async () => {
      const ended = this.#startedWorkers.filter((each) => each.hasExited).map(({ pid }) => pid)
      const [{ isReady }] = await this.sql<[{ isReady: boolean }]>`
        select exists (select from workers where pid = ${worker.pid} and pool_id is not null)
          and not exists (select from workers where pid = any(${ended}::integer[])) as "isReady"
      `
      return isReady
    })
    return worker
  }

  async #started(process: Process, holds: () => Promise<boolean>): Promise<void> {
    await this.until(
      'the process is ready',
      async () => {
        if (process.hasExited) throw new Error(`The process ended while it started:\n${process.lines.slice(-20).join('\n')}`)
        return holds()
      },
      START_MS,
    )
  }

  /** Sends a process a signal and waits until it has ended. */
  async end(process: Process, signal: NodeJS.Signals): Promise<number> {
    this.#refuseIfShared()
    process.kill(signal)
    return process.exited
  }

  #refuseIfShared(): void {
    if (this.release) throw new Error('Other files use these processes: open the box with { own: true }.')
  }

  /** Whether all processes run, and none is about to end. */
  async isReady(): Promise<boolean> {
    if ([this.api, ...this.workers].some((process) => process.hasExited)) return false
    const response = await fetch(`${this.base}/readyz`).catch(() => null)
    return response?.status === 200
  }

  /** Ends all of them at once. */
  async kill(): Promise<void> {
    for (const process of [this.api, ...this.workers]) process.kill('SIGKILL')
    await Promise.all([this.api, ...this.workers].map((process) => process.exited))
  }

  /** Resolves once a question to the database is answered with true. */
  async until(what: string, holds: () => Promise<boolean>, patience = 45_000): Promise<void> {
    const end = performance.now() + patience
    while (!(await holds())) {
      if (performance.now() > end) throw new Error(`It never came to this: ${what}`)
      await Bun.sleep(20)
    }
  }
}
