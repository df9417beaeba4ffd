/** What runs where, and the rollouts that brought it there. */
import type { RolloutState } from '../../../core/rollouts.ts'
import type { Tx } from '../../../sql/index.ts'
import type { DocumentScope } from './scope.ts'

/** A finished rollout. */
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
  /** Milliseconds since 1970. */
  at: number
  hook: string | null
}

/** The newest rollouts of an environment that are read. */
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
  where known.project_id = ${project_id}
    and known.organization_id = ${organization_id}
  order by rollout.reported_at, rollout.id
`

/** Rollouts of an environment that failed, or were not reported in time, for the same reason. */
export interface RolloutFailure {
  environment: string
  state: 'failed' | 'unknown'
  description: string | null
  count: number
  first_at: string
  last_at: string
  /** Of the last one. */
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
  where known.project_id = ${project_id}
    and known.organization_id = ${organization_id}
  group by known.environment, rollout.state, rollout.description
  order by count desc, last_at desc, known.environment, rollout.state, rollout.description
  limit ${MAX_REASONS}
`

/** The environments with rollouts, by name. */
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
    left join deployment_hooks as hook
      on hook.id = rollout.hook_id
      and hook.organization_id = rollout.organization_id
    where rollout.id = named.id
      and rollout.organization_id = known.organization_id
  ) as reported on true
  where known.project_id = ${project_id}
    and known.organization_id = ${organization_id}
    and known.rollout_count > 0
  group by known.environment
  order by known.environment
`
