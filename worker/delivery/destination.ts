/** What differs between kinds of destinations. Everything else is the same for deployment hooks and channels. */
import type { Lane, LaneVersion } from '../../core/delivery/lanes.ts'
import type { Tx } from '../../sql/index.ts'

export type Due = { id: string; attempt_count: number; body: string }

/** Why an attempt failed, for the owner of the destination. */
export type AttemptError = { code: string; detail: string }

/** What was read of a lane: its destination, and what is due. */
export interface Fetched<Target, Item extends Due> {
  target: Target
  /** Version of the lane. If the current one is higher, there may be more to send. */
  version: number
  /** Revision of the lane. If the current one is higher, this may be out of date. */
  revision: number
  /** In sending order. */
  due: Item[]
  hasMore: boolean
  /** How many requests the destination may get at the same time. */
  limit: number
  /**
   * Whether its requests are likely to occupy a slot for long. All such destinations together get half of the slots. A hook
   * fails in this sense if it timed out, a channel if any attempt failed, since the last success.
   */
  isFailing: boolean
  /** When it must be read again before anything else is sent, on the monotonic clock; null if that is not known in advance. */
  staleAt: number | null
}

export interface AttemptResult<Item extends Due> {
  lane: Lane
  item: Item
  /** When the target (such as the URL) that this was sent to was set. */
  target_since: string
  succeeded: boolean
  /** The target has changed since, so the response says nothing about the current one. */
  targetChanged?: boolean
}

export interface RecordedBatch<Attempt> {
  /** As recorded, in the given order. */
  attempts: Attempt[]
  /** The current version of each lane, by id; absent if none of its attempts had to be recorded. */
  versions: Map<string, LaneVersion>
}

export type NextDue = { id: string; at: string }

/** @typeParam Attempt what `attempt` returns and `complete` records */
export interface Destination<Target, Item extends Due, Attempt extends AttemptResult<Item>> {
  /**
   * Reads the destination and what is due, and cancels what must not be sent any more.
   *
   * @param inFlight ids of the items that are being sent; they are skipped
   * @param maxBytes how large their bodies may be together; the first item is always read
   * @returns null if the destination or its organization is deleted
   */
  fetchDue(lane: Lane, inFlight: string[], maxBytes: number): Promise<Fetched<Target, Item> | null>

  /** Sends an item once and classifies the response. Never throws. */
  attempt(lane: Lane, target: Target, item: Item): Promise<Attempt>

  /**
   * Records attempts and what follows from them, in one transaction. An attempt that is already recorded, or whose item is
   * finished or deleted, changes nothing.
   */
  complete(attempts: Attempt[]): Promise<RecordedBatch<Attempt>>

  observe(attempt: Attempt): void

  /** When lanes have something to send next. Those with nothing that may be sent are left out. */
  nextDue(tx: Tx, lane_ids: string[], organization_ids: string[]): Promise<NextDue[]>
}
