/**
 * Ends overdue leases, and cancels dispatches that expired (`max_age_seconds`) before they were claimed. Claims do the same for
 * their hook. Removes temporary hooks without claims.
 */
import { cancelUnsendable } from '../../core/dispatches/cancel-unsendable.ts'
import { endOverdueLeases, MAX_OVERDUE } from '../../core/dispatches/pull-leases.ts'
import { sql } from '../../core/platform/database.ts'
import { recordAll } from '../../core/security/audit.ts'
import { SYSTEM } from '../../core/tenants/actors.ts'
import { isActiveOrganization, type Scope } from '../../core/tenants/scopes.ts'
import { acrossTenants } from '../../sql/reach.ts'
import { dueRows, serveAllDue, serveTenants } from '../process/tenant-groups.ts'

const findExpired = () =>
  acrossTenants(
    sql<{ id: string; organization_id: string }[]>`
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
  `,
    'partly',
  )

const overdue = dueRows(sql`deliveries`, sql`delivery.lease_until <= now()`, sql`delivery`)

export const endLeases = () => serveAllDue(overdue, MAX_OVERDUE, endOverdueLeases)

export async function cancelExpired(): Promise<void> {
  const expired = await findExpired()
  const hooksOf = (tenants: string[]) =>
    expired.flatMap(({ id, organization_id }) => (tenants.includes(organization_id) ? id : []))
  const tenants = expired.map(({ organization_id }) => organization_id)
  await serveTenants(tenants, (group) => cancelUnsendable(sql, group, hooksOf(group)))
}

/** How many hooks one transaction removes: each with its dispatches. */
const MAX_REMOVED = 10

const forgotten = dueRows(sql`deployment_hooks`, sql`hook.temporary and hook.claimed_at < now() - interval '24 hours'`, sql`hook`)

/** Removes temporary hooks from which no agent has claimed for 24 hours. */
export const removeForgotten = () =>
  serveAllDue(forgotten, MAX_REMOVED, async (tx, condition) => {
    const removed = await tx<(Scope & { id: string; name: string })[]>`
      with due as materialized (
        select hook.id, hook.organization_id
        from deployment_hooks as hook
        where ${condition}
        order by hook.claimed_at
        limit ${MAX_REMOVED}
        for update skip locked
      )
      delete from deployment_hooks as hook
      using due
      where hook.id = due.id and hook.organization_id = due.organization_id
      returning hook.id, hook.name, hook.organization_id, hook.workspace_id, hook.project_id
    `
    const entries = removed.map(({ id, name, ...scope }) => ({
      scope,
      entry: {
        action: 'deployment_hook.deleted',
        resource_type: 'deployment_hook',
        resource_id: id,
        detail: `Signalbox deleted the temporary deployment hook ${name} and its dispatches: there was no claim from it for 24 hours.`,
      },
    }))
    await recordAll(tx, SYSTEM, entries)
    return removed.length
  })
