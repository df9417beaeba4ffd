/** The drain and the lanes of this process, and what follows from events: dispatches, channel messages, notifications, and answers to GitHub. */

import { type ChangedLane, lockLanes, wakeLanes } from '../core/delivery/lanes.ts'
import type { Tx } from '../sql/index.ts'
import { afterCommit, pipeline } from '../sql/transaction.ts'
import { Delivery } from './delivery/delivery.ts'
import { hook } from './deployment-hooks/destination.ts'
import { fanOutToHooks, findHooks, laneIdsOf } from './deployment-hooks/new-dispatches.ts'
import { fanOutToGitHub, findWaiting } from './github/decided.ts'
import { github } from './github/destination.ts'
import { channel } from './notification-channels/destination.ts'
import { fanOutToChannels, findChannels } from './notification-channels/new-messages.ts'
import { fanOutToUsers, findUsers } from './notifications/new-notifications.ts'
import { Drain } from './outbox/drain.ts'
import { type DrainedEvent, organizationsOf } from './outbox/drained-event.ts'
import { errorClass } from './process/errors.ts'
import { workerId } from './process/heartbeat.ts'
import { offerToClaimers } from './pull-hooks/offer.ts'

export const delivery = new Delivery({ hook, channel, github })

export const drain = new Drain(fanOut)

/** Waits for all, even if one fails: its statements must not run after the savepoint is rolled back. */
async function all<Results extends unknown[] | []>(works: { [Each in keyof Results]: Promise<Results[Each]> }): Promise<Results> {
  const outcomes = await Promise.allSettled(works)
  const failures = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []))
  // 25P02 means that an earlier statement of the transaction failed: that one has the cause.
  if (failures.length > 0) throw failures.find((failure) => errorClass(failure) !== '25P02') ?? failures[0]
  return outcomes.map((outcome) => (outcome as PromiseFulfilledResult<unknown>).value) as Results
}

/** Writes everything that follows from events, and takes them off their queue. */
async function fanOut(tx: Tx, events: DrainedEvent[]): Promise<void> {
  const [ids, tenants] = [events.map(({ id }) => id), events.map(({ organization_id }) => organization_id)]
  const organization_ids = organizationsOf(events)
  const [hooks, channels, users, waiting] = await all([
    findHooks(tx, events),
    findChannels(tx, events),
    findUsers(tx, events),
    findWaiting(tx, events),
  ])
  const lane_ids = [
    ...new Set([...laneIdsOf(hooks), ...channels.map(({ channel_id }) => channel_id), ...waiting.map(({ lane_id }) => lane_id)]),
  ]
  // All at once and in one order, before anything is written, to avoid deadlocks.
  if (lane_ids.length > 0) await pipeline(tx, lockLanes(tx, organization_ids, lane_ids))
  const [hookLanes, channelLanes, githubLanes] = await all([
    fanOutToHooks(tx, events, hooks, delivery.workerFor('hook')),
    fanOutToChannels(tx, events, channels, delivery.workerFor('channel')),
    fanOutToGitHub(tx, waiting, delivery.workerFor('github')),
    fanOutToUsers(tx, events, users),
    tx`
      delete from waiting_events
      using unnest(${ids}::uuid[], ${tenants}::uuid[]) as drained (id, organization_id)
      where waiting_events.organization_id = drained.organization_id
        and waiting_events.id = drained.id
    `,
  ])
  await serveOrWake(tx, [...hookLanes, ...channelLanes, ...githubLanes])
}

/** Serves the lanes that this process leased, after the commit, and wakes those that no worker leases. */
async function serveOrWake(tx: Tx, lanes: ChangedLane[]): Promise<void> {
  const pulled = lanes.filter(({ is_pull }) => is_pull)
  if (pulled.length > 0) await offerToClaimers(tx, pulled)
  const idle = lanes.filter(({ owner_id, is_pull }) => owner_id === null && !is_pull)
  await wakeLanes(tx, idle)
  afterCommit(tx, () => delivery.serveLeased(lanes.filter(({ owner_id }) => owner_id === workerId)))
}
