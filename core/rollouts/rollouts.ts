/** Rollouts, shared by API and worker: the outcome of the deployment that a dispatch caused, and how its receiver reports it; and the figures of environments. */
import type { Tx } from '../../sql/index.ts'
import { config } from '../platform/config.ts'
import { instant, sql } from '../platform/database.ts'
import type { Digest } from '../values/digest.ts'
import type { ShownActor } from '../values/schema.ts'

/** `succeeded` and `failed` are final; after `unknown` and `not_delivered`, a late report is still taken. */
export const ROLLOUT_STATES = ['awaiting', 'in_progress', 'succeeded', 'failed', 'unknown', 'not_delivered'] as const

/** The `event` of a deployment that GitHub has made, and reported. */
export const GITHUB_DEPLOYMENT = 'github.deployment'

/** Of what is deployed, in characters. */
export const MAX_VERSION = 120

export type RolloutState = (typeof ROLLOUT_STATES)[number]

/** What its receiver says was deployed. Absent unless it was reported. */
export interface ReportedDigest {
  digest?: Digest
  /** What was approved, as far as it was known when the digest was reported. */
  approved_digest?: Digest | null
}

/** Whether something else was deployed than what was approved. */
export const isMismatch = ({ digest, approved_digest: approved }: ReportedDigest): boolean =>
  digest != null && approved != null && (digest.gitCommit !== approved.gitCommit || digest.sha256 !== approved.sha256)

/** SQL: the fields of a `ReportedDigest`, of `rollout`. */
export const reportedDigest = sql`
  case when rollout.digest is null then '{}'
    else jsonb_build_object('digest', rollout.digest, 'approved_digest', rollout.approved_digest)
  end
`

export interface Rollout extends ReportedDigest {
  state: RolloutState
  version: string | null
  url: string | null
  description: string | null
  reported_by: string | null
  actor: ShownActor | null
  reported_at: string | null
  deadline_at: string | null
}

/** SQL: the rollout of `dispatch`, joined by `withRollout`, as the API shows it; null if it has none. */
export const rolloutColumn = sql`
  case when rollout.id is not null then jsonb_build_object(
    'state', rollout.state,
    'version', rollout.version,
    'url', rollout.url,
    'description', rollout.description,
    'reported_by', rollout.reported_by,
    'actor', case when rollout.reported_by is not null then actor_of(rollout.reported_by, rollout.organization_id) end,
    'reported_at', ${instant(sql`rollout.reported_at`)},
    'deadline_at', ${instant(sql`rollout.deadline_at`)}
  ) || ${reportedDigest} end
`

export const withRollout = sql`
  left join rollouts as rollout
    on dispatch.report_within_seconds is not null
    and rollout.id = dispatch.id
    and rollout.organization_id = dispatch.organization_id
`

/** Whether the dispatch of an event to a hook has a rollout, on which its receiver reports. */
export const hasRollout = (event: { name: string }, hook: { report_within_seconds: number | null }): boolean =>
  hook.report_within_seconds !== null && event.name !== 'test.ping'

/** Where the receiver of a dispatch reports the outcome of the deployment. */
export const reportUrl = (dispatch_id: string): string => `${config.PUBLIC_URL}/api/v1/dispatches/${dispatch_id}/report`

/** None if the dispatch has no rollout. @param token of the dispatch, or the mask in its place */
export const reportHeaders = (
  dispatch_id: string,
  report_within_seconds: number | null,
  token: () => string,
): Record<string, string> =>
  report_within_seconds === null ? {} : { 'X-Signalbox-Report-Url': reportUrl(dispatch_id), 'X-Signalbox-Report-Token': token() }

export interface EnvironmentKey {
  organization_id: string
  project_id: string
  environment: string
}

/** Stores the figures of environments as of now. Their rows are locked. */
export async function storeFigures(tx: Tx, environments: EnvironmentKey[]): Promise<void> {
  await tx`
    update environments as known
    set frequency_30d                   = figures.frequency_30d,
        change_failure_rate_30d         = figures.change_failure_rate_30d,
        lead_time_median_seconds_30d    = figures.lead_time_median_seconds_30d,
        restore_time_median_seconds_30d = figures.restore_time_median_seconds_30d,
        figures_until                   = figures.figures_until
    from jsonb_to_recordset(${tx.json(environments.map((each) => ({ ...each })))}) as wanted (
      organization_id uuid, project_id uuid, environment text
    )
    cross join lateral environment_figures(wanted.project_id, wanted.environment, wanted.organization_id) as figures
    where known.project_id = wanted.project_id
      and known.environment = wanted.environment
      and known.organization_id = wanted.organization_id
  `
}
