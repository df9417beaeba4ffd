/** The API and worker processes of a box. */
import type { Sql } from '../../sql/index.ts'
import { onCitus } from './databases.ts'
import { Contract, type Document } from './openapi.ts'
import { PATIENCE_MS } from './patience.ts'
import { Process } from './process.ts'
import { programFile } from './programs-bundle.ts'

const CHEAP_PASSWORDS = ['--preload', './test/support/cheap-passwords.ts']

/** The document depends only on the code, so all files of a test process share one. By folder of the code. */
const contracts = new Map<string | undefined, Contract>()

export class Processes {
  api!: Process
  readonly workers: Process[] = []
  contract!: Contract
  /** For a shared box: what `close` does. */
  release?: () => Promise<void>
  readonly #startedWorkers: Process[] = []

  /**
   * @param sql a pool for their database
   * @param port the port of the API
   * @param environment the settings of the processes that are started from now on
   * @param hasRealPasswords whether passwords are hashed at the cost of production
   * @param folder of the code; default: this one
   */
  constructor(
    readonly sql: Sql,
    readonly port: number,
    readonly environment: Record<string, string>,
    readonly hasRealPasswords: boolean,
    readonly folder?: string,
  ) {}

  get base(): string {
    return `http://127.0.0.1:${this.port}`
  }

  /** Starts the API. Resolves when it responds, whether or not it can reach its database. */
  async startApi(): Promise<void> {
    this.#refuseIfShared()
    this.api = this.#start(...(this.hasRealPasswords ? [] : CHEAP_PASSWORDS), 'api/server.ts')
    await this.#started(this.api, async () => (await fetch(`${this.base}/readyz`).catch(() => null)) !== null)
    const contract =
      contracts.get(this.folder) ?? new Contract((await (await fetch(`${this.base}/docs/json`)).json()) as Document)
    contracts.set(this.folder, contract)
    this.contract = contract
  }

  #start(...script: string[]): Process {
    const program = script.pop() ?? ''
    if (this.folder !== undefined) return new Process([...script, program], this.environment, undefined, this.folder)
    const watched = onCitus ? [] : ['--preload', programFile('./test/support/watched-statements.ts')]
    return new Process([...watched, ...script, programFile(program)], this.environment)
  }

  /** Starts a worker. Resolves when it takes jobs and has taken over from dead workers of this box. */
  async startWorker(): Promise<Process> {
    this.#refuseIfShared()
    const worker = this.#start('worker/main.ts')
    this.workers.push(worker)
    this.#startedWorkers.push(worker)
    await this.#started(worker, async () => {
      const ended = this.#startedWorkers.filter((each) => each.hasExited).map(({ pid }) => pid)
      const [{ isReady }] = await this.sql<[{ isReady: boolean }]>`
        select exists (select 1 from workers where pid = ${worker.pid} and pool_id is not null)
          and not exists (select 1 from workers where pid = any(${ended}::integer[])) as "isReady"
      `
      return isReady
    })
    return worker
  }

  async #started(process: Process, holds: () => Promise<boolean>): Promise<void> {
    await this.until('the process is ready', async () => {
      if (process.hasExited) throw new Error(`The process ended while it started:\n${process.lines.slice(-20).join('\n')}`)
      return holds()
    })
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

  /** Whether all processes run and none is stopping. */
  async isReady(): Promise<boolean> {
    if ([this.api, ...this.workers].some((process) => process.hasExited)) return false
    const response = await fetch(`${this.base}/readyz`).catch(() => null)
    return response?.status === 200
  }

  /** Kills all processes. */
  async kill(): Promise<void> {
    for (const process of [this.api, ...this.workers]) process.kill('SIGKILL')
    await Promise.all([this.api, ...this.workers].map((process) => process.exited))
  }

  /** Resolves when a condition holds. Polls it every 20 ms. */
  async until(what: string, holds: () => Promise<boolean>, patience = PATIENCE_MS): Promise<void> {
    const end = performance.now() + patience
    while (!(await holds())) {
      if (performance.now() > end) throw new Error(`Timed out waiting until: ${what}`)
      await Bun.sleep(20)
    }
  }
}
