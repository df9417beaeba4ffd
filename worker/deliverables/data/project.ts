/** Where a project is, who works in it, and what it may cost. */
import type { VersionScheme } from '../../../core/deliverables.ts'
import type { Tx } from '../../../sql/index.ts'
import { personName } from './people.ts'
import type { DocumentScope } from './scope.ts'

/** A project with its organization and workspace. */
interface ProjectHead {
  as_of: string
  name: string
  description: string | null
  repository_url: string | null
  support: string | null
  version_scheme: VersionScheme
  created_at: string
  organization_name: string
  workspace_name: string
  owner_name: string
  /** Null unless it was proven to be the owner's. */
  owner_email: string | null
}

export interface Member {
  name: string
  role: string
}

/** A monthly budget and what agents spent in one month. */
export interface Budget {
  limit_usd: number | null
  used_usd: number
}

export const readHead = (tx: Tx, { organization_id, project_id }: DocumentScope) => tx<ProjectHead[]>`
  select
    now()::timestamptz(3) as as_of, project.name, project.description, project.repository_url, project.support,
    project.version_scheme, project.created_at,
    organization.name as organization_name, workspace.name as workspace_name,
    ${personName(tx)} as owner_name, case when people.email_verified then people.email end as owner_email
  from projects as project
  join organizations as organization on organization.id = project.organization_id
  join workspaces as workspace
    on workspace.id = project.workspace_id
    and workspace.organization_id = project.organization_id
  join people on people.id = workspace.owner_id
  where project.id = ${project_id}
    and project.organization_id = ${organization_id}
`

/** Who may work in the project, by name. */
export const readMembers = (tx: Tx, { organization_id, workspace_id }: DocumentScope) => tx<Member[]>`
  select
    ${personName(tx)} as name,
    case
      when organization_member.role <> 'member' then organization_member.role || ' of the organization'
      else workspace_member.role
    end as role
  from organization_members as organization_member
  join people on people.id = organization_member.user_id
  left join workspace_members as workspace_member
    on workspace_member.workspace_id = ${workspace_id}
    and workspace_member.organization_id = organization_member.organization_id
    and workspace_member.user_id = organization_member.user_id
  where organization_member.organization_id = ${organization_id}
    and (organization_member.role <> 'member' or workspace_member.role is not null)
  order by people.name, people.id
`

/**
 * The budgets of the workspace and the organization, and what agents spent in the month of a date. What Signalbox itself spent on a
 * model is left out.
 */
export const readBudgets = (tx: Tx, { organization_id, workspace_id }: DocumentScope, date: string) => tx<
  { workspace: Budget; organization: Budget }[]
>`
  select
    jsonb_build_object('limit_usd', workspace.budget_monthly_limit_usd, 'used_usd', spend.in_workspace) as workspace,
    jsonb_build_object('limit_usd', organization.budget_monthly_limit_usd, 'used_usd', spend.in_organization) as organization
  from workspaces as workspace
  join organizations as organization on organization.id = workspace.organization_id
  cross join (
    select
      coalesce(sum(used_usd) filter (where workspace_id = ${workspace_id}), 0) as in_workspace,
      coalesce(sum(used_usd), 0) as in_organization
    from agent_spend
    where organization_id = ${organization_id}
      and month = date_trunc('month', ${date}::timestamp)::date
      and agent not like 'model:%'
  ) as spend
  where workspace.id = ${workspace_id}
    and workspace.organization_id = ${organization_id}
`
