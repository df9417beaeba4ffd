/** What a new organization has already done, and still lacks. */
import type { Queryable } from '../../sql/index.ts'
import { isMember, type Person } from './overview.ts'

export interface Setup {
  id: string
  name: string
  /** Where the next steps are taken; null while there is none. */
  workspace_id: string | null
  project_id: string | null
  has_team: boolean
  has_channel: boolean
  has_hook: boolean
  has_requirement: boolean
  has_started: boolean
  has_approved: boolean
  has_delivered: boolean
  has_reported: boolean
}

/** Reads it from what really happened. @returns null if the organization is closed to the user */
export async function readSetup(db: Queryable, user: Person, organization_id: string): Promise<Setup | null> {
  const [setup] = await db<Setup[]>`
    select
      organization.id, organization.name, known.workspaces[1] as workspace_id, known.projects[1] as project_id,
      exists (
        select from invitations where organization_id = organization.id
        union all
        select from organization_members where organization_id = organization.id and role <> 'owner'
      ) as has_team,
      exists (
        select
        from notification_channels
        where workspace_id = any(known.workspaces)
          and organization_id = organization.id
      ) as has_channel,
      known.hooks <> '{}' as has_hook,
      exists (
        select from requirements where project_id = any(known.projects) and organization_id = organization.id
      ) as has_requirement,
      exists (
        select
        from executions
        where project_id = any(known.projects)
          and organization_id = organization.id
          and started_at is not null
      ) as has_started,
      exists (
        select
        from gates
        where project_id = any(known.projects)
          and organization_id = organization.id
          and status = 'approved'
      ) as has_approved,
      exists (
        select
        from dispatches
        where hook_id = any(known.hooks)
          and organization_id = organization.id
          and status = 'succeeded'
          and event <> 'test.ping'
      ) as has_delivered,
      exists (
        select
        from rollouts
        where project_id = any(known.projects)
          and organization_id = organization.id
          and reported_at is not null
      ) as has_reported
    from organizations as organization
    join organization_members as member
      on member.organization_id = organization.id
      and ${isMember(user)}
    cross join lateral (
      select
        array(select id from workspaces where organization_id = organization.id order by id) as workspaces,
        array(
          select project.id
          from workspaces as workspace
          join projects as project
            on project.workspace_id = workspace.id
            and project.organization_id = workspace.organization_id
          where workspace.organization_id = organization.id
          order by project.id
        ) as projects,
        array(
          select hook.id
          from workspaces as workspace
          join projects as project
            on project.workspace_id = workspace.id
            and project.organization_id = workspace.organization_id
          join deployment_hooks as hook
            on hook.project_id = project.id
            and hook.organization_id = project.organization_id
          where workspace.organization_id = organization.id
        ) as hooks
    ) as known
    where member.organization_id = ${organization_id}
      and organization.deleted_at is null
  `
  return setup ?? null
}
