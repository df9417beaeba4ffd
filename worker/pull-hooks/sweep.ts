/**
 * Ends overdue leases, and cancels dispatches that expired (`max_age_seconds`) before they were claimed. Claims do the same for
 * their hook.
 */
import { isActiveOrganization } from '../../core/active-organizations.ts'
import { cancelUnsendable } from '../../core/dispatches/cancel-unsendable.ts'
import { endOverdueLeases, isOverdue, MAX_OVERDUE } from '../../core/dispatches/pull-leases.ts'
import { sql, transaction } from '../../core/platform/database.ts'
import { type DueRows, serveDue, serveTenants } from '../process/tenant-groups.ts'

/** Pull hooks with an expired dispatch. */
const findExpired = () => sql<{ id: string; organization_id: string }[]>`
    select hook.id, hook.organization_id
    from deployment_hooks as hook
    where hook.mode = 'pull'
      and hook.max_age_seconds is not null
      and hook.enabled
      and not hook.paused
      and ${isActiveOrganization(sql`hook.organization_id`)}
      and exists (
        select 1
        from deliveries as delivery
        join dispatches as dispatch on dispatch.id = delivery.id and dispatch.organization_id = delivery.organization_id
        where delivery.lane_id = hook.id
          and delivery.organization_id = hook.organization_id
          and delivery.due_at <= now()
          and delivery.lease_until is null
          and not delivery.is_test
          and dispatch.created_at <= now() - hook.max_age_seconds * interval '1 second'
      )
  `

const overdue: DueRows = {
  table: sql`deliveries as delivery`,
  organization_id: sql`delivery.organization_id`,
  condition: isOverdue,
}

/** Ends the leases that ran out. */
export async function endLeases(): Promise<void> {
  while ((await serveDue(overdue, (condition) => transaction((tx) => endOverdueLeases(tx, condition)))) >= MAX_OVERDUE);
}

/** Cancels the dispatches that expired before they were claimed. */
export async function cancelExpired(): Promise<void> {
  const expired = await findExpired()
  await serveTenants(
    expired.map(({ organization_id }) => organization_id),
    (tenants) =>
      cancelUnsendable(
        sql,
        tenants,
        expired.flatMap(({ id, organization_id }) => (tenants.includes(organization_id) ? id : [])),
      ),
  )
}
