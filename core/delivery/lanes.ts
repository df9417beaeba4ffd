/**
 * Lanes: the queue of one destination (a deployment hook, a notification channel, or an installation at GitHub), leased to one worker at a
 * time.
 *
 * `version` rises whenever there may be something new to do. A worker releases a lane only while its version is as the
 * worker last saw it, so that no wake is lost. `revision` rises whenever what a worker has read ahead may be out of date,
 * such as after a change of the hook.
 */

import type { Queryable, Tx } from '../../sql/index.ts'

export type LaneKind = 'hook' | 'channel' | 'github'

export type LaneTask = 'dispatch_hook' | 'deliver_channel' | 'serve_github'

/** The task whose jobs wake lanes of a kind; `task:<name>` pauses them. */
export const LANE_TASK: Record<LaneKind, LaneTask> = {
  hook: 'dispatch_hook',
  channel: 'deliver_channel',
  github: 'serve_github',
}

/** A lane as it was when a worker leased it. */
export interface Lane {
  id: string
  organization_id: string
  kind: LaneKind
  version: number
}

export interface ChangedLane extends Lane {
  revision: number
  /** The worker that serves it; null if it has to be woken. */
  owner_id: string | null
  /** Of a pull hook: no worker serves it, and its dispatches are claimed. */
  is_pull: boolean
}

export async function createLane(tx: Tx, kind: LaneKind, id: string, organization_id: string, is_pull: boolean): Promise<void> {
  await tx`insert into lanes (id, organization_id, kind, is_pull) values (${id}, ${organization_id}, ${kind}, ${is_pull})`
}

interface LockedLane {
  id: string
  owner_id: string | null
  sequence: number
  version: number
}

/** Locks lanes until the commit, always in the order of their ids, so that two transactions cannot deadlock. */
export const lockLanes = (tx: Tx, organization_ids: string[], lane_ids: string[]) => tx<LockedLane[]>`
  select id, owner_id, sequence, version
  from lanes
  where id = any(${lane_ids}::uuid[])
    and organization_id = any(${organization_ids}::uuid[])
  order by id
  for no key update
`

/** The caller has locked them (`lockLanes`), unless it is one. @param leaseTo the worker that leases idle ones; null to lease none */
export async function markLanesChanged(tx: Tx, organization_ids: string[], lane_ids: string[], leaseTo: string | null = null) {
  if (lane_ids.length === 0) return []
  return await tx<ChangedLane[]>`
    update lanes
    set version  = version + 1,
        revision = revision + 1,
        owner_id = coalesce(owner_id, case when not is_pull then ${leaseTo}::uuid end)
    where id = any(${lane_ids}::uuid[])
      and organization_id = any(${organization_ids}::uuid[])
    returning id, organization_id, kind, version, revision, owner_id, is_pull
  `
}

export interface Guard {
  environment: string
  gate_required: boolean
  /** Where what comes there must run first, and for how long; null: nowhere. */
  promotes_from: string | null
  soak_seconds: number | null
}

export interface TakenSequences {
  first: number
  lane: ChangedLane
  /** Whether nothing is to be sent now because the hook is paused. */
  paused: boolean
  /** When dispatches expire, in seconds; null if they do not. */
  max_age_seconds: number | null
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
        owner_id = coalesce(
          lane.owner_id,
          case when not lane.is_pull and hook.enabled and (hook.supersede or not hook.paused) then ${leaseTo}::uuid end
        )
    from jsonb_to_recordset(${tx.json(wanted)}) as wanted (hook_id uuid, count integer)
    join deployment_hooks as hook on hook.id = wanted.hook_id and hook.organization_id = any(${organization_ids}::uuid[])
    left join environment_policies as policy
      on policy.project_id = hook.project_id
      and policy.environment = hook.environment
      and policy.organization_id = hook.organization_id
    where lane.id = wanted.hook_id and lane.organization_id = hook.organization_id
    returning
      lane.id, lane.organization_id, lane.kind, lane.version, lane.revision, lane.owner_id, lane.is_pull,
      lane.sequence - wanted.count + 1 as first,
      -- Superseded dispatches are cancelled also while the hook is paused, so the lane has work.
      hook.paused and not hook.supersede as paused,
      hook.max_age_seconds, hook.environment, policy.gate_required, policy.promotes_from, policy.soak_seconds,
      policy.gate_required or policy.freezes <> '[]' or policy.promotes_from is not null as is_guarded
  `
  return new Map(
    taken.map(
      ({ first, paused, max_age_seconds, environment, gate_required, promotes_from, soak_seconds, is_guarded, ...lane }) => {
        const guard = is_guarded ? { environment, gate_required, promotes_from, soak_seconds } : null
        return [lane.id, { first, lane, paused, max_age_seconds, guard }]
      },
    ),
  )
}

export type LaneVersion = { version: number; revision: number }

export async function laneVersions(tx: Tx, lanes: Pick<Lane, 'id' | 'organization_id'>[]): Promise<Map<string, LaneVersion>> {
  const versions = await tx<(LaneVersion & { id: string })[]>`
    select id, version, revision
    from lanes
    where id = any(${[...new Set(lanes.map(({ id }) => id))]}::uuid[])
      and organization_id = any(${[...new Set(lanes.map(({ organization_id }) => organization_id))]}::uuid[])
  `
  return new Map(versions.map(({ id, ...version }) => [id, version]))
}

export async function resetHealth(tx: Tx, organization_id: string, lane_id: string): Promise<void> {
  await tx`delete from lane_health where lane_id = ${lane_id} and organization_id = ${organization_id}`
}

/**
 * Adds a job for each lane, due now; a job that waits for a later moment is moved to now. `sql/ops` defines the order.
 *
 * Only the jobs: the caller has marked the lanes as changed (`markLanesChanged`) and left out those of pull hooks.
 */
export async function wakeLanes(db: Queryable, lanes: { id: string; organization_id: string }[]): Promise<void> {
  if (lanes.length === 0) return
  const organization_ids = [...new Set(lanes.map(({ organization_id }) => organization_id))]
  await db`select ops.wake_lanes(${organization_ids}::uuid[], ${lanes.map(({ id }) => id)}::uuid[])`
}
