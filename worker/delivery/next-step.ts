/** What a lane does next: a pure function of what this process knows about it. */
import type { Due, Fetched } from './destination.ts'

/** How long what was read may be sent: it may have been cancelled since, or have expired. */
const MAX_AGE_MS = 1_000

export interface LaneState<Target, Item extends Due> {
  /** As it was last read; null before. What is sent leaves `due`. */
  fetched: Fetched<Target, Item> | null
  /** When it had been read, on the monotonic clock. */
  fetchedAt: number
  /** Whether what was read may be out of date, and if so, whether to read again now or when there is room for several. */
  refresh: 'no' | 'soon' | 'now'
  /** How many requests have not been recorded yet. */
  inFlight: number
  /** Whether the destination is deleted. */
  isGone: boolean
}

/**
 * - `fetch`: read the destination and what is due
 * - `send`: send the first item
 * - `wait`: for a request in flight, or a signal
 * - `end`: nothing is due
 */
export type Step = 'fetch' | 'send' | 'wait' | 'end'

/** @param now on the monotonic clock */
export function nextStep<Target, Item extends Due>(
  { fetched, fetchedAt, refresh, inFlight, isGone }: LaneState<Target, Item>,
  now: number,
): Step {
  if (isGone) return 'end'
  if (fetched === null || refresh === 'now') return 'fetch'
  const { due, hasMore, limit, staleAt } = fetched
  const isOld = now - fetchedAt > MAX_AGE_MS || now >= (staleAt ?? Number.POSITIVE_INFINITY)
  if (due.length > 0 && isOld) return 'fetch'
  // Several at a time: a query for each would cost as much as sending it.
  const hasRoomForSeveral = inFlight <= limit / 2
  if (hasRoomForSeveral && (refresh === 'soon' || (hasMore && due.length === 0))) return 'fetch'
  if (due.length > 0 && refresh === 'no' && inFlight < limit) return 'send'
  return inFlight > 0 ? 'wait' : 'end'
}
