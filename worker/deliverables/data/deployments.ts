/** The deployment hooks of a project, what was sent to them, what runs where, and what failed. */
import type { Trigger } from '../../../core/events/catalogue.ts'
import type { RolloutState } from '../../../core/rollouts/rollouts.ts'
import type { Fragment, Tx } from '../../../sql/index.ts'
import type { DocumentScope } from './project.ts'

export interface Hook {
  id: string
  name: string
  mode: 'push' | 'pull'
  /** Scheme and host; the rest of the URL may be secret. Null for a pull hook. */
  origin: string | null
  trigger_on: Trigger
  environment: string
  enabled: boolean
  paused: boolean
  disabled_reason: string | null
  /** Whether its requests are signed, with a secret or a key pair. */
  is_signed: boolean
  /** Null if its receiver does not report the outcome of a dispatch. */
  report_within_seconds: number | null
  /** Outcomes of its last 100 dispatches. */
  succeeded: number
  failed: number
  last_success_at: string | null
}

export interface Dispatch {
  hook: string
  environment: string
  event: string
  status: string
  response_status: number | null
  error_code: string | null
  created_at: string
}

export interface DispatchFailure {
  hook_id: string
  hook: string
  environment: string
  response_status: number | null
  error_code: string | null
  count: number
  first_at: string
  last_at: string
  last_dispatch_id: string
}

/** More failures of a hook in 30 days than any project has. */
const MAX_FAILURES = 1_000_000

/** By environment. */
export const readHooks = (tx: Tx, { organization_id, project_id }: DocumentScope) => tx<Hook[]>`
  select
    hook.id, hook.name, hook.mode, substring(hook.url from '^[^/]+//[^/?#]+') as origin, hook.trigger_on, hook.environment,
    hook.enabled, hook.paused, hook.disabled_reason, hook.secret is not null or hook.signature = 'ed25519' as is_signed,
    hook.report_within_seconds,
    coalesce(health.succeeded, 0) as succeeded, coalesce(health.failed, 0) as failed, health.last_success_at
  from deployment_hooks as hook
  left join lateral (
    select
      count(*) filter (where recent.status = 'succeeded') as succeeded,
      count(*) filter (where recent.status = 'failed') as failed,
      max(recent.completed_at) filter (where recent.status = 'succeeded') as last_success_at
    from (
      select status, completed_at
      from dispatches
      where hook_id = hook.id
        and organization_id = ${organization_id}
        and event <> 'test.ping'
      order by created_at desc, id desc
      limit 100
    ) as recent
  ) as health on true
  where hook.project_id = ${project_id} and hook.organization_id = ${organization_id}
  order by hook.environment, hook.id
`

const withLastAttempt = (tx: Tx, dispatch_id: Fragment, organization_id: string) => tx`
  left join lateral (
    select response_status, error
    from dispatch_attempts
    where dispatch_id = ${dispatch_id} and organization_id = ${organization_id}
    order by number desc
    limit 1
  ) as attempt on true
`

export const readDispatches = (tx: Tx, { organization_id, project_id }: DocumentScope) => tx<Dispatch[]>`
  select
    hook.name as hook, dispatch.environment, dispatch.event, dispatch.status, attempt.response_status,
    case dispatch.status when 'pending' then attempt.error else dispatch.error end ->> 'code' as error_code, dispatch.created_at
  from deployment_hooks as hook
  cross join lateral (
    select id, environment, event, status, error, created_at
    from dispatches
    where hook_id = hook.id
      and organization_id = ${organization_id}
      and event <> 'test.ping'
    order by created_at desc, id desc
    limit 20
  ) as dispatch
  ${withLastAttempt(tx, tx`dispatch.id`, organization_id)}
  where hook.project_id = ${project_id} and hook.organization_id = ${organization_id}
  order by dispatch.created_at desc, dispatch.id desc
  limit 20
`

/** Dispatches that failed since a time, by hook and cause, the most frequent first. */
export const readDispatchFailures = (tx: Tx, { organization_id, project_id }: DocumentScope, since: string) => tx<
  DispatchFailure[]
>`
  select
    hook.id as hook_id, hook.name as hook, hook.environment, attempt.response_status, failure.error ->> 'code' as error_code,
    count(*) as count, min(failure.created_at) as first_at, max(failure.created_at) as last_at,
    (array_agg(failure.id order by failure.created_at desc, failure.id desc))[1] as last_dispatch_id
  from deployment_hooks as hook
  cross join lateral (
    select dispatch.id, dispatch.error, dispatch.created_at
    from unsuccessful_deliveries as unsuccessful
    join dispatches as dispatch on dispatch.id = unsuccessful.id and dispatch.organization_id = ${organization_id}
    where unsuccessful.lane_id = hook.id
      and unsuccessful.organization_id = ${organization_id}
      and unsuccessful.status = 'failed'
      and unsuccessful.event <> 'test.ping'
      and unsuccessful.created_at > ${since}
    -- In the order of the index of a hook, which is used also by a plan that was made while the table was small.
    order by unsuccessful.created_at desc, unsuccessful.id desc
    limit ${MAX_FAILURES}
  ) as failure
  ${withLastAttempt(tx, tx`failure.id`, organization_id)}
  where hook.project_id = ${project_id} and hook.organization_id = ${organization_id}
  group by hook.id, hook.name, hook.environment, attempt.response_status, failure.error ->> 'code'
  order by count desc, last_at desc, hook.id, response_status, error_code
`

export interface FinishedRollout {
  environment: string
  event: string
  /** When that happened which it rolled out. */
  event_at: string
  /** `unknown`: nothing was reported in time. */
  state: 'succeeded' | 'failed' | 'unknown'
  version: string | null
  url: string | null
  description: string | null
  reported_at: string
}

/** The last report about an environment, and the last of a success. */
export interface Environment {
  environment: string
  current: ReportedRollout | null
  previous: ReportedRollout | null
  latest: ReportedRollout | null
}

interface ReportedRollout {
  state: RolloutState
  version: string | null
  url: string | null
  description: string | null
  at: number
  hook: string | null
}

const MAX_ROLLOUTS = 2_000
const DESCRIPTION_LENGTH = 300

/** Finished rollouts of all environments, also those without a report in time, oldest first. */
export const readRollouts = (tx: Tx, { organization_id, project_id }: DocumentScope) => tx<FinishedRollout[]>`
  select
    rollout.environment, rollout.event, rollout.event_at, rollout.state, rollout.version, rollout.url,
    left(rollout.description, ${DESCRIPTION_LENGTH}) as description, rollout.reported_at
  from environments as known
  cross join lateral (
    select id, environment, event, event_at, state, version, url, description, coalesce(reported_at, at) as reported_at
    from rollouts
    where project_id = known.project_id
      and environment = known.environment
      and organization_id = ${organization_id}
      and state in ('succeeded', 'failed', 'unknown')
    order by at desc, id desc
    limit ${MAX_ROLLOUTS}
  ) as rollout
  where known.project_id = ${project_id} and known.organization_id = ${organization_id}
  order by rollout.reported_at, rollout.id
`

export interface RolloutFailure {
  environment: string
  state: 'failed' | 'unknown'
  description: string | null
  count: number
  first_at: string
  last_at: string
  version: string | null
  url: string | null
}

/** Reasons that are read: more than are listed, because some become one when secrets in them are masked. */
const MAX_REASONS = 500

/** Rollouts since a time that did not succeed, by environment and reason, the most frequent first. All are counted. */
export const readRolloutFailures = (tx: Tx, { organization_id, project_id }: DocumentScope, since: string) => tx<
  RolloutFailure[]
>`
  select
    known.environment, rollout.state, rollout.description, count(*) as count,
    min(rollout.ended_at) as first_at, max(rollout.ended_at) as last_at,
    (array_agg(rollout.version order by rollout.ended_at desc, rollout.id desc))[1] as version,
    (array_agg(rollout.url order by rollout.ended_at desc, rollout.id desc))[1] as url
  from environments as known
  cross join lateral (
    select
      id, state, left(description, ${DESCRIPTION_LENGTH}) as description, version, url, coalesce(reported_at, at) as ended_at
    from rollouts
    where project_id = known.project_id
      and environment = known.environment
      and organization_id = ${organization_id}
      and state in ('failed', 'unknown')
      and at > ${since}
  ) as rollout
  where known.project_id = ${project_id} and known.organization_id = ${organization_id}
  group by known.environment, rollout.state, rollout.description
  order by count desc, last_at desc, known.environment, rollout.state, rollout.description
  limit ${MAX_REASONS}
`

export const readEnvironments = (tx: Tx, { organization_id, project_id }: DocumentScope) => tx<Environment[]>`
  select
    known.environment,
    jsonb_object_agg(named.name, reported.facts) -> 'current' as current,
    jsonb_object_agg(named.name, reported.facts) -> 'previous' as previous,
    jsonb_object_agg(named.name, reported.facts) -> 'latest' as latest
  from environments as known
  cross join lateral (
    values ('current', known.current_id), ('previous', known.previous_id), ('latest', known.latest_id)
  ) as named (name, id)
  left join lateral (
    select
      jsonb_build_object(
        'state', rollout.state,
        'version', rollout.version,
        'url', rollout.url,
        'description', left(rollout.description, ${DESCRIPTION_LENGTH}),
        'at', floor(extract(epoch from rollout.at) * 1000),
        'hook', hook.name
      ) as facts
    from rollouts as rollout
    left join deployment_hooks as hook on hook.id = rollout.hook_id and hook.organization_id = rollout.organization_id
    where rollout.id = named.id and rollout.organization_id = known.organization_id
    limit 1
  ) as reported on true
  where known.project_id = ${project_id}
    and known.organization_id = ${organization_id}
    and known.rollout_count > 0
  group by known.environment
  order by known.environment
`
