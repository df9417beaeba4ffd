/** What a kind of destination brings to its delivery. Everything else is the same for deployment hooks and channels. */
import type { Lane, LaneKind, LaneVersion } from '../../core/lanes.ts'
import type { Tx } from '../../sql/index.ts'

/** Something that waits in a lane for its next attempt. */
export interface Due {
  id: string
  /** Attempts that were made before. */
  attempt_count: number
}

/** A lane as it was read: its destination, and what is due. */
export interface View<Target, Item extends Due> {
  /** The destination as it is now, with its secrets open. */
  target: Target
  /** Of the lane. A higher one means that there may be more to send. */
  version: number
  /** Of the lane. A higher one means that this view may be out of date. */
  revision: number
  /** In the order in which it is to be sent. */
  due: Item[]
  /** More is due than was read. */
  more: boolean
  /** How many requests the destination takes at once. */
  limit: number
  /** Its last attempts failed: it shares half of the permits with others like it. */
  isDoubtful: boolean
}

/** One attempt: sent, judged, and not yet on record. */
export interface Attempted<Item extends Due> {
  lane: Lane
  item: Item
  /** Since when the destination had led where this was sent to. */
  target_since: string
  succeeded: boolean
  /** The destination leads elsewhere by now: the answer says nothing about it. */
  isStale?: boolean
}

/** A batch of attempts that is on record. */
export interface Completed<Attempt> {
  /** As they were recorded, in the order given. */
  attempts: Attempt[]
  /** How far each lane has changed, by its id; absent where nothing was left to record. */
  versions: Map<string, LaneVersion>
}

/** @typeParam Attempt what `attempt` returns and `complete` records */
export interface Destination<Target, Item extends Due, Attempt extends Attempted<Item>> {
  kind: LaneKind

  /**
   * Reads the destination and what is due, after finishing what is not to be sent any more.
   *
   * @param inFlight ids of what is being sent, and left alone
   * @param atMost how much to read
   * @returns null where the destination or its organization is deleted
   */
  fetchDue(lane: Lane, inFlight: string[], atMost: number): Promise<View<Target, Item> | null>

  /** Sends an item once and judges the answer; it never throws. */
  attempt(lane: Lane, target: Target, item: Item): Promise<Attempt>

  /**
   * Records attempts and what follows from them, in one transaction. An attempt that was recorded already, or whose item is
   * finished or deleted by now, changes nothing.
   */
  complete(attempts: Attempt[]): Promise<Completed<Attempt>>

  /** Reports an attempt that is on record: log line, metric, span. */
  report(attempt: Attempt): void

  /** When the lane has something to send next; null where nothing waits, or nothing of it may be sent. */
  nextDueAt(tx: Tx, lane: Lane): Promise<string | null>
}
