/** Waking lanes of destinations after a change, whatever serves them. */

import { markLanesChanged } from '../core/delivery/lanes.ts'
import { cancelUnsendable } from '../core/dispatches/cancel-unsendable.ts'
import { notifyClaimers } from '../core/jobs/claims.ts'
import { wakeLanes } from '../core/jobs/lanes.ts'
import type { Tx } from '../sql/index.ts'
import { afterCommit } from '../sql/transaction.ts'

/**
 * Notes that a lane has new work, and wakes a worker to do it, by a job. In the lane of a pull hook, which no worker serves,
 * cancels what must not be claimed any more and wakes claimers. The last write of a transaction, since the lane stays locked
 * until the commit, and a worker that serves it would wait.
 */
export async function wakeDestination(tx: Tx, organization_id: string, lane_id: string): Promise<void> {
  const [lane] = await markLanesChanged(tx, [organization_id], [lane_id])
  if (!lane?.is_pull) return wakeLanes(tx, [{ id: lane_id, organization_id }])
  await cancelUnsendable(tx, [organization_id], [lane_id])
  afterCommit(tx, () => notifyClaimers([lane_id]))
}

/**
 * Cancels the waiting dispatches of hooks whose cancellation was requested: at once where no worker serves the lane, else by that
 * worker, because only it knows what is in flight. The last write of a transaction, as `wakeDestination`.
 *
 * @param lanes locked until the commit
 */
export async function cancelRequested(
  tx: Tx,
  organization_id: string,
  lanes: { id: string; owner_id: string | null }[],
): Promise<void> {
  const [served, idle] = [lanes.filter(({ owner_id }) => owner_id !== null), lanes.filter(({ owner_id }) => owner_id === null)]
  const idsOf = (some: { id: string }[]) => some.map(({ id }) => id)
  if (idle.length > 0) await cancelUnsendable(tx, [organization_id], idsOf(idle))
  if (served.length > 0) await wakeLanes(tx, await markLanesChanged(tx, [organization_id], idsOf(served)))
}
