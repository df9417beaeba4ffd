/** How a destination (a deployment hook or a notification channel) is doing. */
import type { Queryable } from '../../sql/index.ts'
import type { ResourceKey } from '../plugins/resources.ts'
import { notFound } from '../problems.ts'

const MAX_FAILURES = 3

export interface Failure {
  id: string
  event: string
  completed_at: string
  error: { code: string; detail: string } | null
}

/** The state of a destination's queue; failed attempts are counted since the last success. */
export interface Health {
  pending: number
  /** How many of them are leased to a claimer. */
  leased: number
  /** When the first pending one is due. */
  next_attempt_at: string | null
  failures: number
  first_failure_at: string | null
  last_failure_at: string | null
  last_success_at: string | null
  /** The destination asked not to be called before (`Retry-After`). */
  held_until: string | null
  last_failures: Failure[]
}

/** The health of a deployment hook or notification channel, in one statement. @throws Problem `not_found` */
export async function getHealth(db: Queryable, { id, organization_id }: ResourceKey<'hook' | 'channel'>): Promise<Health> {
  const [health] = await db<Health[]>`
    select
      waiting.pending, waiting.leased, waiting.next_attempt_at, coalesce(health.failures, 0) as failures, health.first_failure_at,
      health.last_failure_at, health.last_success_at, health.held_until,
      (
        select coalesce(
          jsonb_agg(
            jsonb_build_object(
              'id', failed.id,
              'event', failed.event,
              'completed_at', to_char(failed.completed_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
              'error', coalesce(dispatch.error, message.error)
            )
            order by failed.created_at desc, failed.id desc
          ),
          '[]'
        )
        from (
          select id, organization_id, kind, event, created_at, completed_at
          from unsuccessful_deliveries
          where lane_id = ${id}
            and organization_id = ${organization_id}
            and status = 'failed'
          order by created_at desc, id desc
          limit ${MAX_FAILURES}
        ) as failed
        left join dispatches as dispatch on dispatch.id = failed.id and dispatch.organization_id = ${organization_id}
        left join channel_messages as message on message.id = failed.id and message.organization_id = ${organization_id}
      ) as last_failures
    from lanes as lane
    left join lane_health as health on health.lane_id = lane.id and health.organization_id = ${organization_id}
    cross join lateral (
      select
        count(*) as pending, count(*) filter (where lease_until > now()) as leased,
        min(due_at) filter (where lease_until is null) as next_attempt_at
      from deliveries
      where lane_id = lane.id and organization_id = ${organization_id}
    ) as waiting
    where lane.id = ${id} and lane.organization_id = ${organization_id}
  `
  if (!health) throw notFound('destination')
  return health
}
