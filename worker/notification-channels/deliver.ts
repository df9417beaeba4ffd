/**
 * deliver_channel: claims the lane of a channel, and leaves it to this process to serve. The job does not wait for
 * that: a slow tool would else keep a place in which another channel, or a deployment hook, could be served.
 */
import { monotonicMs, nowIso } from '../../core/clock.ts'
import { sql } from '../../core/database.ts'
import { wakeChannelAt } from '../../core/jobs.ts'
import { isLiving } from '../../core/living.ts'
import { log } from '../../core/log.ts'
import { type ChannelType, cancelWaiting } from '../../core/notification-channels.ts'
import { commit } from '../../core/outbox.ts'
import { traceparentOf } from '../../core/traces.ts'
import { type Fault, faultOf } from '../faults.ts'
import { isPaused } from '../pauses.ts'
import { isFresh, isStopping, workerId } from '../process.ts'
import { type DueMessage, lookAt, type OpenChannel } from './look.ts'
import { beginAttempt, concludeAttempt } from './observe.ts'
import { recordAttempt } from './record.ts'
import { send } from './send.ts'
import { Slots } from './slots.ts'

/** People read in order, so that rooms and mailboxes get one message after another; programs sort by themselves. */
const IN_FLIGHT = { feishu: 1, slack: 1, teams: 1, email: 1, webhook: 4 }
/** A lane is left after so long; its job is run anew, unless somebody stopped the tenant meanwhile. */
const SLICE_MS = 2_000
/** While messages are under way, the lane looks so often for more to send. */
const LOOK_MS = 250
/** After so long a channel that could not be served is tried again. */
const BROKEN_SECONDS = 5
const WOKEN = Symbol('woken')

/** What one process has under way, of all channels; those that fail get half of it at most, so that the others have room. */
const slots = new Slots(128, 64)

/** A channel that this process serves, or asks for. */
interface Serving {
  /** Somebody asked for it since it was last looked at. */
  asked: boolean
  /** Makes it look for more to send. */
  look: () => void
  done: Promise<void>
}

const serving = new Map<string, Serving>()

/** A lane that this process has claimed. */
interface Lane {
  channel_id: string
  organization_id: string
  channel_type: ChannelType
}

/** Whether more may be sent: what is to end soon, or is paused, begins nothing. */
const maySend = ({ organization_id }: Lane): boolean =>
  !isStopping() && isFresh() && !isPaused('deliver_channel', organization_id)

/** Serves the channel; returns as soon as its lane is claimed, by this process or by another one. */
export async function deliverChannel(channel_id: string): Promise<void> {
  const running = serving.get(channel_id)
  if (running) {
    running.asked = true
    running.look()
    return
  }
  const entry: Serving = { asked: false, look: () => {}, done: Promise.resolve() }
  serving.set(channel_id, entry)
  try {
    const lane = await claim(channel_id, entry)
    if (lane) entry.done = serve(lane, entry)
    else serving.delete(channel_id)
  } catch (error) {
    serving.delete(channel_id)
    throw error
  }
}

/** Resolves when nothing is under way any more. */
export async function deliveriesDone(): Promise<void> {
  while (serving.size > 0) await Promise.all([...serving.values()].map(({ done }) => done))
}

async function serve(claimed: Lane, entry: Serving): Promise<void> {
  const { channel_id } = claimed
  for (let lane: Lane | null = claimed; lane !== null; lane = entry.asked ? await insist(() => claim(channel_id, entry)) : null) {
    let fault: Fault | null = null
    try {
      await sendDue(lane, entry)
    } catch (error) {
      fault = faultOf(error)
      log.error({ error, channel: channel_id, fault }, `channel delivery failed; retrying in ${BROKEN_SECONDS} s`)
    }
    await insist(() => release(channel_id, fault))
  }
  serving.delete(channel_id)
}

/** Asks the database until it answers: a lane that was given up without a word would be this process's for ever. */
async function insist<Result>(work: () => Promise<Result>): Promise<Result> {
  for (let tries = 1; ; tries++) {
    try {
      return await work()
    } catch (error) {
      log.warn({ error, tries }, 'the lane of a channel could not be claimed or left yet')
      await Bun.sleep(Math.min(100 * 2 ** tries, 2_000))
    }
  }
}

/**
 * Claims a lane. The row is written in any case: who is turned away has then waited for whoever was leaving, and whoever
 * leaves afterwards sees the message that this was about. So no wake is lost.
 *
 * @returns null where another process serves it, or it is deleted
 */
async function claim(channel_id: string, entry: Serving): Promise<Lane | null> {
  do {
    entry.asked = false
    const [lane] = await sql<(Lane & { owner_id: string })[]>`
      update channel_lanes as lane
      set owner_id = coalesce(lane.owner_id, ${workerId})
      from notification_channels as channel
      where lane.channel_id = ${channel_id}
        and channel.id = lane.channel_id
      returning lane.owner_id, lane.channel_id, lane.organization_id, channel.channel_type
    `
    if (lane?.owner_id === workerId) return lane
  } while (entry.asked)
  return null
}

/**
 * Leaves the lane; the alarm for what is left is set by a later statement of the same transaction.
 *
 * @param fault why the lane could not be served; null where it could
 */
async function release(channel_id: string, fault: Fault | null): Promise<void> {
  await commit(async (tx) => {
    const [left] = await tx<{ organization_id: string }[]>`
      update channel_lanes
      set owner_id = null, fault = ${fault}
      where channel_id = ${channel_id}
        and owner_id = ${workerId}
      returning organization_id
    `
    if (!left) return
    const [{ next }] = await tx<[{ next: string | null }]>`
      select
        case when count(*) > 0 then greatest(
          -- What a tool asked to wait for, a test does not.
          min(greatest(message.next_attempt_at, case when message.event <> 'test.ping' then lane.held_until end)),
          now() + ${fault === null ? 0 : BROKEN_SECONDS} * interval '1 second'
        ) end as next
      from channel_messages as message
      join channel_lanes as lane on lane.channel_id = message.channel_id
      where message.channel_id = ${channel_id}
        and message.status = 'pending'
        and ${isLiving(sql`${left.organization_id}`)}
    `
    if (next) await wakeChannelAt(tx, channel_id, left.organization_id, next)
  })
}

/** Sends what is due, in its order, until nothing is or the slice is over; returns when the last outcome is on record. */
async function sendDue(lane: Lane, entry: Serving): Promise<void> {
  const { channel_id, channel_type } = lane
  const until = monotonicMs() + SLICE_MS
  const flying = new Map<string, Promise<void>>()
  // Under way when the slice ended. The lane cannot be left before their answers, so it sends on beside them.
  let stragglers: string[] | null = null
  let look = true
  try {
    for (;;) {
      if (stragglers === null && monotonicMs() >= until) stragglers = [...flying.keys()]
      const inTime = stragglers === null || stragglers.some((id) => flying.has(id))
      const room = IN_FLIGHT[channel_type] - flying.size
      if (look && room > 0 && inTime && maySend(lane)) {
        entry.asked = false
        const seen = await lookAt(channel_id, [...flying.keys()], room)
        if (!seen) return
        const due = seen.channel.enabled ? seen.due : await onlyTests(channel_id, seen.due)
        for (const message of due) {
          const flight = attempt(lane, seen.channel, message).finally(() => void flying.delete(message.id))
          flying.set(message.id, flight)
        }
        look = seen.due.length === room
      }
      if (flying.size === 0) return
      const flown = await Promise.race([...flying.values(), woken(entry)])
      if (flown === WOKEN) look = true
    }
  } finally {
    await Promise.allSettled(flying.values())
  }
}

/** Resolves when somebody asks for the lane, or a little later anyhow. */
function woken(entry: Serving): Promise<typeof WOKEN> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(WOKEN), LOOK_MS)
    entry.look = () => {
      clearTimeout(timer)
      resolve(WOKEN)
    }
  })
}

/** Of a channel that is switched off nothing goes out but tests; the rest is cancelled. */
async function onlyTests(channel_id: string, due: DueMessage[]): Promise<DueMessage[]> {
  await commit((tx) => cancelWaiting(tx, channel_id))
  return due.filter(({ event }) => event === 'test.ping')
}

/** Sends one message once, and writes down what came of it. */
async function attempt(lane: Lane, channel: OpenChannel, message: DueMessage): Promise<void> {
  const leave = await slots.enter(channel.failing)
  try {
    // It waited for its place: the time to send may be over.
    if (!maySend(lane)) return
    const begun = monotonicMs()
    const started_at = nowIso()
    const span = beginAttempt(channel, message)
    const tried = await send(channel, message, traceparentOf(span))
    const outcome = await insist(() => recordAttempt(channel, message, started_at, tried))
    concludeAttempt(span, channel, message, tried, outcome, Math.round(monotonicMs() - begun))
  } finally {
    leave()
  }
}
