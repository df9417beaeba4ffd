/** Who gets the notifications of events: those whom their specs name and who have access. */
import type { NotificationSpec } from '../../core/events/declaration.ts'
import { sql } from '../../core/platform/database.ts'
import type { Json, Tx } from '../../sql/index.ts'
import type { DrainedEvent } from '../outbox/drained-event.ts'

/** Who gets the notification of an event, and the names of the people and service accounts that it mentions. */
export type Audience = { user_ids: string[]; names: Record<string, string> }

interface Candidate {
  event_id: string
  user_id: string
  /** Whether to notify this user only if no other user is notified. */
  is_substitute: boolean
  names: Record<string, string> | null
}

const mentionsOf = ({ mentions = [] }: NotificationSpec): string[] => mentions.flatMap((id) => (id ? [id] : []))

/** SQL: those who approved the gate of dispatches, or gates of the workflow, requested them, or started their executions. One row of `event` is an event. */
const causers = (dispatch_ids: string[]) => sql`
  select event.id, concerned.user_id, false as is_substitute
  from event
  join dispatches as dispatch on dispatch.id = any(event.dispatch_ids) and dispatch.organization_id = event.organization_id
  cross join lateral (
    select dispatch.requested_by as user_id
    union all
    select approval.user_id
    from gate_approvals as approval
    where approval.gate_id = dispatch.gate_id and approval.organization_id = event.organization_id
    union all
    select (
      select execution.started_by
      from executions as execution
      where execution.id = gate.execution_id and execution.organization_id = event.organization_id
    )
    from gates as gate
    where gate.id = dispatch.gate_id and gate.organization_id = event.organization_id
    union all
    select approval.user_id
    from executions as execution
    join gates as gate on gate.execution_id = execution.id and gate.organization_id = event.organization_id
    join gate_approvals as approval on approval.gate_id = gate.id and approval.organization_id = event.organization_id
    where execution.project_id = dispatch.project_id
      and execution.graph_id = dispatch.graph_id
      and execution.completion_id = dispatch.event_id
      and execution.organization_id = event.organization_id
      and gate.environment = dispatch.environment
    union all
    select execution.started_by
    from executions as execution
    where execution.project_id = dispatch.project_id
      and execution.graph_id = dispatch.graph_id
      and execution.organization_id = event.organization_id
  ) as concerned
  -- Repeated as a list, so that dispatches are looked up by key whatever their number is.
  where dispatch.id = any(${dispatch_ids}::uuid[])
`

export async function recipients(tx: Tx, specs: [DrainedEvent, NotificationSpec][]): Promise<Map<string, Audience>> {
  if (specs.length === 0) return new Map()
  const wanted = specs.map(([{ id, organization_id, workspace_id, actor_id }, spec]) => ({
    id,
    organization_id,
    workspace_id: spec.organizationAdmins ? null : workspace_id,
    actor_id,
    admins: spec.organizationAdmins ?? spec.admins ?? spec.dispatch_ids !== undefined,
    owner: spec.owner ?? false,
    groups: spec.groups ?? [],
    people: (spec.people ?? []).filter((person) => person !== null),
    requirement_id: spec.requirement_id ?? null,
    dispatch_ids: spec.dispatch_ids ?? null,
    mentions: mentionsOf(spec),
  }))
  const dispatch_ids = wanted.flatMap(({ dispatch_ids }) => dispatch_ids ?? [])
  const found = await tx<Candidate[]>`
    with event as (
      select *
      from jsonb_to_recordset(${tx.json(wanted as Json)}) as event (
        id uuid, organization_id uuid, workspace_id uuid, actor_id uuid,
        admins boolean, owner boolean, groups uuid[], people uuid[], requirement_id uuid, dispatch_ids uuid[], mentions uuid[]
      )
    ),
    candidate as (
      select scope.id, admin.user_id, scope.dispatch_ids is not null as is_substitute
      from event as scope
      cross join lateral (${workspaceAdmins}) as admin
      where scope.admins
      union
      select event.id, member.user_id, false
      from event
      join organization_members as member
        on member.organization_id = event.organization_id
        and member.role = 'owner'
      where event.owner
        and member.user_id is distinct from event.actor_id
      union
      select event.id, grouped.user_id, false
      from event
      join group_members as grouped
        on grouped.group_id = any(event.groups)
        and grouped.organization_id = event.organization_id
      union
      select event.id, unnest(event.people), false
      from event
      union
      select event.id, (
        select created_by
        from requirements
        where id = event.requirement_id and organization_id = event.organization_id
      ), false
      from event
      ${dispatch_ids.length > 0 ? sql`union ${causers(dispatch_ids)}` : sql``}
    )
    select
      candidate.id as event_id, candidate.user_id, candidate.is_substitute,
      (
        select jsonb_object_agg(mentioned.id, actor_of(mentioned.id, event.organization_id) ->> 'name')
        from unnest(event.mentions) as mentioned (id)
      ) as names
    from candidate
    join event on event.id = candidate.id
    join organization_members as member
      on member.organization_id = event.organization_id
      and member.user_id = candidate.user_id
    left join workspace_members as inside
      on inside.workspace_id = event.workspace_id
      and inside.organization_id = event.organization_id
      and inside.user_id = candidate.user_id
    where event.workspace_id is null
      or member.role in ('owner', 'admin')
      or inside.user_id is not null
  `
  const byEvent = new Map<string, Audience>()
  for (const [event_id, candidates] of Map.groupBy(found, (each) => each.event_id)) {
    const meant = candidates.filter(({ is_substitute }) => !is_substitute)
    const user_ids = (meant.length > 0 ? meant : candidates).map(({ user_id }) => user_id)
    byEvent.set(event_id, { user_ids, names: candidates[0]?.names ?? {} })
  }
  return byEvent
}

/**
 * SQL: the admins of the workspace, and the owner and admins of the organization. A lateral subquery of a row `scope` with
 * `organization_id` and `workspace_id`; if the latter is null, only the owner and admins of the organization.
 */
export const workspaceAdmins = sql`
  select member.user_id
  from organization_members as member
  where member.organization_id = scope.organization_id
    and member.role in ('owner', 'admin')
  union
  select member.user_id
  from workspace_members as member
  where member.workspace_id = scope.workspace_id
    and member.organization_id = scope.organization_id
    and member.role = 'admin'
`
