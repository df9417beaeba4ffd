/**
 * Leases of the dispatches of pull hooks. A lease is an attempt: it ends when its holder acknowledges it, or when it runs out. All
 * times are those of the database.
 */
import type { Fragment, Tx } from '../../sql/index.ts'
import { afterCommit } from '../../sql/transaction.ts'
import { sql } from '../platform/database.ts'
import { log } from '../platform/log.ts'
import { leases } from '../platform/metrics.ts'
import { announceChange, claimPath } from '../tenants/changes.ts'
import { isActiveOrganization } from '../tenants/scopes.ts'
import { type AttemptRow, emitFinished, recordLockedAttempts } from './attempts.ts'
import { cancelUnsendable } from './cancel-unsendable.ts'
import { LEASE_EXPIRED } from './errors.ts'

export interface Lease {
  id: string
  organization_id: string
  lane_id: string
  event: string
  number: number
  max_attempts: number
  leased_at: string
  lease_until: string
  /** How long it has been leased, or was until the lease ran out. */
  duration_ms: number
  expires_at: string | null
}

const leaseColumns = sql`
  delivery.id, delivery.organization_id, delivery.lane_id, delivery.event, delivery.attempt_count + 1 as number,
  dispatch.max_attempts,
  delivery.leased_at, delivery.lease_until,
  (extract(epoch from least(now(), delivery.lease_until) - delivery.leased_at) * 1000)::integer as duration_ms,
  case when not delivery.is_test then seconds_after(dispatch.created_at, hook.max_age_seconds) end as expires_at
`

const leaseJoins = sql`
  join dispatches as dispatch on dispatch.id = delivery.id and dispatch.organization_id = delivery.organization_id
  join deployment_hooks as hook on hook.id = delivery.lane_id and hook.organization_id = delivery.organization_id
`

export type LeaseOutcome = Pick<AttemptRow, 'status' | 'after_seconds' | 'response_body' | 'error'>

type EndedLease = Lease & LeaseOutcome

/** A lease that is still held, locked until the commit; undefined if it was lost. */
export async function lockLease(tx: Tx, organization_id: string, dispatch_id: string, lease_until: string) {
  const [lease] = await tx<Lease[]>`
    select ${leaseColumns}
    from deliveries as delivery
    ${leaseJoins}
    where delivery.id = ${dispatch_id}
      and delivery.organization_id = ${organization_id}
      and delivery.lease_until = ${lease_until}::timestamptz
      and delivery.lease_until > clock_timestamp()
    for update of delivery
  `
  return lease
}

/** The error code of the attempt that a lease was, null if it succeeded; undefined if the dispatch had no such lease or it is held. */
export async function endedLease(
  tx: Tx,
  organization_id: string,
  dispatch_id: string,
  lease_until: string,
): Promise<string | null | undefined> {
  const [attempt] = await tx<{ code: string | null }[]>`
    select error ->> 'code' as code
    from dispatch_attempts
    where dispatch_id = ${dispatch_id}
      and organization_id = ${organization_id}
      and lease_until = ${lease_until}::timestamptz
  `
  return attempt?.code
}

const recordLeases = (tx: Tx, ended: EndedLease[]): Promise<Map<string, string | null>> =>
  recordLockedAttempts(
    tx,
    ended.map(({ leased_at, lane_id, event, max_attempts, ...lease }) => ({
      ...lease,
      started_at: leased_at,
      address: null,
      dns_ms: null,
      first_byte_ms: null,
      response_status: null,
      response_headers: null,
      attempt_error: lease.error,
    })),
  )

export async function endLeases(tx: Tx, ended: EndedLease[]): Promise<void> {
  const finished = ended.flatMap(({ status, ...lease }) => (status === 'pending' ? [] : { ...lease, status }))
  // The first statements share a round trip; the reads see what was recorded.
  const [recorded] = await Promise.all([recordLeases(tx, ended), emitFinished(tx, finished)])
  afterCommit(tx, () => observeLeases(ended.filter(({ id }) => recorded.has(id))))
  const retried = ended.filter(({ status }) => status === 'pending')
  if (retried.length === 0) return
  const lane_ids = [...new Set(retried.map(({ lane_id }) => lane_id))]
  // It may have been cancelled or superseded while it was leased.
  const organization_ids = retried.map(({ organization_id }) => organization_id)
  await cancelUnsendable(tx, organization_ids, lane_ids)
  announceChange(tx, ...lane_ids.map(claimPath))
}

export const MAX_OVERDUE = 500

/** SQL: whether the lease of `delivery` has run out, in an organization that is not deleted. */
export const isOverdue = sql`
  delivery.lease_until <= now()
  and ${isActiveOrganization(sql`delivery.organization_id`)}
`

/** Their dispatches are due at once, or failed after their last attempt. @param condition `isOverdue`, and more */
export async function endOverdueLeases(tx: Tx, condition: Fragment): Promise<number> {
  const overdue = await tx<Lease[]>`
    select ${leaseColumns}
    from deliveries as delivery
    ${leaseJoins}
    where ${condition}
    order by delivery.lease_until
    limit ${MAX_OVERDUE}
    -- An acknowledgement in progress decides instead.
    for update of delivery skip locked
  `
  const ended = overdue.map((lease): EndedLease => {
    const isLast = lease.number >= lease.max_attempts
    const status = isLast ? 'failed' : 'pending'
    return { ...lease, status, after_seconds: isLast ? null : 0, response_body: null, error: LEASE_EXPIRED }
  })
  if (ended.length > 0) await endLeases(tx, ended)
  return overdue.length
}

/** Reports leases whose end is committed. */
function observeLeases(ended: EndedLease[]): void {
  for (const { id, lane_id, organization_id, event, number, duration_ms, status, error } of ended) {
    const outcome = status === 'pending' ? 'retry' : status
    leases.observe([outcome, error?.code ?? null], duration_ms / 1000)
    const about = { dispatch: id, hook: lane_id, organization: organization_id, event, attempt: number, ms: duration_ms }
    log.info({ ...about, outcome, error: error?.code }, 'lease')
  }
}
