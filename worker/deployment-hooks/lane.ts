/**
 * dispatch_hook: serves the lane of one hook. A lane belongs to one process at a time, so that ten in flight is
 * a plain number here, and right over any number of workers.
 */
import { monotonicMs, nowIso } from '../../core/clock.ts'
import { config } from '../../core/config.ts'
import { sql } from '../../core/database.ts'
import { IN_FLIGHT } from '../../core/deployment-hooks.ts'
import { wakeLaneAt } from '../../core/jobs.ts'
import { isLiving } from '../../core/living.ts'
import { log } from '../../core/log.ts'
import { post } from '../../core/outbound.ts'
import { commit } from '../../core/outbox.ts'
import { storedAnswer } from '../../core/stored-answer.ts'
import { traceparentOf } from '../../core/traces.ts'
import { type Fault, faultOf } from '../faults.ts'
import { isPaused } from '../pauses.ts'
import { isFresh, isStopping, workerId } from '../process.ts'
import { type Look, lookAt } from './look.ts'
import { beginAttempt, concludeAttempt } from './observe.ts'
import { judge } from './outcome.ts'
import { recordAttempt } from './record.ts'
import { type DueDispatch, type OpenHook, requestHeaders } from './request.ts'

/**
 * A lane is left after so long, whatever has come for it meanwhile, so that other lanes get their turn. Those that began
 * together, as in a flood, end one after another: a place gets free for others all the while.
 */
const sliceMs = (): number => 200 + 200 * Math.random()
/** While requests are under way, the lane looks so often for more to send. */
const LOOK_MS = 250
/** As answers come, it looks for more when so few are left under way, so that one look fills several slots. */
const REFILL_AT = IN_FLIGHT / 2
/** After so long a lane that cannot be served, such as one whose secret opens with no key, is tried again. */
const BROKEN_SECONDS = 5
/** After so long a slow lane asks again for a slot, while there are more slow ones than slots for them. */
const CROWDED_SECONDS = 5

/** A lane that this process is serving. */
interface Serving {
  /** A job was to serve the lane, and came to nothing because it is served already. */
  asked: boolean
  /** Makes the lane look for more to send. */
  look: () => void
  /** Its slice is over, and it is about to be left with an alarm. */
  leaving: boolean
  /** Resolves when it is left. */
  left: Promise<void>
}

const serving = new Map<string, Serving>()

/** Has the lanes of hooks that this process serves look for more to send; others are not its own. */
export function lookAgain(hook_ids: string[]): void {
  for (const hook_id of hook_ids) {
    serving.get(hook_id)?.look()
  }
}

/** A lane that this process has claimed, as it was then. */
interface Claimed {
  hook_id: string
  organization_id: string
  version: number
}

/** Whether more may be sent: what is to end soon, or is paused, begins nothing. */
const maySend = ({ organization_id }: Claimed): boolean =>
  !isStopping() && isFresh() && !isPaused('dispatch_hook', organization_id)

/** Serves the lane until nothing is due or its slice is over, then leaves it with an alarm for what is left. */
export async function serveLane(hook_id: string): Promise<void> {
  for (let served = serving.get(hook_id); served; served = serving.get(hook_id)) {
    if (!served.leaving) {
      served.asked = true
      return served.look()
    }
    // This job comes at its own turn. Were it to keep the other one from ending, that one would keep its place for good.
    await served.left
  }
  const { promise: left, resolve: leave } = Promise.withResolvers<void>()
  const lane: Serving = { asked: false, look: () => {}, leaving: false, left }
  serving.set(hook_id, lane)
  const until = monotonicMs() + sliceMs()
  try {
    do {
      lane.asked = false
      let claimed = await insist(() => claim(hook_id))
      while (claimed !== null) {
        const seen = claimed
        let fault: Fault | null = null
        const again = await send(seen, lane, until).catch((error: unknown) => {
          fault = faultOf(error)
          log.error({ error, hook: hook_id, fault }, `hook delivery failed; retrying in ${BROKEN_SECONDS} s`)
          return BROKEN_SECONDS
        })
        // The alarm is for all that was asked until now as well.
        lane.leaving = again !== null
        claimed = await insist(() => release(seen, again, fault))
      }
    } while (lane.asked && !lane.leaving)
  } finally {
    serving.delete(hook_id)
    slow.delete(hook_id)
    leave()
  }
}

/**
 * Asks the database until it answers. A lane that this process gave up without a word would be its own for as long
 * as it lives, and whoever is woken for it would leave it alone.
 */
async function insist<Result>(work: () => Promise<Result>): Promise<Result> {
  for (let tries = 1; ; tries++) {
    try {
      return await work()
    } catch (error) {
      log.warn({ error, tries }, 'a lane could not be claimed or left yet')
      await Bun.sleep(Math.min(100 * 2 ** tries, 2_000))
    }
  }
}

/**
 * Claims a lane; one that is this process's already was claimed by a statement whose answer was lost.
 *
 * @returns null where another process serves it: that one will look again
 */
async function claim(hook_id: string): Promise<Claimed | null> {
  const [lane] = await sql<Claimed[]>`
    update hook_lanes
    set owner_id = ${workerId}
    where hook_id = ${hook_id}
      and (owner_id is null or owner_id = ${workerId})
    returning hook_id, organization_id, version
  `
  return lane ?? null
}

/**
 * Leaves the lane, and sets the alarm for what is left in the same transaction.
 *
 * @param again seconds after which there may be more to do, whatever is due; null where all that is known was done
 * @param fault why the lane could not be served; null where it could
 * @returns null when left; the lane as it is now where somebody made work since the last look, so that no wake is lost
 */
function release(claimed: Claimed, again: number | null, fault: Fault | null): Promise<Claimed | null> {
  const { hook_id, organization_id, version } = claimed
  return commit(async (tx) => {
    const [left] = await tx<{ changed: boolean }[]>`
      update hook_lanes
      set owner_id = null, fault = ${fault}
      where hook_id = ${hook_id}
        and owner_id = ${workerId}
        and (version = ${version} or ${again !== null || !maySend(claimed)})
      returning version <> ${version} as changed
    `
    if (!left) {
      const [lane] = await tx<Claimed[]>`
        select hook_id, organization_id, version from hook_lanes where hook_id = ${hook_id} and owner_id = ${workerId}
      `
      return lane ?? null
    }
    const [alarm] = await tx<{ at: string | null }[]>`
      select
        case
          when ${again}::float8 is not null then now() + ${again}::float8 * interval '1 second'
          when ${left.changed} then now()
          else least(
            (
              select min(next_attempt_at)
              from dispatches
              where hook.enabled
                and not hook.paused
                and hook_id = hook.id
                and status = 'pending'
            ),
            (select min(next_attempt_at) from dispatches where hook_id = hook.id and status = 'pending' and event = 'test.ping')
          )
        end as at
      from deployment_hooks as hook
      where hook.id = ${hook_id}
        and ${isLiving(sql`hook.organization_id`)}
    `
    if (alarm?.at) await wakeLaneAt(tx, hook_id, organization_id, alarm.at, again === null ? 'in time' : 'last')
    return null
  })
}

/** Lanes of receivers that time out, served here. Each has one slot, and all of them half of this worker's. */
const slow = new Set<string>()
const MOST_SLOW = Math.max(1, Math.floor(config.WORKER_CONCURRENCY / 2))

/** How much of a lane may be in flight; nothing of a slow one while too many others are served. */
function slotsOf(hook_id: string, is_slow: boolean): number {
  if (!is_slow) {
    slow.delete(hook_id)
    return IN_FLIGHT
  }
  if (!slow.has(hook_id) && slow.size >= MOST_SLOW) return 0
  slow.add(hook_id)
  return 1
}

/**
 * Sends what is due, some at a time, until nothing is or the slice is over; returns when the last answer is on record.
 *
 * What was read is sent as slots get free, for as long as the records of what was sent say that nobody touched the
 * lane since: a look for each would cost as much as the sending.
 *
 * @param until the end of the slice, by the monotonic clock
 * @returns seconds after which there may be more to do; null where nothing is
 */
async function send(claimed: Claimed, lane: Serving, until: number): Promise<number | null> {
  const { hook_id } = claimed
  const flying = new Map<string, Promise<void>>()
  // Under way when the slice ended. The lane cannot be left before their answers, so it sends on beside them: else
  // one slow answer would hold up all that comes after it.
  let stragglers: string[] | null = null
  let look = true
  let fill = true
  let slots = 0
  let ahead: DueDispatch[] = []
  let wake = () => {}
  const forget = () => {
    ahead = []
    look = true
  }
  const launch = ({ hook, version }: Look, dispatch: DueDispatch) => {
    const done = attempt(hook, dispatch).then(({ succeeded, lane_version }) => {
      flying.delete(dispatch.id)
      // What failed may have been cancelled meanwhile, or its hook switched off: it is looked at again, to be ended. So
      // is a slow lane after a success, which may have all its slots again.
      if (!succeeded || slots < IN_FLIGHT || lane_version === null || lane_version > version) forget()
      wake()
    })
    flying.set(dispatch.id, done)
  }
  try {
    for (let seen: Look | null = null; ; ) {
      if (stragglers === null && monotonicMs() >= until) stragglers = [...flying.keys()]
      const open = maySend(claimed) && (stragglers === null || stragglers.some((id) => flying.has(id)))
      if (open && look && ahead.length === 0 && (fill || flying.size <= REFILL_AT)) {
        fill = false
        look = false
        seen = await lookAt(hook_id, [...flying.keys()], slots === IN_FLIGHT && flying.size < IN_FLIGHT)
        if (!seen) return null
        slots = slotsOf(hook_id, seen.is_slow)
        if (slots === 0 && flying.size === 0 && seen.due.length > 0) return CROWDED_SECONDS
        ahead = seen.due
        look ||= seen.more
      }
      while (seen && open && flying.size < slots && ahead.length > 0) launch(seen, ahead.shift() as DueDispatch)
      const left = look || ahead.length > 0
      if (flying.size === 0 && (!left || !open)) return left ? (slow.size < MOST_SLOW ? 0 : CROWDED_SECONDS) : null
      if (flying.size === 0) continue
      const changed = new Promise<void>((resolve) => {
        wake = resolve
      })
      lane.look = () => {
        forget()
        fill = true
        wake()
      }
      const timer = setTimeout(lane.look, LOOK_MS)
      await changed
      clearTimeout(timer)
    }
  } finally {
    await Promise.all(flying.values())
  }
}

/**
 * Sends one dispatch once, judges the answer, and writes it down.
 *
 * @returns whether it succeeded, and the version of the lane as its record found it; null where nothing was left of it
 */
async function attempt(hook: OpenHook, dispatch: DueDispatch): Promise<{ succeeded: boolean; lane_version: number | null }> {
  const started_at = nowIso()
  const number = dispatch.attempt_count + 1
  const span = beginAttempt(hook, dispatch)
  const timestamp = Math.floor(Date.parse(started_at) / 1000)
  const headers = requestHeaders(hook, dispatch, timestamp, traceparentOf(span))
  const answer = await post(hook.url, headers, dispatch.body, hook.id)
  const judged = judge(answer, number, dispatch.max_attempts, Date.parse(started_at) + answer.duration_ms, hook.mask)
  const result = storedAnswer(answer, hook.mask)
  const { id: hook_id, target_since } = hook
  const { outcome, lane_version } = await recordAttempt({ hook_id, target_since, dispatch, started_at, result, outcome: judged })
  concludeAttempt(span, hook, dispatch, result, outcome)
  return { succeeded: outcome.kind === 'succeeded', lane_version }
}
