/** Hooks as lists of them show them: with their states and what became of their last dispatch. */

import { sql } from '../../core/platform/database.ts'
import { instant, withRollout } from '../../core/rollouts.ts'
import type { Fragment, Queryable } from '../../sql/index.ts'
import type { ResourceKey } from '../plugins/resources.ts'
import type { Delivered } from './outcome.tsx'
import type { Hook } from './schema.ts'

/** The newest dispatch of a hook that was no test. */
interface LastDispatch extends Delivered {
  id: string
  version: string | null
  at: string
}

export interface HookSummary
  extends Pick<Hook, 'id' | 'name' | 'environment' | 'enabled' | 'paused' | 'disabled_reason' | 'trigger_on' | 'url'> {
  last: LastDispatch | null
}

/** SQL: the hooks of a project as a JSON array, newest first. */
export const hookSummaries = (project_id: Fragment, organization_id: string): Fragment => sql`
  (
    select coalesce(
      jsonb_agg(
        jsonb_build_object(
          'id', hook.id, 'name', hook.name, 'environment', hook.environment, 'enabled', hook.enabled, 'paused', hook.paused,
          'disabled_reason', hook.disabled_reason, 'trigger_on', hook.trigger_on, 'url', hook.url,
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
    where hook.project_id = ${project_id}
      and hook.organization_id = ${organization_id}
  )
`

/** The hooks of a project, newest first. */
export async function listHookSummaries(db: Queryable, { id, organization_id }: ResourceKey<'project'>): Promise<HookSummary[]> {
  const [found] = await db<{ hooks: HookSummary[] }[]>`select ${hookSummaries(sql`${id}`, organization_id)} as hooks`
  return found?.hooks ?? []
}
