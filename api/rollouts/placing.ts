/** The place of a rollout in the history of its environment, by the time of its report: one that comes late moves nothing back. */
import { digestTextOf } from '../../core/promotions/promotion.ts'
import { type EnvironmentKey, storeFigures } from '../../core/rollouts/rollouts.ts'
import type { Actor } from '../../core/tenants/actors.ts'
import type { ProjectScope } from '../../core/tenants/scopes.ts'
import type { Fragment, Tx } from '../../sql/index.ts'
import { type EndedRollout, recordRun } from './runs.ts'

/** Locks an environment until the commit, so that reports of its rollouts follow one another. */
export const lockEnvironment = (tx: Tx, { organization_id, project_id, environment }: EnvironmentKey) => tx`
  select
  from environments
  where project_id = ${project_id}
    and environment = ${environment}
    and organization_id = ${organization_id}
  for no key update
`

/** SQL: the first failure in an environment after its last success, both before a time; null if there is none. */
export function failingSince(tx: Tx, { organization_id, project_id, environment }: EnvironmentKey, at: Fragment): Fragment {
  const before = (name: 'succeeded' | 'failed') => tx`
    project_id = ${project_id}
    and environment = ${environment}
    and organization_id = ${organization_id}
    and state = ${name}
    and reported_at < ${at}
  `
  return tx`
    (
      select min(reported_at)
      from rollouts
      where ${before('failed')}
        and reported_at > (select max(reported_at) from rollouts where ${before('succeeded')})
    )
  `
}

/** SQL: whether `reported` comes after the rollout with an id, or there is none. */
const isAfter = (tx: Tx, organization_id: string, id: Fragment): Fragment => tx`
  not exists (
    select from rollouts as other
    where other.id = ${id}
      and other.organization_id = ${organization_id}
      and (other.at, other.id) > (reported.at, reported.id)
  )
`

/** Writes what a report changes of its environment, which is locked. */
const place = (tx: Tx, key: EnvironmentKey, rollout_id: string) => tx<EndedRollout[]>`
  update environments as known
  set latest_id      = case
        when ${isAfter(tx, key.organization_id, tx`known.latest_id`)} then reported.id
        else known.latest_id
      end,
      current_id     = case when reported.comes then reported.id else known.current_id end,
      previous_id    = case
        when reported.comes then known.current_id
        when reported.state = 'succeeded' and ${isAfter(tx, key.organization_id, tx`known.previous_id`)} then reported.id
        else known.previous_id
      end,
      current_digest = case when reported.comes then ${digestTextOf(tx`reported.digest`)} else known.current_digest end,
      failing_since  = ${failingSince(tx, key, tx`'infinity'`)}
  from (
    select
      rollout.id, rollout.organization_id, rollout.state, rollout.at, rollout.version, rollout.url, rollout.gate_id,
      coalesce(rollout.digest, rollout.approved_digest) as digest,
      rollout.event = 'deployment.rollback' as is_rollback, coalesce(dispatch.created_at, rollout.event_at) as made_at,
      coalesce(dispatch.status in ('failed', 'cancelled') and dispatch.attempt_count = 0, false) as is_unsent,
      rollout.state = 'succeeded' and not exists (
        select from environments as running
        join rollouts as other on other.id = running.current_id and other.organization_id = ${key.organization_id}
        where running.project_id = ${key.project_id}
          and running.environment = ${key.environment}
          and running.organization_id = ${key.organization_id}
          and (other.at, other.id) > (rollout.at, rollout.id)
      ) as comes
    from rollouts as rollout
    left join dispatches as dispatch on dispatch.id = rollout.id and dispatch.organization_id = ${key.organization_id}
    where rollout.id = ${rollout_id} and rollout.organization_id = ${key.organization_id}
  ) as reported
  where known.project_id = ${key.project_id}
    and known.environment = ${key.environment}
    and known.organization_id = ${key.organization_id}
  returning
    reported.id as rollout_id, reported.at, reported.version, reported.url, reported.gate_id,
    case when reported.is_rollback then reported.made_at end as rolled_back_at,
    -- What was not sent, such as for want of an approval, did not bring a subject there. Members can report about it nevertheless.
    -- What was sent before a rollback does not run there after it.
    case
      when reported.state <> 'succeeded'
        or not reported.is_unsent
          and (reported.is_rollback or known.rolled_back_at is null or reported.made_at > known.rolled_back_at)
      then reported.digest
    end as digest
`

/**
 * Puts a rollout in its place, and records what its end means for what runs there. The environment is locked, and the rollout is written
 * before, in the same round trip.
 */
export async function placeRollout(
  tx: Tx,
  by: Actor,
  scope: ProjectScope,
  environment: string,
  { id, state }: { id: string; state: 'in_progress' | 'succeeded' | 'failed' },
): Promise<void> {
  const { organization_id, project_id } = scope
  const key = { organization_id, project_id, environment }
  const [ended] = await place(tx, key, id)
  if (state === 'in_progress') return
  await storeFigures(tx, [key])
  if (ended) await recordRun(tx, by, scope, environment, state, ended)
}
