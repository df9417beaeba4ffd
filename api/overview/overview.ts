/** What needs a user, over all their organizations. */
import { mayApprove } from '../../core/gate-deciders.ts'
import { sql } from '../../core/platform/database.ts'
import type { Queryable } from '../../sql/index.ts'
import { distinctNameOf } from '../members/namesakes.ts'
import type { Caller } from '../plugins/request-context.ts'

/** Rows of each kind that the page shows. */
export const MAX_ROWS = 50

/**
 * The workspaces of a user's organizations, with their roles. Requires a condition on `member.user_id`, and `isAdministered` where
 * only those count in which the user is an admin.
 */
export const memberWorkspaces = sql`
  organization_members as member
  join organizations as organization on organization.id = member.organization_id and organization.deleted_at is null
  join workspaces as workspace on workspace.organization_id = member.organization_id
  left join workspace_members as workspace_member
    on workspace_member.workspace_id = workspace.id
    and workspace_member.organization_id = workspace.organization_id
    and workspace_member.user_id = member.user_id
`

export type Person = Pick<Caller, 'id' | 'has_second_factor'>

/** The memberships of a user, except those that require a second factor which the user lacks. */
export const isMember = ({ id, has_second_factor }: Person) =>
  sql`member.user_id = ${id} and (${has_second_factor} or not member.second_factor_required)`

const isAdministered = sql`(member.role in ('owner', 'admin') or workspace_member.role = 'admin')`

/** Whether the user is in a group that a gate names. */
const isInGroup = sql`
  exists (
    select 1
    from group_members as grouped
    where grouped.organization_id = gate.organization_id
      and grouped.user_id = member.user_id
      and gate.approvers @> jsonb_build_array(jsonb_build_object('group_id', grouped.group_id))
  )
`

/**
 * The gates of these workspaces that wait for the user, who is an admin of the workspace, or a member of it and of a group that the gate
 * names. Those that they have approved wait for others.
 */
const isWaiting = sql`
    gate.workspace_id = workspace.id
    and gate.organization_id = workspace.organization_id
    and gate.status = 'pending'
    and (gate.expires_at is null or gate.expires_at > now())
    and (
      ${isAdministered}
      or (gate.approvers <> '[]' and workspace_member.user_id is not null and ${isInGroup})
    )
    and not exists (
      select 1
      from gate_approvals as approval
      where approval.gate_id = gate.id
        and approval.organization_id = gate.organization_id
        and approval.user_id = member.user_id
    )
`

/** The gates that wait for the user in each of these workspaces: the oldest, by their index, since thousands may be pending. */
export const waitingGates = sql`
  lateral (
    select
      id, organization_id, workspace_id, project_id, execution_id, name, created_at, updated_at, created_by, expires_at,
      required_approvals, prevent_self_approval, approvers
    from gates as gate
    where ${isWaiting}
    order by created_at, id
    limit ${MAX_ROWS + 1}
  ) as gate
`

/** A gate that waits for the user. */
export interface WaitingGate {
  id: string
  name: string
  created_at: string
  expires_at: string | null
  required_approvals: number
  approvals: number
  /** Whether the user may approve it; everyone in this list may reject it. */
  can_approve: boolean
  opened_by: string | null
  /** Null for a gate without an execution. */
  requirement_title: string | null
  project_name: string
  workspace_name: string
  organization_name: string
}

/** The pending gates that a user may decide, oldest first. */
export function listWaitingGates(db: Queryable, user: Person) {
  return db<WaitingGate[]>`
    select
      gate.id, gate.name, gate.created_at, gate.expires_at,
      greatest(
        gate.required_approvals,
        -- Each member of a group counts for one of its rules.
        (select sum((rule ->> 'count')::integer) from jsonb_array_elements(gate.approvers) as rule)
      )::integer as required_approvals,
      (
        select count(*)
        from gate_approvals as approval
        where approval.gate_id = gate.id
          and approval.organization_id = gate.organization_id
          and ${mayApprove(sql`approval.user_id`, sql`gate`)}
      ) as approvals,
      (gate.approvers = '[]' or ${isInGroup})
      and not (
        gate.prevent_self_approval
        and (gate.created_by = member.user_id or execution.started_by is not distinct from member.user_id)
      ) as can_approve,
      coalesce(
        ${distinctNameOf(sql`gate.organization_id`, sql`opener`)},
        actor_of(gate.created_by, gate.organization_id) ->> 'name'
      ) as opened_by,
      requirement.title as requirement_title, project.name as project_name, workspace.name as workspace_name,
      organization.name as organization_name
    from ${memberWorkspaces}
    cross join ${waitingGates}
    left join executions as execution
      on execution.id = gate.execution_id
      and execution.organization_id = gate.organization_id
    left join requirements as requirement
      on requirement.id = execution.requirement_id
      and requirement.organization_id = gate.organization_id
    join projects as project
      on project.id = gate.project_id
      and project.organization_id = gate.organization_id
    left join people as opener on opener.id = gate.created_by
    where ${isMember(user)}
    order by gate.created_at, gate.id
    limit ${MAX_ROWS + 1}
  `
}

/** The overrides in organizations of a user that another of their owners and admins has to review. */
export const unreviewedGates = sql`
  organization_members as member
  join organizations as organization on organization.id = member.organization_id and organization.deleted_at is null
  join gates as gate
    on gate.organization_id = member.organization_id
    and gate.decided_via = 'override'
    and gate.reviewed_at is null
    and gate.decided_by <> member.user_id
`

export const mayReview = sql`member.role in ('owner', 'admin')`

/** A gate that was overridden, and that the user may review. */
export interface UnreviewedGate {
  id: string
  name: string
  comment: string
  decided_at: string
  overridden_by: string
  project_name: string
  workspace_name: string
  organization_name: string
}

/** The overrides that a user may review, oldest first. */
export function listUnreviewedGates(db: Queryable, user: Person) {
  return db<UnreviewedGate[]>`
    select
      gate.id, gate.name, gate.comment, gate.decided_at,
      ${distinctNameOf(sql`gate.organization_id`, sql`overrider`)} as overridden_by,
      project.name as project_name, workspace.name as workspace_name, organization.name as organization_name
    from ${unreviewedGates}
    join workspaces as workspace
      on workspace.id = gate.workspace_id
      and workspace.organization_id = gate.organization_id
    join projects as project
      on project.id = gate.project_id
      and project.organization_id = gate.organization_id
    join people as overrider on overrider.id = gate.decided_by
    where ${isMember(user)}
      and ${mayReview}
    order by gate.decided_at, gate.id
    limit ${MAX_ROWS + 1}
  `
}

/** A hook or channel that the service disabled. */
export interface DisabledDestination {
  kind: 'hook' | 'channel'
  id: string
  name: string
  disabled_reason: string
  workspace_name: string
  organization_name: string
}

/** The hooks and channels that the service disabled, in the workspaces in which a user is an admin. */
export function listDisabledDestinations(db: Queryable, user: Person) {
  return db<DisabledDestination[]>`
    with within as (
      select workspace.id, workspace.organization_id, workspace.name, organization.name as organization_name
      from ${memberWorkspaces}
      where ${isMember(user)}
        and ${isAdministered}
    )
    select
      'hook' as kind, hook.id, hook.name, hook.disabled_reason, within.name as workspace_name, within.organization_name
    from within
    join deployment_hooks as hook
      on hook.workspace_id = within.id
      and hook.organization_id = within.organization_id
      and hook.disabled_reason is not null
    union all
    select 'channel', channel.id, channel.name, channel.disabled_reason, within.name, within.organization_name
    from within
    join notification_channels as channel
      on channel.workspace_id = within.id
      and channel.organization_id = within.organization_id
      and channel.disabled_reason is not null
    order by organization_name, workspace_name, name, id
    limit ${MAX_ROWS + 1}
  `
}

/** A budget of which more than its threshold is used in this month. */
export interface ExceededBudget {
  organization_id: string
  /** Null for the budget of the organization. */
  workspace_id: string | null
  organization_name: string
  workspace_name: string | null
  limit_usd: number
  used_usd: number
}

/** The budgets over their threshold of the organizations and workspaces in which a user is an admin. */
export function listExceededBudgets(db: Queryable, user: Person) {
  return db<ExceededBudget[]>`
    select
      organization.id as organization_id, null::uuid as workspace_id, organization.name as organization_name,
      null as workspace_name, organization.budget_monthly_limit_usd as limit_usd, spend.used_usd
    from organization_members as member
    join organizations as organization on organization.id = member.organization_id and organization.deleted_at is null
    join organization_spend as spend
      on spend.organization_id = organization.id
      and spend.month = date_trunc('month', now())::date
      and spend.used_usd >= organization.budget_monthly_limit_usd * organization.budget_alert_threshold
    where ${isMember(user)}
      and member.role in ('owner', 'admin')
    union all
    select
      workspace.organization_id, workspace.id, organization.name, workspace.name, workspace.budget_monthly_limit_usd,
      spend.used_usd
    from ${memberWorkspaces}
    join workspace_spend as spend
      on spend.workspace_id = workspace.id
      and spend.organization_id = workspace.organization_id
      and spend.month = date_trunc('month', now())::date
      and spend.used_usd >= workspace.budget_monthly_limit_usd * workspace.budget_alert_threshold
    where ${isMember(user)}
      and ${isAdministered}
    order by organization_name, workspace_name nulls first
    limit ${MAX_ROWS + 1}
  `
}
