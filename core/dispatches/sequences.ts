/** The sequences of hooks. */
import type { Tx } from '../../sql/index.ts'
import type { ChangedLane } from '../delivery/lanes.ts'

/** The environment of a hook that requires an approved gate, or has freezes. */
export interface Guard {
  environment: string
  gate_required: boolean
}

/** Numbers taken from the sequence of a hook. */
interface TakenSequences {
  first: number
  lane: ChangedLane
  /** Whether nothing is to be sent now because the hook is paused. */
  paused: boolean
  /** What the policy of the environment of the hook says about its dispatches; null if it says nothing. */
  guard: Guard | null
}

/**
 * Takes numbers from the sequences of hooks, and notes new work in their lanes. The caller has locked the lanes (`lockLanes`) until
 * the commit, so that numbers become visible in their order.
 *
 * `paused` and the policy are therefore read after the lane is locked. Unpausing locks the lane too, so it is either seen here, or wakes
 * the lane later.
 *
 * @param counts how many numbers to take, by hook id
 * @param leaseTo the worker that leases idle lanes; null to lease none
 * @returns the first number and the lane, by hook id
 */
export async function takeSequences(
  tx: Tx,
  organization_ids: string[],
  counts: ReadonlyMap<string, number>,
  leaseTo: string | null = null,
): Promise<Map<string, TakenSequences>> {
  const wanted = [...counts].map(([hook_id, count]) => ({ hook_id, count }))
  const taken = await tx<(ChangedLane & Omit<TakenSequences, 'lane' | 'guard'> & Guard & { is_guarded: boolean | null })[]>`
    update lanes as lane
    set sequence = lane.sequence + wanted.count,
        version  = lane.version + 1,
        -- A worker may have read dispatches ahead that the new one supersedes.
        revision = lane.revision + hook.supersede::integer,
        owner_id = coalesce(lane.owner_id, case when not lane.is_pull and hook.enabled and (hook.supersede or not hook.paused) then ${leaseTo}::uuid end)
    from jsonb_to_recordset(${tx.json(wanted)}) as wanted (hook_id uuid, count integer)
    join deployment_hooks as hook on hook.id = wanted.hook_id and hook.organization_id = any(${organization_ids}::uuid[])
    left join environment_policies as policy
      on policy.project_id = hook.project_id
      and policy.environment = hook.environment
      and policy.organization_id = hook.organization_id
    where lane.id = wanted.hook_id
      and lane.organization_id = hook.organization_id
    returning
      lane.id, lane.organization_id, lane.kind, lane.version, lane.revision, lane.owner_id, lane.is_pull, lane.sequence - wanted.count + 1 as first,
      -- Superseded dispatches are cancelled also while the hook is paused, so the lane has work.
      hook.paused and not hook.supersede as paused,
      hook.environment, policy.gate_required, policy.gate_required or policy.freezes <> '[]' as is_guarded
  `
  return new Map(
    taken.map(({ first, paused, environment, gate_required, is_guarded, ...lane }) => {
      const guard = is_guarded ? { environment, gate_required } : null
      return [lane.id, { first, lane, paused, guard }]
    }),
  )
}
