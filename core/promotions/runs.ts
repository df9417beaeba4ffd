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

/**
 * Records that a rollout of a subject succeeded: its run begins, or goes on. The environment is locked. One that comes late begins no run
 * that has ended since.
 */
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
      and coalesce(run.ended_at <= excluded.since, true)
    returning run.digest
  `
  if (begun.count === 0) return
  await tx`
    update environments as known
    set newest_digest = ${digest}
    where known.project_id = ${project_id}
      and known.environment = ${environment}
      and known.organization_id = ${organization_id}
      and not exists (
        select from environment_runs as newer
        where newer.project_id = ${project_id}
          and newer.environment = ${environment}
          and newer.digest = known.newest_digest
          and newer.organization_id = ${organization_id}
          and newer.since > ${at}
      )
  `
}

/**
 * Records that a rollout of a subject failed, which ends its run. The environment is locked.
 * @returns false if a run has begun since then
 */
export async function recordFailure(
  tx: Tx,
  key: EnvironmentKey,
  { digest, at }: Pick<Success, 'digest' | 'at'>,
): Promise<boolean> {
  const { organization_id, project_id, environment } = key
  const recorded = await tx`
    insert into environment_runs as run (organization_id, project_id, environment, digest, ended_at, ended_by, changed_at)
    values (${organization_id}, ${project_id}, ${environment}, ${digest}, ${at}, 'failed', ${at})
    on conflict (project_id, environment, digest, organization_id) do update
    set ended_at   = excluded.ended_at,
        ended_by   = excluded.ended_by,
        changed_at = excluded.changed_at
    where coalesce(run.since <= excluded.ended_at, true)
      and coalesce(run.ended_at <= excluded.ended_at, true)
  `
  return recorded.count > 0
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

interface WantedRun extends EnvironmentKey {
  /** Of what needs it. */
  id: string
  digest: string
  soak_seconds: number
}

interface Soak {
  soak_until: string
  is_soaking: boolean
}

/**
 * When subjects have run long enough in environments. Their runs cannot end until the commit: what ends one finds what was written because
 * of it.
 *
 * @returns by the id of what needs it; absent if the subject does not run there
 */
export async function lockRuns(tx: Tx, wanted: WantedRun[]): Promise<Map<string, Soak>> {
  if (wanted.length === 0) return new Map()
  const organization_ids = [...new Set(wanted.map(({ organization_id }) => organization_id))]
  const found = await tx<(Soak & { id: string })[]>`
    select
      wanted.id, seconds_after(run.since, wanted.soak_seconds)::timestamptz(3) as soak_until,
      seconds_after(run.since, wanted.soak_seconds) > now() as is_soaking
    from unnest(
      ${wanted.map(({ id }) => id)}::uuid[],
      ${wanted.map(({ organization_id }) => organization_id)}::uuid[],
      ${wanted.map(({ project_id }) => project_id)}::uuid[],
      ${wanted.map(({ environment }) => environment)}::text[],
      ${wanted.map(({ digest }) => digest)}::text[],
      ${wanted.map(({ soak_seconds }) => soak_seconds)}::integer[]
    ) as wanted (id, organization_id, project_id, environment, digest, soak_seconds)
    join environment_runs as run
      on run.project_id = wanted.project_id
      and run.environment = wanted.environment
      and run.digest = wanted.digest
      and run.organization_id = wanted.organization_id
    where run.organization_id = any(${organization_ids}::uuid[])
      and ${isRunning}
    order by run.project_id, run.environment, run.digest
    for share of run
  `
  return new Map(found.map(({ id, ...soak }) => [id, soak]))
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
