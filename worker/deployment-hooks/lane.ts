/**
 * dispatch_hook: serves the lane of one hook. A lane belongs to one process at a time, so that ten in flight is
 * a plain number here, and right over any number of workers.
 */
import { epochSeconds, monotonicMs, nowIso } from '../../core/clock.ts'
import { sql } from '../../core/database.ts'
import { IN_FLIGHT } from '../../core/deployment-hooks.ts'
import { wakeLaneAt } from '../../core/jobs.ts'
import { log } from '../../core/log.ts'
import { post } from '../../core/outbound.ts'
import { commit } from '../../core/outbox.ts'
import { unseal } from '../../core/secrets.ts'
import { isFresh, isStopping, workerId } from '../process.ts'
import { judge } from './outcome.ts'
import { cancelWaiting, recordAttempt } from './record.ts'
import { type DueDispatch, type OpenHook, requestHeaders } from './request.ts'

/** A lane is left after so long, so that other lanes get their turn. */
const SLICE_MS = 2_000
/** While requests are under way, the lane looks so often for more to send. */
const LOOK_MS = 250
/** As answers come, it looks for more when so few are left under way, so that one look fills several slots. */
const REFILL_AT = IN_FLIGHT / 2

/** A lane that this process is serving. */
interface Serving {
  /** Somebody asked for the lane since it was last looked at. */
  asked: boolean
  /** Makes the lane look for more to send. */
  look: () => void
}

const serving = new Map<string, Serving>()

/** Serves the lane until nothing is due or its slice is over, then leaves it with an alarm for what is left. */
export async function serveLane(hook_id: string): Promise<void> {
  const running = serving.get(hook_id)
  if (running) {
    running.asked = true
    running.look()
    return
  }
  const lane: Serving = { asked: false, look: () => {} }
  serving.set(hook_id, lane)
  try {
    do {
      lane.asked = false
      let version = await insist(() => claim(hook_id))
      while (version !== null) {
        const seen = version
        const broken = await send(hook_id, lane).catch((error: unknown) => error ?? 'unknown')
        if (broken) {
          log.error({ error: broken, hook: hook_id }, 'a lane broke; it is served again soon')
          await insist(() => giveUp(hook_id))
          break
        }
        version = await insist(() => release(hook_id, seen))
      }
    } while (lane.asked)
  } finally {
    serving.delete(hook_id)
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

/** Leaves a lane that cannot be served now, such as one whose secret opens with no key, with an alarm to try again. */
async function giveUp(hook_id: string): Promise<void> {
  await commit(async (tx) => {
    const [left] = await tx<{ organization_id: string; again: string }[]>`
      update hook_lanes
      set owner_id = null
      where hook_id = ${hook_id}
        and owner_id = ${workerId}
      returning organization_id, now() + interval '5 seconds' as again
    `
    if (left) await wakeLaneAt(tx, hook_id, left.organization_id, left.again)
  })
}

/**
 * Claims a lane; one that is this process's already was claimed by a statement whose answer was lost.
 *
 * @returns the version of the lane, or null where another process serves it: that one will look again
 */
async function claim(hook_id: string): Promise<number | null> {
  const [lane] = await sql<{ version: number }[]>`
    update hook_lanes
    set owner_id = ${workerId}
    where hook_id = ${hook_id}
      and (owner_id is null or owner_id = ${workerId})
    returning version
  `
  return lane?.version ?? null
}

/**
 * Leaves the lane, and sets the alarm for what is left in the same transaction.
 *
 * @returns null when left; the new version where somebody made work since the last look, so that no wake is lost
 */
function release(hook_id: string, version: number): Promise<number | null> {
  return commit(async (tx) => {
    const [left] = await tx<{ organization_id: string }[]>`
      update hook_lanes
      set owner_id = null
      where hook_id = ${hook_id}
        and owner_id = ${workerId}
        and (version = ${version} or ${isStopping() || !isFresh()})
      returning organization_id
    `
    if (!left) {
      const [lane] = await tx<
        { version: number }[]
      >`select version from hook_lanes where hook_id = ${hook_id} and owner_id = ${workerId}`
      return lane?.version ?? null
    }
    const [{ next }] = await tx<[{ next: string | null }]>`
      select min(next_attempt_at) as next
      from dispatches
      where hook_id = ${hook_id}
        and status = 'pending'
        and exists (select from organizations where id = ${left.organization_id} and deleted_at is null)
    `
    if (next) await wakeLaneAt(tx, hook_id, left.organization_id, next)
    return null
  })
}

/** A look at a lane: the hook as it is now, as it may have been changed since, and what is due. */
interface Look {
  hook: OpenHook
  due: DueDispatch[]
}

type LookRow = { [Key in keyof DueDispatch as `dispatch_${Key}`]: DueDispatch[Key] | null } & {
  url: string
  secret: Uint8Array | null
  previous_secret: Uint8Array | null
  headers: Uint8Array | null
  enabled: boolean
}

/**
 * Reads what is due, and no more than can be sent at once: what waits in memory could not be cancelled any more.
 *
 * @returns null where the hook, or its organization, is deleted
 */
async function lookAt(hook_id: string, flying: string[]): Promise<Look | null> {
  const rows = await sql<LookRow[]>`
    select
      hook.url, hook.secret, hook.headers, hook.enabled,
      case when hook.previous_secret_until > now() then hook.previous_secret end as previous_secret,
      dispatch.id as dispatch_id, dispatch.event as dispatch_event, dispatch.sequence as dispatch_sequence,
      dispatch.body as dispatch_body, dispatch.attempt_count as dispatch_attempt_count,
      dispatch.max_attempts as dispatch_max_attempts, dispatch.redelivery_of as dispatch_redelivery_of,
      dispatch.request_id as dispatch_request_id
    from deployment_hooks as hook
    join organizations as organization
      on organization.id = hook.organization_id
      and organization.deleted_at is null
    left join lateral (
      select id, event, sequence, body, attempt_count, max_attempts, redelivery_of, request_id
      from dispatches
      where hook_id = hook.id
        and status = 'pending'
        and next_attempt_at <= now()
        and id <> all(${flying}::uuid[])
      order by next_attempt_at, id
      limit ${IN_FLIGHT - flying.length}
    ) as dispatch on true
    where hook.id = ${hook_id}
  `
  const [first] = rows
  if (!first) return null
  const hook = {
    id: hook_id,
    url: first.url,
    secrets: await Promise.all([first.secret, first.previous_secret].filter((sealed) => sealed !== null).map(unseal)),
    headers: first.headers ? JSON.parse(await unseal(first.headers)) : {},
    enabled: first.enabled,
  }
  const due = rows.flatMap((row) => {
    const { dispatch_id: id, dispatch_event: event, dispatch_body: body } = row
    if (id === null || event === null || body === null) return []
    return {
      id,
      event,
      body,
      sequence: row.dispatch_sequence,
      attempt_count: row.dispatch_attempt_count ?? 0,
      max_attempts: row.dispatch_max_attempts ?? 1,
      redelivery_of: row.dispatch_redelivery_of,
      request_id: row.dispatch_request_id,
    }
  })
  return { hook, due }
}

/** Of a hook that is switched off nothing goes out but tests; the rest is cancelled. */
async function onlyTests(hook_id: string, due: DueDispatch[]): Promise<DueDispatch[]> {
  await commit((tx) => cancelWaiting(tx, hook_id))
  return due.filter(({ event }) => event === 'test.ping')
}

/** Sends what is due, ten at a time, until nothing is or the slice is over; returns when the last answer is on record. */
async function send(hook_id: string, lane: Serving): Promise<void> {
  const until = monotonicMs() + SLICE_MS
  const flying = new Map<string, Promise<void>>()
  // Under way when the slice ended. The lane cannot be left before their answers, so it sends on beside them: else
  // one slow answer would hold up all that comes after it.
  let stragglers: string[] | null = null
  let look = true
  let fill = true
  try {
    for (;;) {
      if (stragglers === null && monotonicMs() >= until) stragglers = [...flying.keys()]
      const open = !isStopping() && isFresh() && (stragglers === null || stragglers.some((id) => flying.has(id)))
      if (open && look && flying.size < IN_FLIGHT && (fill || flying.size <= REFILL_AT)) {
        fill = false
        const room = IN_FLIGHT - flying.size
        const seen = await lookAt(hook_id, [...flying.keys()])
        if (!seen) return
        const { hook } = seen
        const due = hook.enabled ? seen.due : await onlyTests(hook_id, seen.due)
        for (const dispatch of due) {
          flying.set(
            dispatch.id,
            attempt(hook, dispatch).then(() => void flying.delete(dispatch.id)),
          )
        }
        look = due.length === room
      }
      if (flying.size === 0) return
      const asked = new Promise<void>((resolve) => {
        lane.look = () => {
          look = true
          fill = true
          resolve()
        }
      })
      const timer = setTimeout(lane.look, LOOK_MS)
      await Promise.race([...flying.values(), asked])
      clearTimeout(timer)
    }
  } finally {
    await Promise.all(flying.values())
  }
}

/** Sends one dispatch once, judges the answer, and writes it down. */
async function attempt(hook: OpenHook, dispatch: DueDispatch): Promise<void> {
  const started_at = nowIso()
  const number = dispatch.attempt_count + 1
  const result = await post(hook.url, requestHeaders(hook, dispatch, epochSeconds()), dispatch.body)
  const outcome = judge(result, number, dispatch.max_attempts, Date.parse(started_at) + result.duration_ms)
  await recordAttempt({ dispatch, started_at, result, outcome })
  log.info(
    {
      request_id: dispatch.request_id,
      dispatch: dispatch.id,
      hook: hook.id,
      event: dispatch.event,
      attempt: number,
      status: result.status,
      ms: result.duration_ms,
      outcome: outcome.kind,
      error: outcome.kind === 'succeeded' ? undefined : outcome.error.code,
    },
    'dispatch',
  )
}
