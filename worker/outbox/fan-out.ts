/** Everything that follows from an event. */

import { wakeLanes } from '../../core/jobs/lanes.ts'
import { LANE_TASK, type LaneKind, lockLanes, type TouchedLane } from '../../core/lanes.ts'
import type { Tx } from '../../sql/index.ts'
import { afterCommit } from '../../sql/transaction.ts'
import { hasRoom, serveLeased } from '../delivery/serve.ts'
import { fanOutToHooks, findHooks, laneIdsOf } from '../deployment-hooks/fan-out.ts'
import { fanOutToChannels, findChannels } from '../notification-channels/fan-out.ts'
import { fanOutToUsers } from '../notifications/fan-out.ts'
import { errorClass } from '../process/errors.ts'
import { isFresh, isStopping, workerId } from '../process/heartbeat.ts'
import { isPaused } from '../process/pauses.ts'
import { type DrainedEvent, organizationsOf } from './drained-event.ts'

/** This worker, where it may serve lanes of a kind itself. */
const lesseeFor = (kind: LaneKind): string | null =>
  hasRoom() && isFresh() && !isStopping() && !isPaused(LANE_TASK[kind], null) ? workerId : null

/** Waits for all, though one failed: what it would still write must not come after its savepoint. */
async function all<Results extends unknown[]>(works: { [Each in keyof Results]: Promise<Results[Each]> }): Promise<Results> {
  const outcomes = await Promise.allSettled(works)
  const failures = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []))
  // What failed because the transaction had failed before says nothing.
  if (failures.length > 0) throw failures.find((failure) => errorClass(failure) !== '25P02') ?? failures[0]
  return outcomes.map((outcome) => (outcome as PromiseFulfilledResult<unknown>).value) as Results
}

/** Has lanes served: by this process where it leased them, by those who serve them already, and else by whoever takes a job. */
async function serve(tx: Tx, lanes: TouchedLane[]): Promise<void> {
  const idle = lanes.filter(({ owner_id }) => owner_id === null)
  await wakeLanes(
    tx,
    idle.map(({ id }) => id),
  )
  afterCommit(tx, () => serveLeased(lanes.filter(({ owner_id }) => owner_id === workerId)))
}

/** Writes what follows from events, and marks them drained: all or nothing. */
export async function fanOut(tx: Tx, events: DrainedEvent[]): Promise<void> {
  const ids = events.map(({ id }) => id)
  const organization_ids = organizationsOf(events)
  const [hooks, channels] = await all<[Awaited<ReturnType<typeof findHooks>>, Awaited<ReturnType<typeof findChannels>>]>([
    findHooks(tx, events),
    findChannels(tx, events),
  ])
  const lane_ids = [...new Set([...laneIdsOf(hooks), ...channels.map(({ channel_id }) => channel_id)])]
  // All in one order, before any is written.
  if (lane_ids.length > 0) await lockLanes(tx, organization_ids, lane_ids)
  const [dispatching, notifying] = await all<[TouchedLane[], TouchedLane[], unknown, unknown]>([
    fanOutToHooks(tx, events, hooks, lesseeFor('hook')),
    fanOutToChannels(tx, events, channels, lesseeFor('channel')),
    fanOutToUsers(tx, events),
    tx`
      update outbox
      set drained_at = now()
      where id = any(${ids}::uuid[])
        and organization_id = any(${organization_ids}::uuid[])
    `,
  ])
  await serve(tx, [...dispatching, ...notifying])
}
