import { redeliveryRefusal } from '../../core/dispatches/approval.ts'
import { dispatchHeaders, traceHeader } from '../../core/dispatches/request-headers.ts'
import { dispatchColumns, dispatchJoins } from '../../core/dispatches/view.ts'
import { sql } from '../../core/platform/database.ts'
import { type RolloutState, reportHeaders, withRollout } from '../../core/rollouts/rollouts.ts'
import { MASK } from '../../core/security/secrets.ts'
import type { SignatureKind } from '../../core/security/signing.ts'
import { isActiveOrganization } from '../../core/tenants/scopes.ts'
import type { Fragment, Queryable } from '../../sql/index.ts'
import type { Hook } from '../deployment-hooks/schema.ts'
import { distinctName } from '../members/namesakes.ts'
import { following, type Paged, pageLimit, readPage } from '../plugins/lists.ts'
import type { ResourceKey } from '../plugins/resources.ts'
import { type Ending, pendingIn, Waits } from '../plugins/waiting.ts'
import { notFound } from '../problems.ts'
import type { Attempt, Dispatch, DispatchDetail, DispatchQuery } from './schema.ts'

/** @param condition further ones, beginning with `and` */
export async function getDispatch(db: Queryable, { id, organization_id }: ResourceKey<'dispatch'>, condition = sql``) {
  const [dispatch] = await db<Dispatch[]>`
    select ${dispatchColumns}
    from dispatches as dispatch
    ${dispatchJoins}
    where dispatch.id = ${id} and dispatch.organization_id = ${organization_id} ${condition}
  `
  if (!dispatch) throw notFound('dispatch')
  return dispatch
}

/** Several dispatches, in the order of the given ids. */
export const getDispatches = (db: Queryable, organization_id: string, dispatch_ids: string[]) => db<Dispatch[]>`
  select ${dispatchColumns}
  from dispatches as dispatch
  ${dispatchJoins}
  where dispatch.id = any(${dispatch_ids}::uuid[]) and dispatch.organization_id = ${organization_id}
  order by array_position(${dispatch_ids}::uuid[], dispatch.id)
`

export const dispatchWaits = new Waits(pendingIn(sql`dispatches`, sql`waited.status = 'pending'`))

/** Reading it throws the Problem `not_found` if the dispatch, or its organization, was deleted. */
export const endOfDispatch = (key: ResourceKey<'dispatch'>): Ending<Dispatch> => ({
  waits: dispatchWaits,
  keys: [key],
  async read() {
    const dispatch = await getDispatch(sql, key, sql`and ${isActiveOrganization(sql`${key.organization_id}`)}`)
    return dispatch.status === 'pending' ? null : dispatch
  },
})

export const signatureCount = (hook: Fragment) => sql`
  (${hook}.secret is not null)::integer
    + (${hook}.previous_secret is not null and ${hook}.previous_secret_until > now())::integer as signatures
`

interface Sent {
  payload: string
  url: string | null
  header_names: string[]
  traceparent: string | null
  report_within_seconds: number | null
  signature: SignatureKind
  signatures: number
}

/** What decides about the future of a dispatch, and how its rollout came to its state. */
export interface DispatchOutlook {
  cancel_requested: boolean
  hook_name: string
  mode: Hook['mode']
  enabled: boolean
  paused: boolean
  /** The code of the error with which it may not be sent again, for any caller; null if it may. */
  refusal: string | null
  /** The environment in which what was approved must run until `held_until`; null if it need not, or a freeze holds it longer. */
  soaks_in: string | null
  /** Until when it is leased to a claimer; null if it is not. */
  leased_until: string | null
  /** When progress was reported first. */
  started_at: string | null
  /** When its rollout became unknown, whatever was reported later. */
  unknown_at: string | null
  /** Who reported last; null for the report token. */
  reported_by_name: string | null
}

export const getDispatchDetail = async (db: Queryable, key: ResourceKey<'dispatch'>): Promise<DispatchDetail> =>
  (await getDispatchWithOutlook(db, key)).dispatch

/** The same, with the state of its hook and the history of its rollout. */
export async function getDispatchWithOutlook(db: Queryable, key: ResourceKey<'dispatch'>) {
  const dispatch = await getDispatch(db, key)
  const [sent] = await db<(Sent & DispatchOutlook)[]>`
    select
      -- Of a body that was too large, nothing is kept.
      coalesce(dispatch.body, '') as payload, dispatch.traceparent, dispatch.report_within_seconds, hook.url, hook.header_names,
      hook.signature, ${signatureCount(sql`hook`)},
      hook.name as hook_name, hook.mode, hook.enabled, hook.paused, ${redeliveryRefusal(true)} as refusal,
      case when dispatch.soak_until = delivery.held_until then dispatch.promoted_from end as soaks_in,
      coalesce(delivery.cancel_requested, false) as cancel_requested,
      case when delivery.lease_until > now() then delivery.lease_until end as leased_until,
      rollout.started_at, rollout.unknown_at,
      ${distinctName(sql`dispatch.organization_id`, sql`rollout.reported_by`)} as reported_by_name
    from dispatches as dispatch
    join deployment_hooks as hook on hook.id = dispatch.hook_id and hook.organization_id = dispatch.organization_id
    left join deliveries as delivery on delivery.id = dispatch.id and delivery.organization_id = dispatch.organization_id
    ${withRollout}
    where dispatch.id = ${key.id} and dispatch.organization_id = ${key.organization_id}
  `
  if (!sent) throw notFound('dispatch')
  const attempts = await db<Attempt[]>`
    select
      number, started_at, address, dns_ms, first_byte_ms, duration_ms,
      response_status, response_headers, response_body, error
    from dispatch_attempts
    where dispatch_id = ${key.id} and organization_id = ${key.organization_id}
    order by number
  `
  const { payload, url, header_names, traceparent, report_within_seconds, signature, signatures, ...outlook } = sent
  const request_headers = maskedHeaders(dispatch, sent, attempts.at(-1)?.started_at)
  return { dispatch: { ...dispatch, payload, request_headers, attempts }, outlook }
}

/** The headers of the last attempt, or of the first one to come, with secret values masked. */
export function maskedHeaders(
  dispatch: Pick<Dispatch, 'id' | 'event' | 'sequence' | 'attempt_count' | 'redelivery_of'>,
  { url, header_names, signature, signatures, traceparent, report_within_seconds }: Omit<Sent, 'payload'>,
  started_at: string | undefined,
): Record<string, string> {
  const own = Object.fromEntries(header_names.map((name) => [name, MASK]))
  return {
    // A claimed dispatch is in the body of a response.
    ...(url === null ? {} : { Host: new URL(url).host, 'Accept-Encoding': 'identity' }),
    // If traces are exported, each attempt has a span of its own; this is their common parent.
    ...traceHeader(own, traceparent),
    ...dispatchHeaders(own, dispatch, Math.max(1, dispatch.attempt_count)),
    ...reportHeaders(dispatch.id, report_within_seconds, () => MASK),
    'webhook-id': dispatch.redelivery_of ?? dispatch.id,
    ...(started_at ? { 'webhook-timestamp': String(Math.floor(Date.parse(started_at) / 1000)) } : {}),
    ...(signatures > 0 ? { 'webhook-signature': MASK } : {}),
    ...(signature === 'hmac' && signatures > 0 ? { 'X-Signalbox-Signature': MASK } : {}),
    ...(signature === 'hmac' && signatures > 1 ? { 'X-Signalbox-Signature-Previous': MASK } : {}),
  }
}

/** SQL: the number of dispatches of a hook, from counters that triggers maintain: counting rows would be too slow. */
function countOf(hook: ResourceKey<'hook'>, { status, event, rollout }: Paged<DispatchQuery>): Fragment {
  const { id, organization_id } = hook
  const ofEvent = event === undefined ? sql`` : sql`and event = ${event}`
  if (rollout !== undefined)
    return sql`select count(*) from (${withRolloutIn(rollout, hook, status)}) as found where true ${ofEvent}`
  const pending = sql`
    select count(*)
    from deliveries
    where lane_id = ${id} and organization_id = ${organization_id}
      ${ofEvent}
  `
  if (status === 'pending') return pending
  const counted = (of: 'created' | 'failed' | 'cancelled') => sql`coalesce(sum(count) filter (where status = ${of}), 0)`
  return sql`
    select ${
      status === 'succeeded'
        ? sql`${counted('created')} - ${counted('failed')} - ${counted('cancelled')} - (${pending})`
        : counted(status ?? 'created')
    }
    from dispatch_counts
    where hook_id = ${id} and organization_id = ${organization_id}
      ${ofEvent}
  `
}

/** The dispatches of a hook whose rollouts are in a state. A rollout may outlive its dispatch. */
const withRolloutIn = (
  state: RolloutState,
  { id, organization_id }: ResourceKey<'hook'>,
  status: Dispatch['status'] | undefined,
) => sql`
  select dispatch.id, dispatch.event, dispatch.created_at
  from rollouts as rollout
  join dispatches as dispatch on dispatch.id = rollout.id and dispatch.organization_id = rollout.organization_id
  where rollout.hook_id = ${id}
    and rollout.organization_id = ${organization_id}
    and rollout.state = ${state}
    ${status ? sql`and dispatch.status = ${status}` : sql``}
`

/** The rows to search for a status. Pending and unsuccessful dispatches are few and have tables of their own. */
function sourceOf(hook: ResourceKey<'hook'>, { status, rollout }: Paged<DispatchQuery>) {
  const { id, organization_id } = hook
  if (rollout !== undefined) return withRolloutIn(rollout, hook, status)
  if (status === 'failed' || status === 'cancelled')
    return sql`
      select id, event, created_at
      from unsuccessful_deliveries
      where lane_id = ${id} and organization_id = ${organization_id} and status = ${status}
    `
  if (status === 'pending')
    return sql`
      select dispatch.id, dispatch.event, dispatch.created_at
      from deliveries as delivery
      join dispatches as dispatch on dispatch.id = delivery.id and dispatch.organization_id = delivery.organization_id
      where delivery.lane_id = ${id} and delivery.organization_id = ${organization_id}
    `
  return sql`
    select id, event, created_at
    from dispatches
    where hook_id = ${id} and organization_id = ${organization_id}
      ${status ? sql`and status = ${status}` : sql``}
  `
}

export const listDispatches = (db: Queryable, hook: ResourceKey<'hook'>, query: Paged<DispatchQuery>) =>
  readPage<Dispatch>(
    db,
    query,
    countOf(hook, query),
    sql`
      select ${dispatchColumns}
      from (
        select id
        from (${sourceOf(hook, query)}) as found
        where true
          ${query.event ? sql`and event = ${query.event}` : sql``}
          ${following(sql`created_at, id`, query.after)}
        order by created_at desc, id desc
        ${pageLimit(query)}
      ) as page
      join dispatches as dispatch on dispatch.id = page.id and dispatch.organization_id = ${hook.organization_id}
      ${dispatchJoins}
      order by dispatch.created_at desc, dispatch.id desc
    `,
  )
