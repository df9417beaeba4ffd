/** Waking lanes of destinations after a change, whatever serves them. */

import { lockLanes, markLanesChanged, wakeLanes } from '../../core/delivery/lanes.ts'
import { lacksApproval, requiresGate } from '../../core/dispatches/approval.ts'
import { cancelUnsendable } from '../../core/dispatches/cancel-unsendable.ts'
import { releaseHeld } from '../../core/dispatches/freezes.ts'
import type { InFlight } from '../../core/gates/gates.ts'
import { sql } from '../../core/platform/database.ts'
import { announceChange, claimPath } from '../../core/tenants/changes.ts'
import type { ProjectScope } from '../../core/tenants/scopes.ts'
import type { Fragment, Tx } from '../../sql/index.ts'

/**
 * Notes that a lane has new work, and wakes a worker to do it, by a job. In the lane of a pull hook, which no worker serves,
 * cancels what must not be claimed any more and wakes claimers. The last write of a transaction, since the lane stays locked
 * until the commit, and a worker that serves it would wait.
 */
export const wakeDestination = (tx: Tx, organization_id: string, lane_id: string): Promise<void> =>
  wakeDestinations(tx, organization_id, [lane_id])

/** The same for several lanes, which are locked. @param cancels whether anything in them must not be claimed any more */
async function wakeDestinations(tx: Tx, organization_id: string, lane_ids: string[], cancels = true): Promise<void> {
  const changed = await markLanesChanged(tx, [organization_id], lane_ids)
  const pulled = changed.flatMap(({ id, is_pull }) => (is_pull ? id : []))
  await wakeLanes(
    tx,
    lane_ids.filter((id) => !pulled.includes(id)).map((id) => ({ id, organization_id })),
  )
  if (pulled.length === 0) return
  if (cancels) await cancelUnsendable(tx, [organization_id], pulled)
  announceChange(tx, ...pulled.map(claimPath))
}

/** The same after a change of what freezes hold back in lanes: it is decided again. */
export async function wakeFrozen(tx: Tx, organization_id: string, lane_ids: string[]): Promise<void> {
  await lockLanes(tx, [organization_id], lane_ids)
  await releaseHeld(tx, organization_id, lane_ids)
  // What a freeze still holds back is held by the next claim, and supersedes nothing before that.
  await wakeDestinations(tx, organization_id, lane_ids, false)
}

/**
 * Cancels the waiting dispatches of hooks whose cancellation was requested: at once where no worker serves the lane, else by that
 * worker, because only it knows what is in flight. The last write of a transaction, as `wakeDestination`.
 * @param lanes locked until the commit
 */
async function cancelRequested(tx: Tx, organization_id: string, lanes: { id: string; owner_id: string | null }[]): Promise<void> {
  const [served, idle] = [lanes.filter(({ owner_id }) => owner_id !== null), lanes.filter(({ owner_id }) => owner_id === null)]
  const idsOf = (some: { id: string }[]) => some.map(({ id }) => id)
  if (idle.length > 0) await cancelUnsendable(tx, [organization_id], idsOf(idle))
  if (served.length > 0) await wakeLanes(tx, await markLanesChanged(tx, [organization_id], idsOf(served)))
}

/**
 * Cancels what waits in lanes without the approval that the environment of its hook requires by now, after a change of approvals,
 * policies or environments. The lanes are locked: what is fanned out later sees the change. The last write of a transaction.
 * @param gate_id a gate whose approval was revoked: its dispatches are cancelled, whatever their environment requires
 * @returns those that may be in flight, and so may still arrive
 */
export async function cancelUnapproved(tx: Tx, organization_id: string, lane_ids: string[], gate_id: string | null = null) {
  if (lane_ids.length === 0) return []
  const lanes = await lockLanes(tx, [organization_id], lane_ids)
  const found = await tx<(InFlight & { is_due: boolean; is_leased: boolean })[]>`
    select
      dispatch.id, hook.id as hook_id, hook.name as hook_name,
      -- A worker may read it before it sees the cancellation.
      delivery.due_at <= clock_timestamp() + interval '1 second' as is_due,
      delivery.lease_until is not null as is_leased
    from deliveries as delivery
    join dispatches as dispatch on dispatch.id = delivery.id and dispatch.organization_id = ${organization_id}
    join deployment_hooks as hook on hook.id = delivery.lane_id and hook.organization_id = ${organization_id}
    where delivery.organization_id = ${organization_id}
      and delivery.lane_id = any(${lane_ids}::uuid[])
      and (dispatch.gate_id = ${gate_id} or (${requiresGate} and (${lacksApproval()})))
    order by dispatch.id
  `
  if (found.length === 0) return []
  await tx`
    update deliveries
    set cancel_requested = true
    where id = any(${found.map(({ id }) => id)}::uuid[]) and organization_id = ${organization_id}
  `
  const changed = new Set(found.map(({ hook_id }) => hook_id))
  await cancelRequested(
    tx,
    organization_id,
    lanes.filter((lane) => changed.has(lane.id)),
  )
  const served = new Set(lanes.flatMap(({ id, owner_id }) => (owner_id === null ? [] : id)))
  return found.flatMap(({ is_due, is_leased, ...dispatch }) =>
    is_leased || (is_due && served.has(dispatch.hook_id)) ? dispatch : [],
  )
}

/** The hooks of a project. Any may have dispatches that wait for a subject, or get the environment for which they do. */
const hookIdsOf = async (tx: Tx, { organization_id, project_id }: ProjectScope): Promise<string[]> => {
  const hooks = await tx<{ id: string }[]>`
    select id from deployment_hooks where project_id = ${project_id} and organization_id = ${organization_id}
  `
  return hooks.map(({ id }) => id)
}

/** SQL: the dispatches of a project that wait and were promoted. The queue is short: most of the history is not in it. */
const promotedOf = ({ organization_id, project_id }: ProjectScope): Fragment => sql`
  select dispatch.id, dispatch.hook_id, dispatch.promoted_from, dispatch.promoted_digest
  from deployment_hooks as hook
  join deliveries as delivery on delivery.lane_id = hook.id and delivery.organization_id = ${organization_id}
  join dispatches as dispatch on dispatch.id = delivery.id and dispatch.organization_id = ${organization_id}
  where hook.project_id = ${project_id}
    and hook.organization_id = ${organization_id}
    and dispatch.promoted_from is not null
`

/** Locks a project until the commit: no hook is added meanwhile, and no policy changes. Before anything else of it is locked. */
export async function lockHooksAndPolicies(tx: Tx, { organization_id, project_id }: ProjectScope): Promise<void> {
  await tx`select from projects where id = ${project_id} and organization_id = ${organization_id} for share`
}

/**
 * Locks the lanes of a project, if what it dispatches depends on what runs in its environments: runs may end, and `cancelUnpromoted` follow. What
 * is dispatched meanwhile waits, and sees that they have ended. The project is locked (`lockHooksAndPolicies`), so that these are all its lanes,
 * and no policy makes it depend from now on.
 */
export async function lockPromotedLanes(tx: Tx, scope: ProjectScope): Promise<void> {
  const { organization_id, project_id } = scope
  const [{ depends } = { depends: false }] = await tx<{ depends: boolean }[]>`
    select
      exists (
        select 1 from promotions where project_id = ${project_id} and organization_id = ${organization_id}
      )
      or exists (select 1 from (${promotedOf(scope)}) as waiting) as depends
  `
  if (depends) await lockLanes(tx, [organization_id], await hookIdsOf(tx, scope))
}

/**
 * Cancels what waits and was promoted from an environment, because its subject does not run there any more. The lanes of the project
 * are locked (`lockPromotedLanes`), and the runs have ended.
 * @param environment null: any
 * @param digest of the subject; null: any
 * @returns the ids of the dispatches
 */
export async function cancelUnpromoted(
  tx: Tx,
  scope: ProjectScope,
  environment: string | null,
  digest: string | null,
): Promise<string[]> {
  const { organization_id } = scope
  const found = await tx<{ id: string; hook_id: string }[]>`
    select waiting.id, waiting.hook_id
    from (${promotedOf(scope)}) as waiting
    where (${environment}::text is null or waiting.promoted_from = ${environment})
      and (${digest}::text is null or waiting.promoted_digest = ${digest})
    order by waiting.id
  `
  if (found.length === 0) return []
  const ids = found.map(({ id }) => id)
  await tx`
    update deliveries set cancel_requested = true where id = any(${ids}::uuid[]) and organization_id = ${organization_id}
  `
  await cancelRequested(
    tx,
    organization_id,
    await lockLanes(tx, [organization_id], [...new Set(found.map((each) => each.hook_id))]),
  )
  return ids
}
