/** Records attempts, many at once: a transaction for each would be what limits the rate. */
import type { LaneVersion } from '../../core/lanes.ts'
import { isOutage } from '../process/errors.ts'
import type { Attempted, Completed, Destination, Due } from './destination.ts'
import { retryUntilDone } from './lease.ts'

const FLUSH_MS = 4
const FLUSH_ROWS = 300
const RECORDING = 'recording attempts'

/** An attempt that is on record. */
export interface Recorded<Attempt> {
  /** As it counts: its destination may have been led elsewhere meanwhile. */
  attempt: Attempt
  /** How far its lane has changed; null where nothing was left to record. */
  current: LaneVersion | null
}

interface Pending<Attempt> {
  attempt: Attempt
  done: (recorded: Recorded<Attempt>) => void
}

/**
 * One per kind of destination. Lanes are spread over two flushers by their ids: while one waits for the disk, the other
 * works, and no two transactions record attempts of one lane at a time.
 */
export class Recorder<Item extends Due, Attempt extends Attempted<Item>> {
  readonly #flushers: Flusher<Item, Attempt>[]

  constructor({ complete }: Pick<Destination<never, Item, Attempt>, 'complete'>) {
    this.#flushers = [new Flusher(complete), new Flusher(complete)]
  }

  /** Records an attempt; resolves once it is on record. */
  record(attempt: Attempt): Promise<Recorded<Attempt>> {
    const flusher = this.#flushers[attempt.lane.id.charCodeAt(attempt.lane.id.length - 1) % 2]
    return (flusher as Flusher<Item, Attempt>).add(attempt)
  }
}

class Flusher<Item extends Due, Attempt extends Attempted<Item>> {
  #pending: Pending<Attempt>[] = []
  #isFlushing = false

  constructor(private readonly complete: (attempts: Attempt[]) => Promise<Completed<Attempt>>) {}

  add(attempt: Attempt): Promise<Recorded<Attempt>> {
    return new Promise((done) => {
      this.#pending.push({ attempt, done })
      if (!this.#isFlushing) void this.#flush()
    })
  }

  async #flush(): Promise<void> {
    this.#isFlushing = true
    while (this.#pending.length > 0) {
      if (this.#pending.length < FLUSH_ROWS) await Bun.sleep(FLUSH_MS)
      const batch = this.#pending.splice(0, FLUSH_ROWS)
      await this.#recordAll(batch)
    }
    this.#isFlushing = false
  }

  /**
   * Records a batch. An outage is waited for; any other failure is the fault of an attempt, which is found, and retried by
   * itself, so that it holds up no other.
   */
  async #recordAll(batch: Pending<Attempt>[]): Promise<void> {
    const isRecorded = await retryUntilDone(RECORDING, () =>
      this.#record(batch).catch((error: unknown) => {
        if (isOutage(error)) throw error
        return false
      }),
    )
    if (isRecorded) return
    if (batch.length === 1) return void retryUntilDone(RECORDING, () => this.#record(batch))
    const middle = Math.ceil(batch.length / 2)
    await this.#recordAll(batch.slice(0, middle))
    await this.#recordAll(batch.slice(middle))
  }

  async #record(batch: Pending<Attempt>[]): Promise<true> {
    const { attempts, versions } = await this.complete(batch.map(({ attempt }) => attempt))
    for (const [index, { attempt, done }] of batch.entries()) {
      done({ attempt: attempts[index] ?? attempt, current: versions.get(attempt.lane.id) ?? null })
    }
    return true
  }
}
