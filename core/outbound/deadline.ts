/** A deadline for an operation of several steps. */

/** The operation took too long. */
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
  #hasExpired = false
  #abandon: ((error: DeadlineExpired) => void) | null = null

  constructor(ms: number) {
    this.#timer = setTimeout(() => {
      this.#hasExpired = true
      this.#abandon?.(new DeadlineExpired())
    }, ms)
  }

  get hasExpired(): boolean {
    return this.#hasExpired
  }

  /**
   * Begins a step.
   *
   * @param abandon called at expiry, or at once if the deadline has expired; replaces that of the previous step
   */
  begin(abandon: (error: DeadlineExpired) => void): void {
    if (this.#hasExpired) abandon(new DeadlineExpired())
    else this.#abandon = abandon
  }

  /** Ends the step: its `abandon` is not called any more. */
  finish(): void {
    this.#abandon = null
  }

  /**
   * Waits for work that cannot be cancelled, at most until expiry.
   *
   * @throws DeadlineExpired
   */
  async wait<Value>(work: Promise<Value>): Promise<Value> {
    const expiry = Promise.withResolvers<never>()
    this.begin(expiry.reject)
    try {
      return await Promise.race([work, expiry.promise])
    } finally {
      this.finish()
    }
  }

  /** Ends the operation and its timer. */
  end(): void {
    this.finish()
    clearTimeout(this.#timer)
  }
}
