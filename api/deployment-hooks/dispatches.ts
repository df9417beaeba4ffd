import { isActiveOrganization } from '../../core/active-organizations.ts'
import { dispatchHeaders, traceHeader } from '../../core/deployment-hooks.ts'
import { sql } from '../../core/platform/database.ts'
import { MASK } from '../../core/security/secrets.ts'
import type { Queryable } from '../../sql/index.ts'
import { offsetOf, paged } from '../plugins/pages.ts'
import type { Placed } from '../plugins/request-context.ts'
import { notFound } from '../problems.ts'
import type { Attempt, Dispatch, DispatchDetail, DispatchQuery } from './schema.ts'

/** A dispatch as the API shows it, of `dispatch`: what waits is in the queue, and the last answer in the attempts. */
const dispatchColumns = sql`
  dispatch.id, dispatch.hook_id, dispatch.project_id, dispatch.event, dispatch.environment, dispatch.status,
  coalesce(delivery.attempt_count, dispatch.attempt_count) as attempt_count, dispatch.max_attempts,
  delivery.due_at as next_attempt_at, attempt.response_status, attempt.response_body, attempt.duration_ms,
  case dispatch.status when 'pending' then attempt.error else dispatch.error end as error,
  dispatch.sequence, dispatch.redelivery_of, dispatch.superseded_by, dispatch.created_at, dispatch.completed_at
`

const withLastAttempt = sql`
  left join deliveries as delivery
    on delivery.id = dispatch.id
    and delivery.organization_id = dispatch.organization_id
  left join dispatch_attempts as attempt
    on attempt.dispatch_id = dispatch.id
    and attempt.organization_id = dispatch.organization_id
    and attempt.number = coalesce(delivery.attempt_count, dispatch.attempt_count)
`

/** A dispatch as lists show it. */
export async function getDispatch(db: Queryable, { id, organization_id }: Placed): Promise<Dispatch> {
  const [dispatch] = await db<Dispatch[]>`
    select ${dispatchColumns}
    from dispatches as dispatch
    ${withLastAttempt}
    where dispatch.id = ${id}
      and dispatch.organization_id = ${organization_id}
  `
  if (!dispatch) throw notFound('dispatch')
  return dispatch
}

/** Several, in the order in which they are named. */
export function getDispatches(db: Queryable, organization_id: string, dispatch_ids: string[]) {
  return db<Dispatch[]>`
    select ${dispatchColumns}
    from dispatches as dispatch
    ${withLastAttempt}
    where dispatch.id = any(${dispatch_ids}::uuid[])
      and dispatch.organization_id = ${organization_id}
    order by array_position(${dispatch_ids}::uuid[], dispatch.id)
  `
}

/**
 * A dispatch once it is finished, else null.
 *
 * @throws Problem `not_found` where it is deleted, or its organization is
 */
export async function finishedDispatch(db: Queryable, { id, organization_id }: Placed): Promise<Dispatch | null> {
  const [dispatch] = await db<Dispatch[]>`
    select ${dispatchColumns}
    from dispatches as dispatch
    ${withLastAttempt}
    where dispatch.id = ${id}
      and dispatch.organization_id = ${organization_id}
      and ${isActiveOrganization(sql`dispatch.organization_id`)}
  `
  if (!dispatch) throw notFound('dispatch')
  return dispatch.status === 'pending' ? null : dispatch
}

interface Sent {
  payload: string
  url: string
  header_names: string[]
  traceparent: string | null
  signatures: number
}

/** A dispatch with what was sent, and every attempt. */
export async function getDispatchDetail(db: Queryable, place: Placed): Promise<DispatchDetail> {
  const dispatch = await getDispatch(db, place)
  const [sent] = await db<Sent[]>`
    select
      text.body as payload, dispatch.traceparent, hook.url, hook.header_names,
      (hook.secret is not null)::integer
        + (hook.previous_secret is not null and hook.previous_secret_until > now())::integer as signatures
    from dispatches as dispatch
    join dispatch_bodies as text
      on text.dispatch_id = dispatch.id
      and text.organization_id = dispatch.organization_id
    join deployment_hooks as hook
      on hook.id = dispatch.hook_id
      and hook.organization_id = dispatch.organization_id
    where dispatch.id = ${place.id}
      and dispatch.organization_id = ${place.organization_id}
  `
  if (!sent) throw notFound('dispatch')
  const attempts = await db<Attempt[]>`
    select
      number, started_at, address, dns_ms, first_byte_ms, duration_ms,
      response_status, response_headers, response_body, error
    from dispatch_attempts
    where dispatch_id = ${place.id}
      and organization_id = ${place.organization_id}
    order by number
  `
  const { payload, ...about } = sent
  return {
    ...dispatch,
    payload,
    request_headers: maskedHeaders(dispatch, about, attempts.at(-1)?.started_at),
    attempts,
  }
}

/** The headers of the last attempt, or of the first that will be made, without what only the receiver may know. */
function maskedHeaders(
  dispatch: Dispatch,
  { url, header_names, signatures, traceparent }: Omit<Sent, 'payload'>,
  started_at: string | undefined,
): Record<string, string> {
  const own = Object.fromEntries(header_names.map((name) => [name, MASK]))
  return {
    Host: new URL(url).host,
    'Accept-Encoding': 'identity',
    // Where traces are exported each attempt is a place of its own; this is the one on which they all hang.
    ...traceHeader(own, traceparent),
    ...dispatchHeaders(own, dispatch, Math.max(1, dispatch.attempt_count)),
    'webhook-id': dispatch.redelivery_of ?? dispatch.id,
    ...(started_at ? { 'webhook-timestamp': String(Math.floor(Date.parse(started_at) / 1000)) } : {}),
    ...(signatures === 0
      ? {}
      : {
          'webhook-signature': MASK,
          'X-Signalbox-Signature': MASK,
          ...(signatures > 1 ? { 'X-Signalbox-Signature-Previous': MASK } : {}),
        }),
  }
}

/** How many dispatches of a hook there are: counted as they are made and finished, however many they are. */
async function countDispatches(
  db: Queryable,
  { id, organization_id }: Placed,
  { status, event }: DispatchQuery,
): Promise<number> {
  const ofEvent = event === undefined ? sql`` : sql`and event = ${event}`
  const isOverWhole = status === 'pending' || status === 'succeeded'
  const [{ made, failed, cancelled, pending }] = await db<[Record<'made' | 'failed' | 'cancelled' | 'pending', number>]>`
    select
      coalesce(sum(count) filter (where status = 'made'), 0)      as made,
      coalesce(sum(count) filter (where status = 'failed'), 0)    as failed,
      coalesce(sum(count) filter (where status = 'cancelled'), 0) as cancelled,
      ${
        isOverWhole
          ? sql`(
              select count(*)
              from deliveries
              where lane_id = ${id}
                and organization_id = ${organization_id}
                ${ofEvent}
            )`
          : sql`0`
      } as pending
    from dispatch_counts
    where hook_id = ${id}
      and organization_id = ${organization_id}
      ${ofEvent}
  `
  if (status === undefined) return made
  return { pending, failed, cancelled, succeeded: made - failed - cancelled - pending }[status]
}

/** Where the dispatches of a status are found by their hook: few of them by themselves, the rest in the whole history. */
function sourceOf({ id, organization_id }: Placed, { status }: DispatchQuery) {
  if (status === 'failed' || status === 'cancelled') {
    return sql`
      select id, event, created_at
      from unsuccessful_deliveries
      where lane_id = ${id}
        and organization_id = ${organization_id}
        and status = ${status}
    `
  }
  if (status === 'pending') {
    return sql`
      select dispatch.id, dispatch.event, dispatch.created_at
      from deliveries as delivery
      join dispatches as dispatch
        on dispatch.id = delivery.id
        and dispatch.organization_id = delivery.organization_id
      where delivery.lane_id = ${id}
        and delivery.organization_id = ${organization_id}
    `
  }
  return sql`
    select id, event, created_at
    from dispatches
    where hook_id = ${id}
      and organization_id = ${organization_id}
      ${status ? sql`and status = ${status}` : sql``}
  `
}

/** A page of a hook's dispatches, newest first. */
export async function listDispatches(db: Queryable, place: Placed, query: DispatchQuery) {
  const total = await countDispatches(db, place, query)
  if (total <= offsetOf(query)) return paged(query, total, [])
  const items = await db<Dispatch[]>`
    select ${dispatchColumns}
    from (
      select id
      from (${sourceOf(place, query)}) as found
      ${query.event ? sql`where event = ${query.event}` : sql``}
      order by created_at desc, id desc
      limit ${query.page_size} offset ${offsetOf(query)}
    ) as page
    join dispatches as dispatch
      on dispatch.id = page.id
      and dispatch.organization_id = ${place.organization_id}
    ${withLastAttempt}
    order by dispatch.created_at desc, dispatch.id desc
  `
  return paged(query, total, items)
}
