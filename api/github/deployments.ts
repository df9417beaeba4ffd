/** Deployments at GitHub, as rollouts: what it has deployed is what the track shows. */
import type { EventName } from '../../core/events/catalogue.ts'
import { emitAll } from '../../core/events/outbox.ts'
import { approved } from '../../core/gates/gates.ts'
import { environmentNamed, MAX_ENVIRONMENT } from '../../core/github/environments.ts'
import { closeRequests } from '../../core/github/requests.ts'
import {
  addressOf,
  commitOf,
  idOf,
  objectIn,
  type Repository,
  repositoryOf,
  type Sent,
  textOf,
  timeOf,
} from '../../core/github/sent.ts'
import { sql } from '../../core/platform/database.ts'
import { GITHUB_DEPLOYMENT, MAX_VERSION, type Rollout, rolloutColumn } from '../../core/rollouts/rollouts.ts'
import { recordAll } from '../../core/security/audit.ts'
import { SYSTEM } from '../../core/tenants/actors.ts'
import type { ProjectScope } from '../../core/tenants/scopes.ts'
import { derivedIdAt } from '../../core/values/uuids.ts'
import type { Json, Tx } from '../../sql/index.ts'
import { lockPromotedLanes } from '../lanes/lanes.ts'
import { failingSince, lockEnvironment, placeRollout } from '../rollouts/placing.ts'
import type { Delivery } from './deliveries.ts'
import { findLink } from './protection-rules.ts'

type State = 'in_progress' | 'succeeded' | 'failed'

const STATES: Record<string, State> = { in_progress: 'in_progress', success: 'succeeded', failure: 'failed', error: 'failed' }

const MAX_ENVIRONMENTS = 100
/** In progress for longer, its outcome is unknown. */
const OUTCOME_SECONDS = 86_400

interface Reported {
  repository: Repository
  deployment_id: number
  run_id: number | null
  environment: string
  isTransient: boolean
  state: State
  commit: string
  ref: string | null
  url: string | null
  at: string
  created_at: string
}

const RUN = /\/actions\/runs\/([1-9]\d{0,15})(\/|$)/

/** The run of a deployment, which its log names where the payload does not. */
function runOf(payload: Sent): number | null {
  const { log_url, target_url } = objectIn(payload.deployment_status)
  const [, named = ''] = RUN.exec(String(log_url ?? '')) ?? RUN.exec(String(target_url ?? '')) ?? []
  return idOf(objectIn(payload.workflow_run).id) ?? idOf(Number(named))
}

/** What a delivery reports; null if it is nothing that is shown here. */
function reportedBy({ payload }: Delivery): Reported | null {
  const [deployment, status] = [objectIn(payload.deployment), objectIn(payload.deployment_status)]
  const [deployment_id, repository, commit] = [idOf(deployment.id), repositoryOf(payload), commitOf(deployment.sha)]
  const [at, created_at, state] = [timeOf(status.created_at), timeOf(deployment.created_at), STATES[String(status.state)]]
  const environment = status.environment ?? deployment.environment
  if (deployment_id === null || !repository || !commit || at === null || created_at === null || !state) return null
  if (typeof environment !== 'string' || environment === '' || [...environment].length > MAX_ENVIRONMENT) return null
  return {
    repository,
    deployment_id,
    run_id: runOf(payload),
    environment,
    isTransient: deployment.transient_environment === true,
    state,
    commit,
    ref: textOf(deployment.ref, MAX_VERSION),
    url: addressOf(status.log_url) ?? addressOf(status.target_url),
    at,
    created_at,
  }
}

/** A deployment that starts although its request is not answered did not wait. */
async function closeBypassed(tx: Tx, organization_id: string, reported: Reported): Promise<void> {
  const { repository, deployment_id, run_id, environment } = reported
  const closed = await closeRequests(
    tx,
    organization_id,
    sql`
      request.repository_id = ${repository.id}
      and (
        request.deployment_ids @> array[${deployment_id}::bigint]
        or request.deployment_ids = '{}' and request.run_id = ${run_id} and lower(request.environment) = lower(${environment})
      )
      -- An approval may be on its way.
      and coalesce(request.answer <> 'approved', true)
    `,
    'its deployment started at GitHub without an answer',
  )
  const reason = 'The deployment started without an answer.'
  await emitAll(
    tx,
    SYSTEM,
    closed.map(({ organization_id, workspace_id, project_id, full_name, environment, run_url, gate_id }) => ({
      scope: { organization_id, workspace_id, project_id },
      name: 'github.bypassed' as const,
      data: { repository: full_name, environment, run_url, gate_id, reason },
    })),
  )
  await recordAll(
    tx,
    SYSTEM,
    closed.map(({ organization_id, workspace_id, project_id, id, full_name, environment, run_url }) => ({
      scope: { organization_id, workspace_id, project_id },
      entry: {
        action: 'github.bypassed',
        resource_type: 'github_request',
        resource_id: id,
        detail: `A deployment of ${full_name} to ${environment} started at GitHub without an answer: ${run_url}`,
      },
    })),
  )
}

/** Makes an environment known, unless the project has too many, and locks it. */
async function lockKnown(tx: Tx, { organization_id, workspace_id, project_id }: ProjectScope, environment: string) {
  const lock = () => lockEnvironment(tx, { organization_id, project_id, environment })
  if ((await lock()).count > 0) return true
  const [{ count }] = await tx<[{ count: number }]>`
    select count(*) from environments where project_id = ${project_id} and organization_id = ${organization_id}
  `
  if (count >= MAX_ENVIRONMENTS) return false
  await tx`
    insert into environments (organization_id, workspace_id, project_id, environment)
    values (${organization_id}, ${workspace_id}, ${project_id}, ${environment})
    on conflict (project_id, environment, organization_id) do nothing
  `
  return (await lock()).count > 0
}

/** The newest approved gate for a commit, and whether the policy of the environment requires one. */
async function readApproval(tx: Tx, { organization_id, project_id }: ProjectScope, environment: string, digest: Json) {
  const [found] = await tx<[{ gate_id: string | null; gate_required: boolean }]>`
    select
      (
        select gate.id
        from gates as gate
        where gate.project_id = ${project_id}
          and gate.organization_id = ${organization_id}
          and gate.environment = ${environment}
          and gate.subject is not null
          and gate.subject -> 'digest' = ${tx.json(digest)}
          and ${approved()}
        order by gate.decided_at desc, gate.id desc
        limit 1
      ) as gate_id,
      coalesce(
        (
          select gate_required
          from environment_policies
          where project_id = ${project_id} and environment = ${environment} and organization_id = ${organization_id}
        ),
        false
      ) as gate_required
  `
  return found
}

interface Before {
  state: Rollout['state']
  reported_at: string | null
  was_started: boolean
}

/** Whether a report says something new. The first outcome stands, and progress does not go back. */
const isNews = (before: Before | undefined, { state, at }: Reported): boolean =>
  !before ||
  (before.state !== 'succeeded' &&
    before.state !== 'failed' &&
    (state !== 'in_progress' || before.reported_at === null || before.reported_at < at))

/** Stores a report by the clock of GitHub. The environment is locked. */
async function store(tx: Tx, scope: ProjectScope, environment: string, id: string, reported: Reported, gate_id: string | null) {
  const { state, ref, url, commit, at, created_at } = reported
  const { organization_id, workspace_id, project_id } = scope
  const digest = tx.json({ gitCommit: commit })
  // Its clock may be ahead.
  const time = tx`least(${at}::timestamptz(3), now()::timestamptz(3))`
  const begun = tx`least(${created_at}::timestamptz(3), ${time})`
  const since = failingSince(tx, { organization_id, project_id, environment }, time)
  const isProgress = state === 'in_progress'
  const restored = tx`case when ${state === 'succeeded'} then extract(epoch from ${time} - ${since}) * 1000 end`
  const took = tx`case when ${state === 'succeeded'} then extract(epoch from ${time} - ${begun}) * 1000 end`
  const [stored] = await tx<{ is_new: boolean }[]>`
    insert into rollouts as rollout (
      id, organization_id, workspace_id, project_id, environment, event, event_at, state, version, url, digest, approved_digest,
      gate_id, reported_at, started_at, deadline_at, lead_ms, restore_ms
    )
    values (
      ${id}, ${organization_id}, ${workspace_id}, ${project_id}, ${environment}, ${GITHUB_DEPLOYMENT}, ${begun}, ${state}, ${ref}, ${url},
      ${digest}, ${gate_id === null ? null : digest}, ${gate_id}, ${time}, case when ${isProgress} then ${time} end,
      case when ${isProgress} then seconds_after(${time}, ${OUTCOME_SECONDS}) end, ${took}, ${restored}
    )
    on conflict (id, organization_id) do update
    set state       = excluded.state,
        url         = coalesce(excluded.url, rollout.url),
        reported_at = excluded.reported_at,
        started_at  = coalesce(rollout.started_at, excluded.started_at),
        deadline_at = excluded.deadline_at,
        lead_ms     = excluded.lead_ms,
        restore_ms  = excluded.restore_ms
    returning xmax = 0 as is_new
  `
  if (!stored?.is_new) return
  await tx`
    update environments
    set rollout_count = rollout_count + 1
    where project_id = ${project_id} and environment = ${environment} and organization_id = ${organization_id}
  `
}

/** Whether a deployment failed because it was not approved: nothing was deployed. */
async function wasStopped(
  tx: Tx,
  organization_id: string,
  { repository, deployment_id, run_id, state }: Reported,
): Promise<boolean> {
  if (state !== 'failed') return false
  const [request] = await tx`
    select
    from github_requests
    where organization_id = ${organization_id}
      and repository_id = ${repository.id}
      and (${run_id}::bigint is null or run_id = ${run_id})
      and deployment_ids @> array[${deployment_id}::bigint]
      and coalesce(answer <> 'approved', true)
    limit 1
  `
  return request !== undefined
}

async function report(tx: Tx, scope: ProjectScope, reported: Reported): Promise<void> {
  const { organization_id, project_id } = scope
  const { state, commit, repository, deployment_id } = reported
  // Before the environment, as other reports do.
  if (state === 'failed') await lockPromotedLanes(tx, scope)
  const environment = await environmentNamed(tx, scope, reported.environment)
  if (!(await lockKnown(tx, scope, environment))) return
  const id = derivedIdAt(Date.parse(reported.created_at), `github ${project_id} ${repository.id} ${deployment_id}`)
  const [before] = await tx<Before[]>`
    select state, reported_at, started_at is not null as was_started
    from rollouts
    where id = ${id} and organization_id = ${organization_id}
  `
  if (!isNews(before, reported) || (!before && (await wasStopped(tx, organization_id, reported)))) return
  const digest = { gitCommit: commit }
  const { gate_id, gate_required } = await readApproval(tx, scope, environment, digest)
  await store(tx, scope, environment, id, reported, gate_id)
  await placeRollout(tx, SYSTEM, scope, environment, { id, state })
  const [{ rollout }] = await tx<[{ rollout: Rollout }]>`
    select ${rolloutColumn} as rollout
    from rollouts as rollout
    where rollout.id = ${id} and rollout.organization_id = ${organization_id}
  `
  const names: EventName[] = [
    ...(state !== 'in_progress' ? [`rollout.${state}` as const] : before?.was_started ? [] : ['rollout.started' as const]),
    ...(!before && gate_required && gate_id === null ? ['rollout.mismatch' as const] : []),
  ]
  await emitAll(
    tx,
    SYSTEM,
    names.map((name) => ({ scope, name, data: { dispatch: null, rollout, environment } })),
  )
}

/** What GitHub says about a deployment of a linked repository. */
export async function noteDeployment(tx: Tx, organization_id: string, delivery: Delivery): Promise<void> {
  const reported = reportedBy(delivery)
  const link = reported && (await findLink(tx, organization_id, delivery, reported.repository))
  if (!reported || !link) return
  if (reported.state !== 'failed') await closeBypassed(tx, organization_id, reported)
  const { workspace_id, project_id } = link
  if (!reported.isTransient) await report(tx, { organization_id, workspace_id, project_id }, reported)
}
