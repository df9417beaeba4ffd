/**
 * Up to where queues were read to their end. What waits in a queue is found by an index that also lists what was removed, until a vacuum can
 * remove it there: the next read begins at the cursor, and not at the oldest dead row.
 */
import { monotonicMs } from '../../core/platform/clock.ts'

/** Cursors of more queues than this are not kept. */
const MAX_QUEUES = 10_000

interface Cursor {
  /** By the clock of the database, in milliseconds since 1970: everything older was read. */
  at: number
  /** When the queue was last read from its beginning, on the monotonic clock. */
  completeAt: number
}

export class ReadCursors {
  readonly #cursors = new Map<string, Cursor>()

  /**
   * @param marginMs how much later a transaction may become visible than the time that it gave to its rows
   * @param completeMs how often a queue is read from its beginning, in case that a transaction took longer
   */
  constructor(
    private readonly marginMs: number,
    private readonly completeMs = Number.POSITIVE_INFINITY,
  ) {}

  /** Where the next read of a queue begins; null: at its beginning. */
  since(queue: string): string | null {
    const cursor = this.#cursors.get(queue)
    return cursor && monotonicMs() - cursor.completeAt < this.completeMs
      ? new Date(cursor.at - this.marginMs).toISOString()
      : null
  }

  forget(queue: string): void {
    this.#cursors.delete(queue)
  }

  sinceAll(queues: string[]): string | null {
    const [first = null] = queues.map((queue) => this.since(queue) ?? '').toSorted()
    return first || null
  }

  /** Notes a full read. @param at the oldest of what still waits, or when the read began, by the clock of the database */
  note(queue: string, since: string | null, at: string): void {
    const before = this.#cursors.get(queue)
    // Forgotten meanwhile: what is behind the former cursor was not read.
    if (since !== null && !before) return
    if (this.#cursors.size >= MAX_QUEUES && !before) this.#cursors.clear()
    this.#cursors.set(queue, { at: Date.parse(at), completeAt: since === null || !before ? monotonicMs() : before.completeAt })
  }
}
