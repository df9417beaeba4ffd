/** Runs: since when subjects have run in the environments of a project. `environment_runs` says what a run is. */
import type { Queryable, Tx } from '../../sql/index.ts'
import type { EnvironmentKey } from '../rollouts/rollouts.ts'
import { isRunning, type Promotion } from './promotion.ts'

type ProjectKey = Pick<EnvironmentKey, 'organization_id' | 'project_id'>

interface Success {
  digest: string
  /** As gates name it. */
  subject: object
  rollout_id: string
  at: string
}

/** Records that a rollout of a subject succeeded: its run begins, or goes on. The environment is locked. */
export async function recordSuccess(tx: Tx, key: EnvironmentKey, { digest, subject, rollout_id, at }: Success): Promise<void> {
  const { organization_id, project_id, environment } = key
  const begun = await tx`
    insert into environment_runs as run (
      organization_id, project_id, environment, digest, subject, since, rollout_id, changed_at
    )
    values (
      ${organization_id}, ${project_id}, ${environment}, ${digest}, ${tx.json(subject as Record<string, string>)}, ${at},
      ${rollout_id}, ${at}
    )
    on conflict (project_id, environment, digest, organization_id) do update
    set subject    = excluded.subject,
        since      = excluded.since,
        rollout_id = excluded.rollout_id,
        ended_at   = null,
        ended_by   = null,
        changed_at = excluded.changed_at
    where not ${isRunning}
    returning run.digest
  `
  if (begun.count === 0) return
  await tx`
    update environments
    set newest_digest = ${digest}
    where project_id = ${project_id}
      and environment = ${environment}
      and organization_id = ${organization_id}
  `
}

/** Records that a rollout of a subject failed, which ends its run. The environment is locked. */
export async function recordFailure(tx: Tx, key: EnvironmentKey, { digest, at }: Pick<Success, 'digest' | 'at'>): Promise<void> {
  const { organization_id, project_id, environment } = key
  await tx`
    insert into environment_runs as run (organization_id, project_id, environment, digest, ended_at, ended_by, changed_at)
    values (${organization_id}, ${project_id}, ${environment}, ${digest}, ${at}, 'failed', ${at})
    on conflict (project_id, environment, digest, organization_id) do update
    set ended_at   = excluded.ended_at,
        ended_by   = excluded.ended_by,
        changed_at = excluded.changed_at
  `
}

/**
 * Ends all runs in an environment, or in all of a project, because it is rolled back. Reports wait until the commit. The success of what was
 * sent before begins none any more.
 *
 * @param at when the rollback was made; null: now, while the lanes are locked
 */
export async function recordRollback(
  tx: Tx,
  { organization_id, project_id }: ProjectKey,
  environment: string | null,
  at: string | null = null,
): Promise<void> {
  const ofEnvironment = environment === null ? tx`` : tx`and environment = ${environment}`
  const locked = await tx<{ now: string }[]>`
    select environment, clock_timestamp() as now
    from environments
    where project_id = ${project_id} and organization_id = ${organization_id} ${ofEnvironment}
    order by environment
    for no key update
  `
  await tx`
    update environments
    set rolled_back_at = greatest(rolled_back_at, ${at ?? locked.at(-1)?.now ?? null}::timestamptz)
    where project_id = ${project_id} and organization_id = ${organization_id} ${ofEnvironment}
  `
  await tx`
    update environment_runs as run
    set ended_at   = now(),
        ended_by   = 'rolled_back',
        changed_at = now()
    where project_id = ${project_id}
      and organization_id = ${organization_id}
      ${ofEnvironment}
      and ${isRunning}
  `
  await reconsider(tx, { organization_id, project_id }, environment)
}

/** Has the sweep look again at what may come from an environment, and to it. @param environment null: any of the project */
export async function reconsider(tx: Tx, { organization_id, project_id }: ProjectKey, environment: string | null): Promise<void> {
  const isConcerned =
    environment === null ? tx`` : tx`and (promotion.environment = ${environment} or policy.promotes_from = ${environment})`
  await tx`
    update promotions as promotion
    set due_at = now()
    from environment_policies as policy
    where promotion.project_id = ${project_id}
      and promotion.organization_id = ${organization_id}
      and policy.project_id = ${project_id}
      and policy.organization_id = ${organization_id}
      and policy.environment = promotion.environment
      ${isConcerned}
  `
}

/** The run of a subject; undefined if it never came to the environment. `since` is null unless it runs there. */
export async function readRun(
  db: Queryable,
  { organization_id, project_id, environment, digest }: EnvironmentKey & { digest: string },
) {
  const [run] = await db<Pick<Promotion, 'since' | 'ended_by' | 'ended_at'>[]>`
    select case when ${isRunning} then run.since end as since, run.ended_by, run.ended_at
    from environment_runs as run
    where run.project_id = ${project_id}
      and run.environment = ${environment}
      and run.digest = ${digest}
      and run.organization_id = ${organization_id}
  `
  return run
}
