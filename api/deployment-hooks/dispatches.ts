import { sql } from '../../core/database.ts'
import { dispatchHeaders, traceHeader } from '../../core/deployment-hooks.ts'
import { isLiving } from '../../core/living.ts'
import { notFound } from '../../core/problems.ts'
import { MASK } from '../../core/secrets.ts'
import type { Queryable } from '../../sql/index.ts'
import type { Placed } from '../plugins/exchange.ts'
import { offsetOf, paged } from '../plugins/pages.ts'
import type { Attempt, Dispatch, DispatchDetail, DispatchQuery } from './schema.ts'

const dispatchColumns = sql`
  id, hook_id, project_id, event, environment, status, attempt_count, max_attempts, next_attempt_at,
  response_status, response_body, duration_ms, error, sequence, redelivery_of, superseded_by, created_at, completed_at
`

/** A dispatch as lists show it. */
export async function getDispatch(db: Queryable, { id, organization_id }: Placed): Promise<Dispatch> {
  const [dispatch] = await db<Dispatch[]>`
    select ${dispatchColumns} from dispatches where id = ${id} and organization_id = ${organization_id}
  `
  if (!dispatch) throw notFound('dispatch')
  return dispatch
}

/** Several, in the order in which they are named. */
export function getDispatches(db: Queryable, dispatch_ids: string[]) {
  return db<Dispatch[]>`
    select ${dispatchColumns}
    from dispatches
    where id = any(${dispatch_ids}::uuid[])
    order by array_position(${dispatch_ids}::uuid[], id)
  `
}

/**
 * A dispatch once it is settled, else null.
 *
 * @throws Problem `not_found` where it is deleted, or its organization is
 */
export async function settledDispatch(db: Queryable, dispatch_id: string): Promise<Dispatch | null> {
  const [dispatch] = await db<Dispatch[]>`
    select ${dispatchColumns} from dispatches where id = ${dispatch_id} and ${isLiving(sql`dispatches.organization_id`)}
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
      dispatch.body as payload, dispatch.traceparent, hook.url, hook.header_names,
      (hook.secret is not null)::integer
        + (hook.previous_secret is not null and hook.previous_secret_until > now())::integer as signatures
    from dispatches as dispatch
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

/** A page of a hook's dispatches, newest first. */
export async function listDispatches(db: Queryable, { id, organization_id }: Placed, query: DispatchQuery) {
  // Only what is asked for stands in the statement: its plan then suits all, and is kept. To plan for every partition
  // took longer than to read them.
  const chosen = sql`
    hook_id = ${id}
    ${query.status ? sql`and status = ${query.status}` : sql``}
    ${query.event ? sql`and event = ${query.event}` : sql``}
  `
  const [{ total }] = await db<[{ total: number }]>`select count(*) as total from dispatches where ${chosen}`
  const items = await db<Dispatch[]>`
    select ${dispatchColumns}
    from dispatches
    where organization_id = ${organization_id}
      and ${chosen}
    order by created_at desc, id desc
    limit ${query.page_size} offset ${offsetOf(query)}
  `
  return paged(query, total, items)
}
