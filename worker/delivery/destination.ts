/** What differs between kinds of destinations. Everything else is the same for deployment hooks and channels. */
import type { Lane, LaneKind } from '../../core/delivery/lanes.ts'
import type { Scope } from '../../core/tenants/scopes.ts'
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

/** What an attempt says about the health of its destination. */
export interface AttemptHealth {
  /** Also if only one of the recipients of a mail got it. */
  has_succeeded: boolean
  timed_out: boolean
  /** For how long the destination asked us to wait; null if it did not. */
  hold_seconds: number | null
}

export interface Health {
  lane_id: string
  last_success_at: string | null
  failures: number
  first_failure_at: string | null
  last_failure_at: string | null
}

export type NextDue = { id: string; at: string }

/** @typeParam Attempt what `attempt` returns and `record` records */
export interface Destination<Target, Item extends Due, Attempt extends AttemptResult<Item>> {
  kind: LaneKind

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

  /** Reports an attempt that was recorded, in log, metrics and traces. */
  observe(attempt: Attempt): void

  /** A failed attempt whose target was changed meanwhile: it is retried at the new one as scheduled, if there are attempts left. */
  afterTargetChange(attempt: Attempt): Attempt

  /**
   * Records attempts. One that is already recorded, or whose item is finished or deleted, changes nothing.
   *
   * @returns has the ids of the items whose attempts were recorded
   */
  record(tx: Tx, attempts: Attempt[]): Promise<{ has(id: string): boolean }>

  /** Writes what else follows from attempts that were recorded, such as their events. */
  follow?(tx: Tx, attempts: Attempt[]): Promise<void>

  scopeOf(attempt: Attempt): Scope

  /** Null if the attempt says nothing about the destination. */
  healthOf(attempt: Attempt): AttemptHealth | null

  /** Whether the destination was healthy when it was read, so that another success need not be noted. */
  isHealthy(attempt: Attempt): boolean

  /** Why the destination must be disabled after an attempt; null if it must not. @param health null if it was not noted */
  reasonToDisable(attempt: Attempt, health: Health | null): string | null

  /** Disables the destination of an attempt, unless it is disabled already. */
  disable(tx: Tx, attempt: Attempt, reason: string): Promise<void>

  /** When lanes have something to send next. Those with nothing that may be sent are left out. */
  nextDue(tx: Tx, lane_ids: string[], organization_ids: string[]): Promise<NextDue[]>
}
