/** What pages show in addition to the API: hooks with their last dispatch, and versions to return to. */
import { instant, sql } from '../../core/platform/database.ts'
import { withRollout } from '../../core/rollouts/rollouts.ts'
import type { Fragment, Queryable } from '../../sql/index.ts'
import type { Delivered } from '../dispatches/outcome.tsx'
import type { ResourceKey } from '../plugins/resources.ts'
import type { Hook } from './schema.ts'

/** The newest dispatch of a hook that was no test. */
interface LastDispatch extends Delivered {
  id: string
  version: string | null
  at: string
}

export interface HookSummary
  extends Pick<
    Hook,
    'id' | 'name' | 'environment' | 'enabled' | 'paused' | 'disabled_reason' | 'trigger_on' | 'url' | 'created_at'
  > {
  last: LastDispatch | null
}

/** SQL: the hooks of a project as a JSON array, newest first. */
const hookSummaries = (project_id: Fragment, organization_id: string): Fragment => sql`
  (
    select coalesce(
      jsonb_agg(
        jsonb_build_object(
          'id', hook.id, 'name', hook.name, 'environment', hook.environment, 'enabled', hook.enabled, 'paused', hook.paused,
          'disabled_reason', hook.disabled_reason, 'trigger_on', hook.trigger_on, 'url', hook.url,
          'created_at', ${instant(sql`hook.created_at`)},
          'last', (
            select jsonb_build_object(
              'id', dispatch.id, 'status', dispatch.status, 'version', rollout.version,
              'rollout', case when rollout.id is not null then jsonb_build_object('state', rollout.state) end,
              'at', ${instant(sql`coalesce(rollout.reported_at, rollout.unknown_at, dispatch.completed_at, dispatch.created_at)`)}
            )
            from (
              select id, organization_id, status, report_within_seconds, created_at, completed_at
              from dispatches
              where hook_id = hook.id
                and organization_id = ${organization_id}
                and event <> 'test.ping'
              order by created_at desc, id desc
              limit 1
            ) as dispatch
            ${withRollout}
          )
        )
        order by hook.created_at desc, hook.id desc
      ),
      '[]'
    )
    from deployment_hooks as hook
    where hook.project_id = ${project_id} and hook.organization_id = ${organization_id}
  )
`

export async function listHookSummaries(db: Queryable, { id, organization_id }: ResourceKey<'project'>): Promise<HookSummary[]> {
  const [found] = await db<{ hooks: HookSummary[] }[]>`select ${hookSummaries(sql`${id}`, organization_id)} as hooks`
  return found?.hooks ?? []
}

/** Environments and versions of each that are offered. */
const MAX_ENVIRONMENTS = 10
const MAX_VERSIONS = 5
/** The newest successful rollouts of an environment in which versions are looked for. */
const MAX_ROLLOUTS = 200

export interface RanVersion {
  environment: string
  version: string
  /** When it was deployed last. */
  at: string
  is_current: boolean
}

/** The versions that ran in the environments of a project, or in one of them: by environment, the newest first. */
export const findVersions = (db: Queryable, project: ResourceKey<'project'>, environment?: string) => db<RanVersion[]>`
  select known.environment, ran.version, ran.at, ran.is_current
  from (
    select environment, organization_id, current_id
    from environments
    where project_id = ${project.id}
      and organization_id = ${project.organization_id}
      and current_id is not null
      ${environment === undefined ? sql`` : sql`and environment = ${environment}`}
    order by environment
    limit ${MAX_ENVIRONMENTS}
  ) as known
  cross join lateral (
    select rollout.version, max(rollout.reported_at) as at, bool_or(rollout.id = known.current_id) as is_current
    from (
      select id, version, reported_at
      from rollouts
      where project_id = ${project.id}
        and environment = known.environment
        and organization_id = ${project.organization_id}
        and state = 'succeeded'
      order by reported_at desc
      limit ${MAX_ROLLOUTS}
    ) as rollout
    where rollout.version is not null
    group by rollout.version
    order by max(rollout.reported_at) desc
    limit ${MAX_VERSIONS}
  ) as ran
  order by known.environment, ran.at desc
`
