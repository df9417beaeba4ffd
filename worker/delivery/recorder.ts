/** Records attempts in batches: a transaction per attempt would limit the throughput. */
import type { LaneVersion } from '../../core/delivery/lanes.ts'
import { isOutage } from '../process/errors.ts'
import { pace } from '../process/pace.ts'
import { groupOf } from '../process/tenant-groups.ts'
import { type Completing, completeAttempts } from './complete.ts'
import type { AttemptResult, Due } from './destination.ts'
import { retryUntilDone } from './lease.ts'

const FLUSH_ROWS = 300
const RECORDING = 'recording attempts'

interface Recorded<Attempt> {
  /** As it was recorded: corrected if the target of its destination was changed meanwhile. */
  attempt: Attempt
  /** The current version of its lane; null if the attempt did not have to be recorded. */
  current: LaneVersion | null
}

interface PendingRecord<Attempt> {
  attempt: Attempt
  done: (recorded: Recorded<Attempt>) => void
}

/**
 * One per kind of destination. Lanes are assigned to one of two flushers of their group by id: while one waits for its commit, the other
 * works, and attempts of one lane are not recorded by two transactions at the same time. The exception is an attempt that cannot be
 * recorded: it is retried beside later ones. They cannot conflict, because a statement records only the next attempt of a delivery.
 */
export class Recorder<Attempt extends AttemptResult<Due>> {
  readonly #flushers = new Map<string, Flusher<Attempt>>()

  constructor(private readonly destination: Completing<Attempt>) {}

  async record(attempt: Attempt): Promise<Recorded<Attempt>> {
    const { id, organization_id } = attempt.lane
    const half = id.charCodeAt(id.length - 1) % 2
    return this.#flusher(`${half} ${groupOf(organization_id)}`).add(attempt)
  }

  #flusher(key: string): Flusher<Attempt> {
    const flusher = this.#flushers.get(key) ?? new Flusher(this.destination, () => this.#flushers.delete(key))
    this.#flushers.set(key, flusher)
    return flusher
  }
}

class Flusher<Attempt extends AttemptResult<Due>> {
  #pending: PendingRecord<Attempt>[] = []
  #isFlushing = false

  /** @param onIdle called when everything that was added is recorded */
  constructor(
    private readonly destination: Completing<Attempt>,
    private readonly onIdle: () => void,
  ) {}

  add(attempt: Attempt): Promise<Recorded<Attempt>> {
    return new Promise((done) => {
      this.#pending.push({ attempt, done })
      if (!this.#isFlushing) void this.#flush()
    })
  }

  async #flush(): Promise<void> {
    this.#isFlushing = true
    while (this.#pending.length > 0) {
      if (this.#pending.length < FLUSH_ROWS) await Bun.sleep(pace().recordMs)
      const batch = this.#pending.splice(0, FLUSH_ROWS)
      await this.#recordAll(batch)
    }
    this.#isFlushing = false
    this.onIdle()
  }

  /**
   * Records a batch, and retries it during an outage. Any other failure is caused by an attempt in the batch: it is found by
   * bisection and retried alone, so that it does not delay the others.
   */
  async #recordAll(batch: PendingRecord<Attempt>[]): Promise<void> {
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

  async #record(batch: PendingRecord<Attempt>[]): Promise<true> {
    const { attempts, versions } = await completeAttempts(
      this.destination,
      batch.map(({ attempt }) => attempt),
    )
    for (const [index, { attempt, done }] of batch.entries()) {
      done({ attempt: attempts[index] ?? attempt, current: versions.get(attempt.lane.id) ?? null })
    }
    return true
  }
}
