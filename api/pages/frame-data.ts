/** What the frame of every page shows: the organizations of its reader, what waits for them, and the projects of one organization. */
import { sql } from '../../core/platform/database.ts'
import { acrossTenants } from '../../sql/reach.ts'
import { isMember, memberWorkspaces, waitingGates } from '../overview/overview.ts'
import type { SignedIn } from '../plugins/request-context.ts'
import type { Resource } from '../plugins/resources.ts'
import type { OrganizationRole } from '../roles.ts'

/** Projects that the side bar has room for. */
export const MAX_PROJECTS = 30
/** More gates than these are not counted. */
export const MAX_COUNTED = 99

/** What is most urgent in a project: a gate waits, a rollout failed, agents run, what runs is well, or there is nothing yet. */
const STATES = ['waiting', 'failed', 'running', 'well', 'empty'] as const
export type ProjectState = (typeof STATES)[number]

export interface ProjectLink {
  id: string
  name: string
  workspace_id: string
  workspace_name: string
  state: ProjectState
  /** Pending gates. */
  gates: number
}

export interface MemberOf {
  id: string
  name: string
  role: OrganizationRole
  shows_setup: boolean
  requires_factor: boolean
}

export interface FrameData {
  unread: number
  organizations: MemberOf[]
  /** Gates that wait for the reader, in all organizations: at most one more than `MAX_COUNTED`. */
  needs_you: number
  /** The organization whose pages the side bar links to; null for people who are in none. */
  current: MemberOf | null
  /** At most one more than `MAX_PROJECTS`, the most urgent first. */
  projects: ProjectLink[]
  organization_name: string | null
  workspace_name: string | null
  project_name: string | null
}

type Found = Omit<FrameData, 'current' | 'organization_name'>
type Row = Omit<Found, 'projects'> & { projects: (Omit<ProjectLink, 'state'> & { urgency: number })[] }
type Place = { organization_id: string | null; workspace_id: string | null; project_id: string | null }

/** @param last the organization of the page before, for a page that is about none */
export async function readFrameData(caller: SignedIn, resource: Resource | null, last: string | null): Promise<FrameData> {
  const { organization_id = last, workspace_id = null, project_id = null } = resource ?? {}
  const found = await readFrame(caller, { organization_id, workspace_id, project_id })
  const own = found.organizations.find(({ id }) => id === organization_id)
  if (own || resource) return { ...found, current: own ?? null, organization_name: own?.name ?? null }
  const current = found.organizations[0] ?? null
  if (!current) return { ...found, current, organization_name: null }
  // Without a page before it, as after signing in, the first organization is known only now.
  const { projects } = await readFrame(caller, { organization_id: current.id, workspace_id: null, project_id: null })
  return { ...found, projects, current, organization_name: null }
}

async function readFrame(caller: SignedIn, { organization_id, workspace_id, project_id }: Place): Promise<Found> {
  const [found] = await acrossTenants(
    sql<[Row]>`
    select
      coalesce((select unread from notification_inboxes where user_id = ${caller.id}), 0) as unread,
      coalesce(
        (
          select jsonb_agg(to_jsonb(membership) order by membership.name)
          from (
            select
              member.organization_id as id, (select name from organizations where id = member.organization_id) as name,
              member.role, coalesce(member.setup_until > now(), false) as shows_setup,
              member.second_factor_required as requires_factor
            from organization_members as member
            where member.user_id = ${caller.id}
          ) as membership
        ),
        '[]'
      ) as organizations,
      (
        select count(*)
        from (
          select 1
          from ${memberWorkspaces}
          cross join ${waitingGates}
          where ${isMember(caller)}
          limit ${MAX_COUNTED + 1}
        ) as waiting
      ) as needs_you,
      (
        select name from workspaces where id = ${workspace_id} and organization_id = ${organization_id}
      ) as workspace_name,
      (select name from projects where id = ${project_id} and organization_id = ${organization_id}) as project_name,
      (
        select coalesce(jsonb_agg(to_jsonb(shown) order by shown.urgency, shown.name, shown.id), '[]')
        from (
          select
            project.id, left(project.name, 60) as name, project.workspace_id,
            left(workspace.name, 60) as workspace_name, gates, urgency
          from ${memberWorkspaces}
          join projects as project
            on project.workspace_id = workspace.id
            and project.organization_id = ${organization_id}
          cross join lateral (
            select count(*) as gates
            from (
              select 1
              from gates
              where gates.project_id = project.id
                and gates.organization_id = ${organization_id}
                and gates.status = 'pending'
                and (gates.expires_at is null or gates.expires_at > now())
              limit ${MAX_COUNTED + 1}
            ) as pending
          ) as pending
          cross join lateral (
            select
              case
                when gates > 0 then 0
                when exists (
                  select 1
                  from environments as environment
                  where environment.project_id = project.id
                    and environment.organization_id = ${organization_id}
                    and (
                      select rollout.state
                      from rollouts as rollout
                      where rollout.id = environment.latest_id and rollout.organization_id = ${organization_id}
                    ) = 'failed'
                ) then 1
                when exists (
                  select 1
                  from executions as execution
                  where execution.project_id = project.id
                    and execution.organization_id = ${organization_id}
                    and execution.status in ('queued', 'running', 'awaiting_gate')
                ) then 2
                when exists (
                  select 1
                  from environments as environment
                  where environment.project_id = project.id
                    and environment.organization_id = ${organization_id}
                    and environment.current_id is not null
                ) then 3
                else 4
              end as urgency
          ) as judged
          where ${isMember(caller)}
            and member.organization_id = ${organization_id}
            and (member.role in ('owner', 'admin') or workspace_member.user_id is not null)
          order by urgency, project.name, project.id
          limit ${MAX_PROJECTS + 1}
        ) as shown
      ) as projects
  `,
    'partly',
  )
  const projects = found.projects.map(({ urgency, ...project }) => ({ ...project, state: STATES[urgency] ?? 'empty' }))
  return { ...found, projects }
}
