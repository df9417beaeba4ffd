/** Work that takes too long for the thread that answers requests. Another thread does it, one task at a time. */
import { once } from 'node:events'
import { parentPort, Worker } from 'node:worker_threads'
import { messageOf } from '../../core/platform/error-fields.ts'
import { type FieldError, Problem, type ProblemCode } from '../problems.ts'
import { ConcurrencyLimit } from './concurrency-limit.ts'

const MAX_WAITING = 64
/** Below the timeout of proxies, commonly 30 seconds, together with the time that a task may take. */
const MAX_WAIT_MS = 15_000

const busy = (): Problem => new Problem('too_busy', 'Too many such requests are waiting. Try again in a few seconds.')

/** What a thread sends back. Errors lose their class on the way. */
type Answer<Output> =
  | { value: Output }
  | { problem: { code: ProblemCode; detail: string; errors?: FieldError[] } }
  | { error: string }

export class Thread<Input, Output> {
  #worker: Worker | null = null
  readonly #turns = new ConcurrencyLimit(1, MAX_WAITING, MAX_WAIT_MS, busy)

  /** @param module calls `serveThread` @param limitMs how long a task may take; then the thread is ended */
  constructor(
    readonly module: URL,
    readonly limitMs: number,
    readonly tooSlow: () => Problem,
  ) {}

  /** Runs a task. Callers take turns. @throws what the task throws; Problem `too_busy` */
  run(caller: string, input: Input): Promise<Output> {
    return this.#turns.run(caller, () => this.#perform(input))
  }

  async #perform(input: Input): Promise<Output> {
    const worker = await this.#running()
    const { promise, resolve, reject } = Promise.withResolvers<Answer<Output>>()
    const fail = (error: Error) => {
      this.end()
      reject(error)
    }
    const timer = setTimeout(() => fail(this.tooSlow()), this.limitMs)
    worker.once('message', resolve).once('error', fail)
    worker.postMessage(input)
    try {
      const answer = await promise
      if ('value' in answer) return answer.value
      if ('error' in answer) throw new Error(answer.error)
      throw new Problem(answer.problem.code, answer.problem.detail, answer.problem.errors)
    } finally {
      clearTimeout(timer)
      worker.removeAllListeners()
    }
  }

  /** Ends the thread. The next task starts another one. */
  end(): void {
    void this.#worker?.terminate()
    this.#worker = null
  }

  /** The thread, once it has loaded its module: on a busy machine that takes seconds, which no task is charged for. */
  async #running(): Promise<Worker> {
    if (this.#worker) return this.#worker
    const worker = new Worker(this.module)
    // It does not keep the process alive.
    worker.unref()
    this.#worker = worker
    try {
      await once(worker, 'message')
    } catch (error) {
      this.end()
      throw error
    }
    return worker
  }
}

export function serveThread<Input, Output>(perform: (input: Input) => Output | Promise<Output>): void {
  const answerTo = async (input: Input): Promise<Answer<Output>> => {
    try {
      return { value: await perform(input) }
    } catch (error) {
      if (!(error instanceof Problem)) return { error: messageOf(error) }
      const { code, detail, errors } = error
      return { problem: { code, detail, ...(errors ? { errors } : {}) } }
    }
  }
  parentPort?.on('message', async (input: Input) => parentPort?.postMessage(await answerTo(input)))
  parentPort?.postMessage('loaded')
}
