/** Offers the new dispatches of pull hooks to those that wait to claim them. */
import type { ChangedLane } from '../../core/delivery/lanes.ts'
import { cancelUnsendable } from '../../core/dispatches/cancel-unsendable.ts'
import { holdDue } from '../../core/dispatches/freezes.ts'
import { type FreezesRow, freezeColumns, freezeWindow, joinFreezes } from '../../core/freezes/held-until.ts'
import { sql } from '../../core/platform/database.ts'
import { announceChange, claimPath } from '../../core/tenants/changes.ts'
import type { Tx } from '../../sql/index.ts'

/**
 * Holds back the new dispatches of pull hooks in frozen environments, cancels what the others supersede, and wakes claims after the commit. The
 * caller has locked the lanes.
 */
export async function offerToClaimers(tx: Tx, lanes: ChangedLane[]): Promise<void> {
  const organization_ids = [...new Set(lanes.map(({ organization_id }) => organization_id))]
  const lane_ids = lanes.map(({ id }) => id)
  // A separate query: most hooks do not supersede, and cancelUnsendable reads all waiting deliveries.
  const hooks = await tx<(FreezesRow & { id: string; organization_id: string; supersede: boolean })[]>`
    select hook.id, hook.organization_id, hook.supersede, ${freezeColumns}
    from deployment_hooks as hook
    ${joinFreezes(sql`hook`)}
    where hook.id = any(${lane_ids}::uuid[])
      and hook.organization_id = any(${organization_ids}::uuid[])
      and (hook.supersede or policy.id is not null)
  `
  const frozen = hooks.flatMap((hook) => {
    const window = freezeWindow(hook)
    return window?.holds ? { ...hook, window } : []
  })
  if (frozen.length > 0) await holdDue(tx, frozen, [], sql``)
  const superseding = hooks.flatMap(({ id, supersede }) => (supersede ? id : []))
  if (superseding.length > 0) await cancelUnsendable(tx, organization_ids, superseding)
  announceChange(tx, ...lane_ids.map(claimPath))
}
