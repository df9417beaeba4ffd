/** Serves one leased lane: fetches what is due, sends and records it, until nothing is due. */

import { LANE_TASK, type Lane, type LaneVersion } from '../../core/delivery/lanes.ts'
import { monotonicMs } from '../../core/platform/clock.ts'
import { hasRecentHeartbeat, isStopping } from '../process/heartbeat.ts'
import { pace } from '../process/pace.ts'
import { isPaused } from '../process/pauses.ts'
import type { BodyBudget } from './body-budget.ts'
import type { AttemptResult, ChangedLeasedLane, Destination, Due, LaneSnapshot, LeasedLane } from './destination.ts'
import type { Recorder } from './recorder.ts'
import type { Slot, Slots } from './slots.ts'

/** How often a lane looks for more to send while requests are in flight. */
const REFETCH_MS = 250
/** How many items a lane reads at once if it has more to send than may be in flight. */
const READ_AHEAD = 100

/** Items that were read longer ago are read again before they are sent: they may have been cancelled or have expired. */
const SNAPSHOT_MAX_AGE_MS = 1_000

export interface RunDependencies<Target, Item extends Due, Attempt extends AttemptResult<Item>> {
  destination: Destination<Target, Item, Attempt>
  slots: Slots
  bodies: BodyBudget
  recorder: Recorder<Item, Attempt>
}

/** Signals to a run, which sets both functions when it starts. */
export interface RunSignals<Target = unknown, Item extends Due = Due> {
  /** Whether there was a signal since the run last read its lane. */
  isWoken: boolean
  /** The lane has changed: fetch again. */
  refetch: () => void
  /** There is more to send. Returns whether that is known now, so that the lane need not be read. */
  moreDue: (lane: ChangedLeasedLane<Target, Item>) => boolean
}

/** While no run is active, nothing follows from signals but that there were some. */
export const noRun = (): Omit<RunSignals, 'isWoken'> => ({ refetch: () => {}, moreDue: () => false })

/** Whether new requests may be sent: not while the process stops, its heartbeat is late, or the work is paused. */
export const maySend = ({ kind, organization_id }: Lane): boolean =>
  !isStopping() && hasRecentHeartbeat() && !isPaused(LANE_TASK[kind], organization_id)

interface State<Target, Item extends Due> {
  snapshot: LaneSnapshot<Target, Item> | null
  inFlight: number
  /** Whether the snapshot may be out of date, and if so, whether to read it again now or when there is room for several. */
  refresh: 'no' | 'soon' | 'now'
}

type Step = 'fetch' | 'send' | 'wait' | 'end'

/** What a run does next. It fetches several items at a time: a query per item would cost as much as sending it. */
function nextStep<Target, Item extends Due>({ snapshot, inFlight, refresh }: State<Target, Item>): Step {
  if (snapshot === null || refresh === 'now') return 'fetch'
  const hasRoomForSeveral = inFlight <= snapshot.limit / 2
  const hasDue = snapshot.due.length > 0
  if (hasRoomForSeveral && (refresh === 'soon' || (snapshot.hasMore && !hasDue))) return 'fetch'
  if (refresh === 'no' && hasDue && inFlight < snapshot.limit) return 'send'
  return inFlight > 0 ? 'wait' : 'end'
}

function refreshAfter<Item extends Due>(
  succeeded: boolean,
  current: LaneVersion | null,
  { revision, limit, isFailing }: LaneSnapshot<unknown, Item>,
): boolean {
  // A failure may have cancelled the item or disabled the destination. The first success of a failing destination raises its
  // limit.
  return !succeeded || isFailing || limit === 1 || current === null || current.revision > revision
}

/**
 * Sends items until none is due. Resolves when the last attempt is recorded.
 *
 * Items are read ahead and sent as requests finish. They are read again after a second, or when a recorded attempt shows that
 * they may be out of date.
 *
 * @returns the lane as it was last read
 * @throws an unexpected error of fetching, sending or recording, once no request is in flight any more
 */
export async function runLane<Target, Item extends Due, Attempt extends AttemptResult<Item>>(
  { destination, slots, bodies, recorder }: RunDependencies<Target, Item, Attempt>,
  { written, ...leased }: LeasedLane<Target, Item>,
  signals: RunSignals<Target, Item>,
): Promise<Lane> {
  const state: State<Target, Item> = { snapshot: null, inFlight: 0, refresh: 'now' }
  const sending = new Map<string, Promise<void>>()
  let lane: Lane = leased
  /** What the drain has written, until the lane is read. */
  let handedOver = written?.snapshot ?? null
  let isReading = false
  let readAt = monotonicMs()
  /** Whether the destination may have changed since it was read. */
  let isTargetStale = false
  let changed = Promise.withResolvers<void>()
  const failures: unknown[] = []
  const tenant = leased.organization_id

  /** Gives up what was read and not sent. */
  function dropDue(): void {
    for (const { body } of state.snapshot?.due.splice(0) ?? []) bodies.release(tenant, body.length)
  }

  function update(change: Partial<State<Target, Item>>): void {
    Object.assign(state, change)
    changed.resolve()
    changed = Promise.withResolvers()
  }
  /** Resolves at the next change. @param onTimeout must make one */
  async function changeWithin(ms: number, onTimeout: () => void): Promise<void> {
    const timer = setTimeout(onTimeout, ms)
    await changed.promise
    clearTimeout(timer)
  }

  signals.refetch = () => {
    isTargetStale = true
    handedOver = null
    update({ refresh: 'now' })
  }
  signals.moreDue = ({ version, revision, written: { items } = { items: [] } }) => {
    const { snapshot } = state
    const isNext = snapshot && version === snapshot.version + 1 && revision === snapshot.revision && !snapshot.hasMore
    if (isNext && items.length > 0 && state.refresh === 'no' && !isReading && knownTarget() && hasRoomFor(items)) {
      snapshot.due.push(...items)
      snapshot.version = version
      lane = { ...lane, version }
      hold(items)
      update({})
      return true
    }
    handedOver = null
    // New items come after the ones that were read.
    if (snapshot && snapshot.due.length > 0 && revision <= snapshot.revision) snapshot.hasMore = true
    else update({ refresh: 'now' })
    return false
  }

  function hold(items: Item[]): void {
    for (const { body } of items) bodies.hold(tenant, body.length)
  }

  const hasRoomFor = (items: Item[]): boolean => items.reduce((size, { body }) => size + body.length, 0) <= bodies.room(tenant)

  function isSnapshotOld(): boolean {
    const now = monotonicMs()
    return now - readAt > SNAPSHOT_MAX_AGE_MS || now >= (state.snapshot?.staleAt ?? now + 1)
  }

  function knownTarget(): LaneSnapshot<Target, Item> | null {
    const { snapshot } = state
    if (!snapshot || snapshot.targetReadAt === null || isTargetStale || isSnapshotOld()) return null
    return monotonicMs() - snapshot.targetReadAt > SNAPSHOT_MAX_AGE_MS ? null : snapshot
  }

  /** @returns whether the destination still exists */
  async function fetchDue(): Promise<boolean> {
    // If the items became stale before they were sent, sending is slow: then nothing is read ahead.
    const readAhead = state.snapshot?.hasMore && !isSnapshotOld() ? READ_AHEAD : 0
    state.refresh = 'no'
    signals.isWoken = false
    const known = knownTarget()
    isTargetStale = false
    readAt = monotonicMs()
    dropDue()
    isReading = true
    try {
      const snapshot =
        (await takeHandedOver()) ?? (await destination.fetchDue(lane, [...sending.keys()], readAhead, bodies.room(tenant), known))
      if (!snapshot) return false
      state.snapshot = snapshot
      hold(snapshot.due)
      lane = { ...lane, version: snapshot.version }
      return true
    } finally {
      isReading = false
    }
  }

  async function takeHandedOver(): Promise<LaneSnapshot<Target, Item> | null> {
    const take = handedOver
    handedOver = null
    return take && hasRoomFor(written?.items ?? []) ? await take() : null
  }

  async function send(item: Item, snapshot: LaneSnapshot<Target, Item>): Promise<void> {
    const { attempt, current } = await recorder.record(await destination.attempt(lane, snapshot.target, item))
    destination.observe(attempt)
    if (refreshAfter(attempt.succeeded, current, snapshot)) {
      isTargetStale = true
      if (state.refresh === 'no') state.refresh = 'soon'
    } else if (current && state.snapshot && current.version > state.snapshot.version) {
      state.snapshot.hasMore = true
    }
  }

  function launch(slot: Slot, item: Item, snapshot: LaneSnapshot<Target, Item>): void {
    const sent = send(item, snapshot)
      .catch((error: unknown) => {
        failures.push(error)
      })
      .finally(() => {
        sending.delete(item.id)
        slots.release(slot)
        bodies.release(tenant, item.body.length)
        update({ inFlight: sending.size })
      })
    sending.set(item.id, sent)
    state.inFlight = sending.size
  }

  /** @returns whether the destination still exists */
  async function fetchAndSend(slot: Slot): Promise<boolean> {
    let isUsed = false
    try {
      if (!maySend(lane)) return true
      if (isSnapshotOld()) state.refresh = 'now'
      if (nextStep(state) === 'fetch' && !(await fetchDue())) return false
      // The destination may have begun or ceased to fail since the slot was requested.
      const isRightKind = state.snapshot?.isFailing === slot.isFailing
      const item = isRightKind && nextStep(state) === 'send' ? state.snapshot?.due.shift() : undefined
      if (item && state.snapshot) {
        isUsed = true
        launch(slot, item, state.snapshot)
      }
      return true
    } finally {
      if (!isUsed) slots.release(slot)
    }
  }

  try {
    while (failures.length === 0 && maySend(lane)) {
      const step = nextStep(state)
      if (step === 'end') {
        await changeWithin(pace().lingerMs, changed.resolve)
        if (nextStep(state) === 'end') break
      } else if (step === 'wait') {
        await changeWithin(REFETCH_MS, signals.refetch)
      } else if (step === 'fetch' && bodies.room(tenant) === 0) {
        // What it gives up may be what others wait for, or all the room that it needs itself.
        dropDue()
        if (bodies.room(tenant) === 0) await bodies.freed()
      } else if (!(await fetchAndSend(await slots.acquire(tenant, state.snapshot?.isFailing ?? false)))) break
    }
  } finally {
    dropDue()
    await Promise.allSettled(sending.values())
  }
  // An attempt never throws, and recording is retried: this is a bug. The caller releases the lane, which is served again soon.
  if (failures.length > 0) throw failures[0]
  return lane
}
