/** A deadline for an operation of several steps. */
import { monotonicMs } from '../platform/clock.ts'

export class DeadlineExpired extends Error {
  constructor() {
    super('The deadline has expired')
  }
}

/**
 * Runs from its creation until it expires or `end` is called. Not an AbortSignal, whose timers and listeners cost more than a
 * request.
 */
export class Deadline {
  readonly #timer: ReturnType<typeof setTimeout>
  readonly #end: number
  #hasExpired = false
  #abandon: ((error: DeadlineExpired) => void) | null = null

  constructor(ms: number) {
    this.#end = monotonicMs() + ms
    this.#timer = setTimeout(() => this.expire(), ms)
  }

  get left(): number {
    return Math.max(0, this.#end - monotonicMs())
  }

  expire(): void {
    clearTimeout(this.#timer)
    this.#hasExpired = true
    this.#abandon?.(new DeadlineExpired())
    this.finish()
  }

  get hasExpired(): boolean {
    return this.#hasExpired
  }

  /** Begins a step. @param abandon called at expiry, or at once if that has passed; replaces the one of the previous step */
  begin(abandon: (error: DeadlineExpired) => void): void {
    if (this.#hasExpired) abandon(new DeadlineExpired())
    else this.#abandon = abandon
  }

  /** Ends the step: its `abandon` is not called any more. */
  finish(): void {
    this.#abandon = null
  }

  /** Waits for work that cannot be cancelled, at most until expiry. @throws DeadlineExpired */
  async wait<Value>(work: Promise<Value>): Promise<Value> {
    const expiry = Promise.withResolvers<never>()
    this.begin(expiry.reject)
    try {
      return await Promise.race([work, expiry.promise])
    } finally {
      this.finish()
    }
  }

  end(): void {
    this.finish()
    clearTimeout(this.#timer)
  }
}
