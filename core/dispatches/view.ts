/** How the API and events show a dispatch. */
import type { Queryable } from '../../sql/index.ts'
import type { EventDispatch } from '../events/subjects.ts'
import { sql } from '../platform/database.ts'
import { rolloutColumn, withRollout } from '../rollouts/rollouts.ts'

/**
 * SQL: the columns of `dispatch` as events show them, with the joins of `dispatchJoins`. The state of a pending dispatch is in
 * `deliveries`, and its last attempt in `repeated_attempts`; a finished one has both itself.
 */
const eventColumns = sql`
  dispatch.id, dispatch.hook_id, dispatch.project_id, dispatch.event, dispatch.environment, dispatch.status,
  coalesce(delivery.attempt_count, dispatch.attempt_count) as attempt_count, dispatch.max_attempts,
  delivery.due_at as next_attempt_at, case when delivery.held_until > now() then delivery.held_until end as held_until,
  coalesce(dispatch.last_response_status, attempt.response_status) as response_status,
  coalesce(dispatch.last_duration_ms, attempt.duration_ms) as duration_ms,
  case dispatch.status when 'pending' then attempt.error else dispatch.error end as error,
  dispatch.sequence, dispatch.redelivery_of, dispatch.superseded_by, ${rolloutColumn} as rollout,
  dispatch.override_reason, dispatch.created_at, dispatch.completed_at
`

/** SQL: the same as the API shows them, with the body of the last response. */
export const dispatchColumns = sql`
  ${eventColumns}, coalesce(dispatch.last_response_body, attempt.response_body) as response_body
`

/** SQL: what the columns of `dispatch` need in addition to its row of the queue, `delivery`. */
export const attemptJoins = sql`
  left join lateral (
    select response_status, duration_ms, error, response_body
    from repeated_attempts
    where dispatch_id = dispatch.id
      and organization_id = dispatch.organization_id
      and number = coalesce(delivery.attempt_count, dispatch.attempt_count)
    limit 1
  ) as attempt on true
  ${withRollout}
`

export const dispatchJoins = sql`
  left join deliveries as delivery on delivery.id = dispatch.id and delivery.organization_id = dispatch.organization_id
  ${attemptJoins}
`

interface DispatchInScope {
  organization_id: string
  workspace_id: string
  request_id: string | null
  traceparent: string | null
  dispatch: EventDispatch
}

/** Dispatches as events show them: without the response body, which a receiver chose. */
export async function eventDispatches(
  db: Queryable,
  organization_ids: string[],
  dispatch_ids: string[],
): Promise<DispatchInScope[]> {
  if (organization_ids.length === 0) return []
  const found = await db<(Omit<DispatchInScope, 'dispatch'> & EventDispatch)[]>`
    select dispatch.organization_id, dispatch.workspace_id, dispatch.request_id, dispatch.traceparent, ${eventColumns}
    from dispatches as dispatch
    ${dispatchJoins}
    where dispatch.id = any(${dispatch_ids}::uuid[])
      and dispatch.organization_id = any(${organization_ids}::uuid[])
    order by dispatch.id
  `
  return found.map(({ organization_id, workspace_id, request_id, traceparent, ...dispatch }) => ({
    organization_id,
    workspace_id,
    request_id,
    traceparent,
    dispatch,
  }))
}
