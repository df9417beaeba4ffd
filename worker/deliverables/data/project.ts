/** Where a project is, who works in it, what it may cost, and what it published before. */
import type { DeliverableType, VersionScheme } from '../../../core/records/deliverables.ts'
import type { ProjectScope } from '../../../core/tenants/scopes.ts'
import { DAY_MS } from '../../../core/values/instants.ts'
import type { Tx } from '../../../sql/index.ts'

export interface DocumentScope extends ProjectScope {
  deliverable_type: DeliverableType
  requirement_id: string | null
}

/** The name of a row of `people`, without e-mail addresses: documents are published, and an address was not entered for that. */
export const personName = (tx: Tx) => tx`
  coalesce(nullif(trim(regexp_replace(people.name, '[^\\s@<(]+@[^\\s@>)]+', '', 'g'), ' <>()'), ''), 'Unnamed user')
`

/** @param name null if the account was deleted */
export const shownName = (name: string | null): string => name ?? 'A former user'

export interface Project {
  name: string
  description: string | null
  repository_url: string | null
  support: string | null
  version_scheme: VersionScheme
  created_at: string
}

interface ProjectHead extends Project {
  as_of: string
  organization_name: string
  workspace_name: string
  owner_name: string
  /** Null unless it was proven to be the owner's. */
  owner_email: string | null
}

export type Member = { name: string; role: string }

/** A monthly budget and what agents spent in one month. */
export type Budget = { limit_usd: number | null; used_usd: number }

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
  where project.id = ${project_id} and project.organization_id = ${organization_id}
`

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
  where workspace.id = ${workspace_id} and workspace.organization_id = ${organization_id}
`

export interface Release {
  id: string
  /** Null until it is stored, right after the publication. */
  name: string | null
  as_of: string
  published_at: string
}

type StoredDescription = { title: string; version: string; document: string }

/** Published changelogs of the whole project, oldest first. */
export const readReleases = (tx: Tx, { organization_id, project_id }: DocumentScope) => tx<Release[]>`
  select id, release_name as name, source ->> 'as_of' as as_of, published_at
  from deliverables
  where project_id = ${project_id}
    and organization_id = ${organization_id}
    and deliverable_type = 'changelog'
    and requirement_id is null
    and published_at is not null
  order by source ->> 'as_of', version
`

/** The workflow template of the project; none if it uses the built-in one. */
export const readWorkflow = (tx: Tx, { organization_id, project_id }: DocumentScope) => tx<{ template: string }[]>`
  select template from workflow_templates where scope_id = ${project_id} and organization_id = ${organization_id}
`

export const readApiDescription = (tx: Tx, { organization_id, project_id }: DocumentScope) => tx<StoredDescription[]>`
  select title, version, document
  from api_descriptions
  where project_id = ${project_id} and organization_id = ${organization_id}
`

const TIMES = ['created_at', 'completed_at', 'finished_at', 'decided_at', 'revoked_at', 'reported_at'] as const

type Dated = { [Time in (typeof TIMES)[number]]?: string | null }

/** The latest time in any row, as ISO 8601. @param start a time that is always known, such as when the project was created */
export function newestOf(start: string, ...rows: Dated[][]): string {
  let newest = Date.parse(start)
  for (const row of rows.flat()) {
    for (const time of TIMES) newest = Math.max(newest, Date.parse(row[time] ?? start))
  }
  return new Date(newest).toISOString()
}

export const daysBefore = (instant: string, days: number): string => new Date(Date.parse(instant) - days * DAY_MS).toISOString()
