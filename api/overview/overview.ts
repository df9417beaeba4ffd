/** What needs a user, over all their organizations. */
import { type FreezesRow, freezeColumns, heldUntilOf, joinFreezes } from '../../core/freezes/held-until.ts'
import { approves, decides } from '../../core/gates/approval.ts'
import type { Evidence, Subject } from '../../core/gates/gates.ts'
import { sql } from '../../core/platform/database.ts'
import type { Fragment, Queryable } from '../../sql/index.ts'
import { acrossTenants } from '../../sql/reach.ts'
import { accountsOf } from '../gates/deciders.ts'
import { given, needed } from '../gates/listed-gates.ts'
import { distinctNameOf } from '../members/namesakes.ts'
import type { Caller } from '../plugins/request-context.ts'

/** Rows of each kind that the page shows. */
export const MAX_ROWS = 50

/** The workspaces of a user's organizations, with their roles, also of deleted ones. Requires a condition on `member.user_id`. */
export const everyWorkspace = sql`
  organization_members as member
  join workspaces as workspace on workspace.organization_id = member.organization_id
  left join workspace_members as workspace_member
    on workspace_member.workspace_id = workspace.id
    and workspace_member.organization_id = workspace.organization_id
    and workspace_member.user_id = member.user_id
`

/** The same without deleted organizations. Requires also `isAdministered` where only those count in which the user is an admin. */
export const memberWorkspaces = sql`
  ${everyWorkspace}
  join organizations as organization on organization.id = member.organization_id and organization.deleted_at is null
`

export type Person = Pick<Caller, 'id' | 'has_second_factor' | 'unproven'>

/** The memberships of a user, except those that require a second factor or a sign-on which the user lacks. */
export function isMember({ id, has_second_factor, unproven }: Person) {
  if (unproven === null) throw new Error('It was not asked where this caller has signed on')
  return sql`
    member.user_id = ${id}
    and (${has_second_factor} or not member.second_factor_required)
    and member.organization_id <> all(${unproven}::uuid[])
  `
}

const isAdministered = sql`(member.role in ('owner', 'admin') or workspace_member.role = 'admin')`

const rows = { gate: sql`gate`, member: sql`member`, inside: sql`workspace_member` }

/**
 * The gates of these workspaces that wait for the user. Those that they have approved wait for others, unless the approvals are enough by
 * now, because people are back in their groups: then one of those who gave them has to approve again.
 */
const isWaiting = sql`
    gate.workspace_id = workspace.id
    and gate.organization_id = workspace.organization_id
    and gate.status = 'pending'
    and (gate.expires_at is null or gate.expires_at > now())
    and ${decides(rows)}
    and (
      not exists (
        select 1
        from gate_approvals as approval
        where approval.gate_id = gate.id
          and approval.organization_id = gate.organization_id
          and approval.user_id = member.user_id
      )
      or ${approves(rows)} and ${given} >= ${needed}
    )
`

/** The gates that wait for the user in each of these workspaces: the oldest, by their index, since thousands may be pending. */
export const waitingGates = sql`
  lateral (
    select
      id, organization_id, workspace_id, project_id, execution_id, name, created_at, updated_at, created_by, asked_by, expires_at,
      required_approvals, prevent_self_approval, approvers
    from gates as gate
    where ${isWaiting}
    order by created_at, id
    limit ${MAX_ROWS + 1}
  ) as gate
`

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

interface ShownGate {
  id: string
  name: string
  /** When it was opened, or overridden. */
  at: string
  /** Who did that. */
  person: string
  project_name: string
  workspace_name: string
  organization_name: string
}

export interface WaitingGate extends ShownGate {
  needs: 'decision'
  expires_at: string | null
  required_approvals: number
  approvals: number
  /** Whether the user may approve it; everyone in this list may reject it. */
  can_approve: boolean
  /** Null for a gate without an execution. */
  requirement_title: string | null
  environment: string | null
  subject: Subject | null
  /** Of its evidence. */
  failed_checks: number
  passed_checks: number
  /** Whether a freeze of its environment holds. */
  is_frozen: boolean
  /** Whether most of the time until its expiry has passed. */
  expires_soon: boolean
}

/** A gate that was overridden, and that the user may review. */
export interface OverriddenGate extends ShownGate {
  needs: 'review'
  comment: string
}

/** SQL: how many checks of the evidence of the gate `about` came out so. */
const checksIn = (state: Evidence['checks'][number]['state']) => sql`
  (
    select count(*)::integer
    from jsonb_array_elements(about.evidence -> 'checks') as reported
    where reported ->> 'state' = ${state}
  )
`

/** The pending gates that a user may decide, and the overrides that they may review, oldest first. */
export async function listGates(db: Queryable, user: Person): Promise<(WaitingGate | OverriddenGate)[]> {
  const gates = await readGates(db, user)
  const own = await accountsOf(db, user.id, [...new Set(gates.flatMap(({ askers }) => askers ?? []))])
  return gates.map(({ askers, policy_id, policy_version, freezes, now, ...gate }) => {
    if (gate.needs !== 'decision') return gate
    return {
      ...gate,
      can_approve: gate.can_approve && !askers?.some((id) => own.has(id)),
      is_frozen: heldUntilOf({ policy_id, policy_version, freezes, now }) !== null,
    }
  })
}

type Row = (WaitingGate | OverriddenGate) & FreezesRow & { askers: string[] | null }

/** @returns also who asked for the approval of each, if they may not approve it, and the freezes of its environment */
const readGates = (db: Queryable, user: Person) =>
  acrossTenants(
    db<Row[]>`
  with needed as (
    (
      select
        'decision' as needs, gate.id, gate.organization_id, gate.project_id, gate.name, gate.created_at as at,
        gate.created_by as person_id, gate.expires_at,
        ${needed} as required_approvals, ${given} as approvals,
        ${approves(rows)} as can_approve,
        case when gate.prevent_self_approval
          then array_remove(array[gate.created_by, execution.started_by] || gate.asked_by, null)
        end as askers,
        requirement.title as requirement_title, null as comment, organization.name as organization_name
      from ${memberWorkspaces}
      cross join ${waitingGates}
      left join executions as execution on execution.id = gate.execution_id and execution.organization_id = gate.organization_id
      left join requirements as requirement
        on requirement.id = execution.requirement_id
        and requirement.organization_id = gate.organization_id
      where ${isMember(user)}
      order by gate.created_at, gate.id
      limit ${MAX_ROWS + 1}
    )
    union all
    (
      select
        'review', gate.id, gate.organization_id, gate.project_id, gate.name, gate.decided_at, gate.decided_by, null, null, null,
        null, null, null, gate.comment, organization.name
      from ${unreviewedGates}
      where ${isMember(user)}
        and ${mayReview}
      order by gate.decided_at, gate.id
      limit ${MAX_ROWS + 1}
    )
  )
  select
    gate.needs, gate.id, gate.name, gate.at, gate.expires_at, gate.required_approvals, gate.approvals, gate.can_approve,
    gate.askers, gate.requirement_title, gate.comment, project.name as project_name, workspace.name as workspace_name,
    gate.organization_name, about.environment, about.subject,
    ${checksIn('failed')} as failed_checks, ${checksIn('passed')} as passed_checks,
    -- When people are reminded.
    coalesce(now() > gate.at + 0.8 * (gate.expires_at - gate.at), false) as expires_soon,
    ${freezeColumns},
    coalesce(
      ${distinctNameOf(sql`project.organization_id`, sql`person`)},
      actor_of(gate.person_id, project.organization_id) ->> 'name'
    ) as person
  from needed as gate
  join projects as project on project.id = gate.project_id and project.organization_id = gate.organization_id
  join workspaces as workspace on workspace.id = project.workspace_id and workspace.organization_id = project.organization_id
  join gates as about on about.id = gate.id and about.organization_id = gate.organization_id
  ${joinFreezes(sql`about`)}
  left join people as person on person.id = gate.person_id
  order by gate.at, gate.id
`,
    'partly',
  )

/** What an admin has to know: a hook or channel that the service disabled, or a budget of which more than its threshold is used. */
interface Concern {
  /** Of a budget: of what it is. */
  kind: 'hook' | 'channel' | 'organization' | 'workspace'
  id: string
  name: string
  /** Null for the budget of an organization. */
  workspace_name: string | null
  organization_name: string
}

export interface DisabledDestination extends Concern {
  kind: 'hook' | 'channel'
  disabled_reason: string
  limit_usd: null
}

/** Of this month. */
export interface ExceededBudget extends Concern {
  kind: 'organization' | 'workspace'
  limit_usd: number
  used_usd: number
}

const disabledIn = (table: Fragment, kind: DisabledDestination['kind']) => sql`
  (
    select
      ${kind}::text as kind, destination.id, destination.name, destination.disabled_reason, null::numeric as limit_usd,
      null::numeric as used_usd, within.name as workspace_name, within.organization_name
    from within
    join ${table} as destination
      on destination.workspace_id = within.id
      and destination.organization_id = within.organization_id
      and destination.disabled_reason is not null
    order by within.organization_name, within.name, destination.name, destination.id
    limit ${MAX_ROWS + 1}
  )
`

/** The disabled hooks and channels, and the exceeded budgets, of the organizations and workspaces in which a user is an admin. */
export function listConcerns(db: Queryable, user: Person) {
  const ofMonth = sql`spend.month = date_trunc('month', now())::date`
  return acrossTenants(
    db<(DisabledDestination | ExceededBudget)[]>`
    with within as (
      select
        workspace.id, workspace.organization_id, workspace.name, organization.name as organization_name,
        workspace.budget_monthly_limit_usd as limit_usd, workspace.budget_alert_threshold as threshold
      from ${memberWorkspaces}
      where ${isMember(user)} and ${isAdministered}
    )
    ${disabledIn(sql`deployment_hooks`, 'hook')}
    union all
    ${disabledIn(sql`notification_channels`, 'channel')}
    union all
    (
      select 'workspace', within.id, within.name, null, within.limit_usd, spend.used_usd, within.name, within.organization_name
      from within
      join workspace_spend as spend
        on spend.workspace_id = within.id
        and spend.organization_id = within.organization_id
        and ${ofMonth}
        and spend.used_usd >= within.limit_usd * within.threshold
      order by within.organization_name, within.name, within.id
      limit ${MAX_ROWS + 1}
    )
    union all
    (
      select
        'organization', organization.id, organization.name, null, organization.budget_monthly_limit_usd, spend.used_usd, null,
        organization.name
      from organization_members as member
      join organizations as organization on organization.id = member.organization_id and organization.deleted_at is null
      join organization_spend as spend
        on spend.organization_id = organization.id
        and ${ofMonth}
        and spend.used_usd >= organization.budget_monthly_limit_usd * organization.budget_alert_threshold
      where ${isMember(user)}
        and member.role in ('owner', 'admin')
      order by organization.name, organization.id
      limit ${MAX_ROWS + 1}
    )
    order by organization_name, workspace_name nulls first, name, id
  `,
    'partly',
  )
}
