/** Ends the leases that have run out, and cancels what has expired while nobody claimed it. Claims do the same for their hook. */
import { isActiveOrganization } from '../../core/active-organizations.ts'
import { cancelUnsendable } from '../../core/cancel-unsendable.ts'
import { sql, transaction } from '../../core/platform/database.ts'
import { expireLeases, MAX_EXPIRED } from '../../core/pull-leases.ts'
import { periodically } from '../process/periodically.ts'

const LEASES_MS = 1_000
const OUTDATED_MS = 5_000

/** Pull hooks with a dispatch that waits although it is too old. */
async function findOutdated(): Promise<{ id: string; organization_id: string }[]> {
  return await sql<{ id: string; organization_id: string }[]>`
    select hook.id, hook.organization_id
    from deployment_hooks as hook
    where hook.mode = 'pull'
      and hook.max_age_seconds is not null
      and hook.enabled
      and not hook.paused
      and ${isActiveOrganization(sql`hook.organization_id`)}
      and exists (
        select
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
}

async function endExpired(): Promise<void> {
  while ((await transaction((tx) => expireLeases(tx, null))) === MAX_EXPIRED);
}

async function cancelOutdated(): Promise<void> {
  const outdated = await findOutdated()
  if (outdated.length === 0) return
  await cancelUnsendable(
    sql,
    outdated.map(({ organization_id }) => organization_id),
    outdated.map(({ id }) => id),
  )
}

/** Runs periodically until the process stops. */
export function watchPullHooks(): void {
  periodically(LEASES_MS, 'could not end expired leases', endExpired)
  periodically(OUTDATED_MS, 'could not cancel expired dispatches of pull hooks', cancelOutdated)
}
