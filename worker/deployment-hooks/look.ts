/** A look at a lane: what of it is to be sent, and what is not to be sent any more. */
import { sql } from '../../core/database.ts'
import { CANCELLED, HOOK_DISABLED, IN_FLIGHT } from '../../core/deployment-hooks.ts'
import { isLiving } from '../../core/living.ts'
import { maskOf, secretsOfHeader, secretsOfSigning } from '../../core/masking.ts'
import { unseal } from '../../core/secrets.ts'
import type { DueDispatch, OpenHook } from './request.ts'

/** The hook as it is now, as it may have been changed since, and what is due. */
export interface Look {
  hook: OpenHook
  /** Its last attempt timed out. */
  is_slow: boolean
  due: DueDispatch[]
  /** Not all that is due was read, or some of it was ended instead. */
  more: boolean
  /** Of the lane, as it was when this was read. Another one means that it may no longer be true. */
  version: number
}

/** So many are read by a lane that keeps up its pace, to be sent one after another. */
const AHEAD = 100
/** Beyond what can be sent at once, no more than so much of bodies is held in memory. */
const AHEAD_BYTES = 1_048_576

type LookRow = { [Key in keyof DueDispatch as `dispatch_${Key}`]: DueDispatch[Key] | null } & {
  organization_id: string
  url: string
  target_since: string
  secret: Uint8Array | null
  previous_secret: Uint8Array | null
  headers: Uint8Array | null
  is_slow: boolean
  untidy: boolean
  version: number
  dispatch_expired: boolean | null
}

/**
 * Reads what is due. What is not to be sent any more is ended first, and only here, where it is known what is in
 * flight.
 *
 * Nothing is sent after what supersedes it: of what was read, whatever is older than the newest that can be seen
 * then is taken out again, and what becomes visible later is sent later.
 *
 * @param flying what is in flight, and left alone
 * @param ahead whether to read more than can be sent at once
 * @returns null where the hook, or its organization, is deleted
 */
export async function lookAt(hook_id: string, flying: string[], ahead: boolean): Promise<Look | null> {
  const rows = await readDue(hook_id, flying, ahead)
  const [first] = rows
  if (!first) return null
  const { organization_id, url, target_since, secret, previous_secret, headers, is_slow, untidy, version } = first
  const ended =
    untidy || rows.some(({ dispatch_expired }) => dispatch_expired)
      ? new Set(await endUnsent(hook_id, flying))
      : new Set<string>()
  const due = rows.flatMap(dueOf)
  const left = due.filter(({ id }) => !ended.has(id))
  // Opened only for what is sent: most looks at a paused hook find nothing.
  const sealed = left.length > 0 ? { secrets: [secret, previous_secret], headers } : { secrets: [], headers: null }
  const secrets = await Promise.all(sealed.secrets.filter((each) => each !== null).map(unseal))
  const own: Record<string, string> = sealed.headers ? JSON.parse(await unseal(sealed.headers)) : {}
  return {
    hook: {
      id: hook_id,
      organization_id,
      url,
      target_since,
      secrets,
      headers: own,
      mask: maskOf([...secrets.flatMap(secretsOfSigning), ...Object.values(own).flatMap(secretsOfHeader)]),
    },
    is_slow,
    due: left,
    more: left.length < due.length || due.length >= IN_FLIGHT,
    version,
  }
}

/** As text: a plan that is made for any number of rows reads too many, so that it would be made anew each time. */
const most = (ahead: boolean) => (ahead ? sql`limit ${sql.unsafe(String(AHEAD))}` : sql`limit ${sql.unsafe(String(IN_FLIGHT))}`)

/** Of a hook that is paused or switched off only tests are due. */
function readDue(hook_id: string, flying: string[], ahead: boolean): Promise<LookRow[]> {
  const columns = sql`
    id, project_id, event, environment, sequence, body, attempt_count, max_attempts, redelivery_of, request_id, traceparent, created_at,
    next_attempt_at
  `
  return sql<LookRow[]>`
    select
      hook.organization_id, hook.url, hook.target_since,
      -- Read from the first row, and so only in that one.
      case when dispatch.place > 1 then null else hook.secret end as secret,
      case when dispatch.place > 1 then null else hook.headers end as headers,
      case
        when dispatch.place > 1 then null
        when hook.previous_secret_until > now() then hook.previous_secret
      end as previous_secret,
      coalesce(receiver.is_slow, false) as is_slow,
      lane.version,
      not hook.enabled
        or hook.supersede
        or exists (select from dispatches where hook_id = hook.id and status = 'pending' and cancel_asked) as untidy,
      dispatch.id as dispatch_id, dispatch.event as dispatch_event, dispatch.sequence as dispatch_sequence,
      dispatch.body as dispatch_body, dispatch.attempt_count as dispatch_attempt_count,
      dispatch.max_attempts as dispatch_max_attempts, dispatch.redelivery_of as dispatch_redelivery_of,
      dispatch.request_id as dispatch_request_id, dispatch.traceparent as dispatch_traceparent, dispatch.project_id as dispatch_project_id,
      dispatch.environment as dispatch_environment, dispatch.created_at as dispatch_created_at,
      dispatch.event <> 'test.ping'
        and dispatch.created_at <= now() - hook.max_age_seconds * interval '1 second' as dispatch_expired
    from deployment_hooks as hook
    join hook_lanes as lane on lane.hook_id = hook.id
    left join hook_receivers as receiver on receiver.hook_id = hook.id
    left join lateral (
      select
        due.*,
        row_number() over in_turn as place,
        sum(octet_length(body)) over in_turn as bytes
      from (
        (
          select ${columns}
          from dispatches
          where hook.enabled
            and not hook.paused
            and hook_id = hook.id
            and status = 'pending'
            and next_attempt_at <= now()
            and id <> all(${flying}::uuid[])
          order by next_attempt_at, id
          ${most(ahead)}
        )
        union all
        (
          select ${columns}
          from dispatches
          where (not hook.enabled or hook.paused)
            and hook_id = hook.id
            and status = 'pending'
            and event = 'test.ping'
            and next_attempt_at <= now()
            and id <> all(${flying}::uuid[])
          order by next_attempt_at, id
          ${most(false)}
        )
      ) as due
      window in_turn as (order by next_attempt_at, id)
    ) as dispatch on dispatch.place <= ${IN_FLIGHT} or dispatch.bytes <= ${AHEAD_BYTES}
    where hook.id = ${hook_id}
      and ${isLiving(sql`hook.organization_id`)}
    order by dispatch.place
  `
}

function dueOf(row: LookRow): DueDispatch[] {
  const { dispatch_id: id, dispatch_event: event, dispatch_body: body } = row
  if (id === null || event === null || body === null) return []
  return [
    {
      id,
      event,
      body,
      project_id: row.dispatch_project_id ?? '',
      environment: row.dispatch_environment ?? '',
      created_at: row.dispatch_created_at ?? '',
      sequence: row.dispatch_sequence,
      attempt_count: row.dispatch_attempt_count ?? 0,
      max_attempts: row.dispatch_max_attempts ?? 1,
      redelivery_of: row.dispatch_redelivery_of,
      request_id: row.dispatch_request_id,
      traceparent: row.dispatch_traceparent,
    },
  ]
}

const SUPERSEDED = { code: 'superseded', detail: 'A newer dispatch of the hook took its place.' }
const EXPIRED = { code: 'expired', detail: "It was older than the hook's max_age_seconds." }

/**
 * Ends what waits and is not to be sent: what was cancelled, all of a hook that is switched off, what a newer one
 * supersedes, and what is due and too old. A test is only ever cancelled.
 *
 * @returns what was ended
 */
async function endUnsent(hook_id: string, flying: string[]): Promise<string[]> {
  const ended = await sql<{ id: string }[]>`
    with ending as (
      select
        dispatch.id,
        case
          when dispatch.cancel_asked then ${sql.json(CANCELLED)}::jsonb
          when not hook.enabled then ${sql.json(HOOK_DISABLED)}::jsonb
          when newer.id is not null then ${sql.json(SUPERSEDED)}::jsonb
          else ${sql.json(EXPIRED)}::jsonb
        end as error,
        case when hook.enabled and not dispatch.cancel_asked then newer.id end as superseded_by
      from deployment_hooks as hook
      join dispatches as dispatch on dispatch.hook_id = hook.id and dispatch.status = 'pending'
      left join lateral (
        select id
        from dispatches
        where hook.supersede
          and dispatch.event <> 'test.ping'
          and hook_id = hook.id
          and redelivery_of is null
          and sequence > coalesce(dispatch.made_after, dispatch.sequence)
        order by sequence
        limit 1
      ) as newer on true
      where hook.id = ${hook_id}
        and dispatch.id <> all(${flying}::uuid[])
        and (
          dispatch.cancel_asked
          or newer.id is not null
          or dispatch.event <> 'test.ping'
            and (
              not hook.enabled
              or not hook.paused
                and dispatch.next_attempt_at <= now()
                and dispatch.created_at <= now() - hook.max_age_seconds * interval '1 second'
            )
        )
    )
    update dispatches as dispatch
    set status          = 'cancelled',
        next_attempt_at = null,
        completed_at    = now(),
        error           = ending.error,
        superseded_by   = ending.superseded_by
    from ending
    where dispatch.id = ending.id
      and dispatch.status = 'pending'
    returning dispatch.id
  `
  return ended.map(({ id }) => id)
}
