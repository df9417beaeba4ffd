/** Serves one lane that this process has leased: fetch what is due, send, record, until nothing is due. */

import { LANE_TASK, type Lane, type LaneVersion } from '../../core/lanes.ts'
import { monotonicMs } from '../../core/platform/clock.ts'
import { isFresh, isStopping } from '../process/heartbeat.ts'
import { isPaused } from '../process/pauses.ts'
import type { Attempted, Destination, Due, View } from './destination.ts'
import type { Permit, Permits } from './permits.ts'
import type { Recorder } from './recorder.ts'

/** While requests are in flight, the lane looks so often for more to send. */
const LOOK_MS = 250
/** So many are read ahead by a lane that has more to send than it may at once. */
const AHEAD = 100

/**
 * What was read so long ago is read again before it is sent: it may have been cancelled, or expired, while it waited for a
 * permit or for room.
 */
const STALE_MS = 1_000

/** What a run needs beside its lane. */
export interface Means<Target, Item extends Due, Attempt extends Attempted<Item>> {
  destination: Destination<Target, Item, Attempt>
  permits: Permits
  recorder: Recorder<Item, Attempt>
}

/** Makes a run look at its lane again; replaced by the run with what it waits for. */
export interface Wake {
  /** Something has changed. */
  now: () => void
  /** There is more to send. */
  more: (revision: number) => void
}

export const notRunning = (): Wake => ({ now: () => {}, more: () => {} })

/** Whether more may be sent: a worker that stops, was silent for long, or whose work is paused sends nothing new. */
export const maySend = ({ kind, organization_id }: Lane): boolean =>
  !isStopping() && isFresh() && !isPaused(LANE_TASK[kind], organization_id)

/** What a run knows of its lane. */
interface State<Target, Item extends Due> {
  /** As it was last read. */
  view: View<Target, Item> | null
  /** How many requests are in flight. */
  inFlight: number
  /** Whether what was read may be out of date: worth a query once there is room for several, or at once. */
  refresh: 'no' | 'soon' | 'now'
}

type Step = 'fetch' | 'send' | 'wait' | 'end'

/** What a run does next. It fetches for several at a time: a query for each would cost as much as the sending. */
function nextStep<Target, Item extends Due>({ view, inFlight, refresh }: State<Target, Item>): Step {
  if (view === null || refresh === 'now') return 'fetch'
  const hasRoomForSeveral = inFlight <= view.limit / 2
  const hasDue = view.due.length > 0
  if (hasRoomForSeveral && (refresh === 'soon' || (view.more && !hasDue))) return 'fetch'
  if (refresh === 'no' && hasDue && inFlight < view.limit) return 'send'
  return inFlight > 0 ? 'wait' : 'end'
}

/** Whether an attempt that is on record means that what was read may be out of date. */
function refreshAfter<Item extends Due>(
  succeeded: boolean,
  current: LaneVersion | null,
  { revision, limit, isDoubtful }: View<unknown, Item>,
): boolean {
  // After a failure the item may have been cancelled, or the destination switched off; after the first success of a
  // destination that failed, it takes more at once.
  return !succeeded || isDoubtful || limit === 1 || current === null || current.revision > revision
}

/**
 * Sends what is due until nothing is; resolves when the last attempt is on record.
 *
 * What was read is sent as room gets free, for up to a second and as long as the records of what was sent say that it is not
 * out of date.
 *
 * @returns the lane as it was last read
 */
export async function runLane<Target, Item extends Due, Attempt extends Attempted<Item>>(
  { destination, permits, recorder }: Means<Target, Item, Attempt>,
  leased: Lane,
  wake: Wake,
): Promise<Lane> {
  const state: State<Target, Item> = { view: null, inFlight: 0, refresh: 'now' }
  const sending = new Map<string, Promise<void>>()
  let lane = leased
  let readAt = monotonicMs()
  let changed = Promise.withResolvers<void>()
  const failures: unknown[] = []

  function update(change: Partial<State<Target, Item>>): void {
    Object.assign(state, change)
    changed.resolve()
    changed = Promise.withResolvers()
  }
  wake.now = () => update({ refresh: 'now' })
  wake.more = (revision) => {
    const { view } = state
    // What is new comes behind what was read.
    if (view && view.due.length > 0 && revision <= view.revision) view.more = true
    else wake.now()
  }

  const isStale = (): boolean => monotonicMs() - readAt > STALE_MS

  async function look(): Promise<boolean> {
    // Where sending is too slow for what was read, less is read.
    const atMost = state.view?.more && !isStale() ? AHEAD : 0
    state.refresh = 'no'
    readAt = monotonicMs()
    const view = await destination.fetchDue(lane, [...sending.keys()], atMost)
    if (!view) return false
    state.view = view
    lane = { ...lane, version: view.version }
    return true
  }

  async function send(item: Item, view: View<Target, Item>): Promise<void> {
    const { attempt, current } = await recorder.record(await destination.attempt(lane, view.target, item))
    destination.report(attempt)
    if (refreshAfter(attempt.succeeded, current, view)) {
      if (state.refresh === 'no') state.refresh = 'soon'
    } else if (current && state.view && current.version > state.view.version) {
      // What is new comes behind what was read.
      state.view.more = true
    }
  }

  function launch(permit: Permit, item: Item, view: View<Target, Item>): void {
    const sent = send(item, view)
      .catch((error: unknown) => {
        failures.push(error)
      })
      .finally(() => {
        sending.delete(item.id)
        permits.release(permit)
        update({ inFlight: sending.size })
      })
    sending.set(item.id, sent)
    state.inFlight = sending.size
  }

  /** @returns whether the lane is still there */
  async function fetchAndSend(permit: Permit): Promise<boolean> {
    let isUsed = false
    try {
      if (!maySend(lane)) return true
      if (isStale()) state.refresh = 'now'
      if (nextStep(state) === 'fetch' && !(await look())) return false
      // A permit that was asked for before the lane was found to be doubtful, or no more so, is of the wrong kind.
      const isFit = state.view?.isDoubtful === permit.isDoubtful
      const item = isFit && nextStep(state) === 'send' ? state.view?.due.shift() : undefined
      if (item && state.view) {
        isUsed = true
        launch(permit, item, state.view)
      }
      return true
    } finally {
      if (!isUsed) permits.release(permit)
    }
  }

  try {
    while (failures.length === 0 && maySend(lane)) {
      const step = nextStep(state)
      if (step === 'end') break
      if (step === 'wait') {
        const timer = setTimeout(wake.now, LOOK_MS)
        await changed.promise
        clearTimeout(timer)
      } else if (!(await fetchAndSend(await permits.acquire(lane.organization_id, state.view?.isDoubtful ?? false)))) break
    }
  } finally {
    await Promise.allSettled(sending.values())
  }
  // A bug: the lane is released with this as its fault, and tried again soon.
  if (failures.length > 0) throw failures[0]
  return lane
}
