/** Offers the new dispatches of pull hooks to those that wait to claim them. */

import type { ChangedLane } from '../../core/delivery/lanes.ts'
import { cancelUnsendable } from '../../core/dispatches/cancel-unsendable.ts'
import { notifyClaimers } from '../../core/jobs/claims.ts'
import type { Tx } from '../../sql/index.ts'
import { afterCommit } from '../../sql/transaction.ts'

/** Cancels what the new dispatches of pull hooks supersede, and wakes claims after the commit. */
export async function offerToClaimers(tx: Tx, lanes: ChangedLane[]): Promise<void> {
  const organization_ids = [...new Set(lanes.map(({ organization_id }) => organization_id))]
  const lane_ids = lanes.map(({ id }) => id)
  // A separate query: most hooks do not supersede, and cancelUnsendable reads all waiting deliveries.
  const superseding = await tx<{ id: string }[]>`
    select id
    from deployment_hooks
    where id = any(${lane_ids}::uuid[])
      and organization_id = any(${organization_ids}::uuid[])
      and supersede
  `
  if (superseding.length > 0) {
    await cancelUnsendable(
      tx,
      organization_ids,
      superseding.map(({ id }) => id),
    )
  }
  afterCommit(tx, () => notifyClaimers(lane_ids))
}
