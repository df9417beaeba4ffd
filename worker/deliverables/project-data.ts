/** Reads the data for documents: a snapshot of a project. */
import { config } from '../../core/platform/config.ts'
import type { Tx } from '../../sql/index.ts'

export interface Requirement {
  id: string
  number: number
  title: string
  description: string | null
  kind: 'feature' | 'change' | 'deprecation' | 'removal' | 'fix' | 'security' | 'docs' | 'chore'
  status: 'open' | 'in_progress' | 'done' | 'cancelled'
  acceptance_criteria: string[]
  created_at: string
  completed_at: string | null
  /** How often it was reopened after it was done. */
  reopened: number
}

export interface Execution {
  id: string
  requirement_id: string
  agent: string
  status: 'queued' | 'running' | 'awaiting_gate' | 'completed' | 'failed' | 'cancelled'
  error: string | null
  cost_usd: number | null
  seconds: number | null
  started_by: string | null
}

export interface Gate {
  requirement_id: string
  execution_id: string
  name: string
  status: 'pending' | 'approved' | 'rejected' | 'cancelled'
  comment: string | null
  decided_by: string | null
  decided_at: string | null
}

export interface Hook {
  id: string
  name: string
  /** Scheme and host; the rest of the URL may be secret. */
  /** Null for a pull hook. */
  origin: string | null
  trigger_on: 'workflow_done' | 'gate_approved'
  environment: string
  enabled: boolean
  disabled_reason: string | null
  has_secret: boolean
  succeeded: number
  failed: number
  last_success_at: string | null
}

export interface Dispatch {
  hook: string
  environment: string
  event: string
  status: string
  response_status: number | null
  error_code: string | null
  created_at: string
}

export interface Member {
  name: string
  role: string
}

export interface Release {
  version: number
  as_of: string
  published_at: string
}

/** A consistent snapshot of a project. */
export interface ProjectData {
  as_of: string
  organization: { id: string; name: string }
  workspace: { id: string; name: string }
  project: { id: string; name: string; description: string | null; repository_url: string | null; created_at: string }
  /** The requirement that the document is limited to; null for the whole project. */
  only: string | null
  requirements: Requirement[]
  executions: Execution[]
  gates: Gate[]
  hooks: Hook[]
  dispatches: Dispatch[]
  members: Member[]
  /** Published changelogs, oldest first. */
  releases: Release[]
  /** The workflow template of the project; null if it uses the built-in one. */
  workflow: string | null
  api_description: { title: string; version: string; document: Record<string, unknown> } | null
}

interface DeliverableScope {
  organization_id: string
  workspace_id: string
  project_id: string
  requirement_id: string | null
}

/** The URL of an API path. */
export const address = (path: string): string => `${config.PUBLIC_URL}/api/v1${path}`

/**
 * Reads a project.
 *
 * @param tx a repeatable read transaction, for a consistent snapshot
 * @returns null if the project or requirement is deleted
 */
export async function readProject(
  tx: Tx,
  { organization_id, project_id, requirement_id }: DeliverableScope,
): Promise<ProjectData | null> {
  const [head] = await tx<
    {
      as_of: string
      name: string
      description: string | null
      repository_url: string | null
      created_at: string
      organization_name: string
      workspace_id: string
      workspace_name: string
    }[]
  >`
    select
      now()::timestamptz(3) as as_of, project.name, project.description, project.repository_url, project.created_at,
      organization.name as organization_name, workspace.id as workspace_id, workspace.name as workspace_name
    from projects as project
    join organizations as organization on organization.id = project.organization_id
    join workspaces as workspace
      on workspace.id = project.workspace_id
      and workspace.organization_id = project.organization_id
    where project.id = ${project_id}
      and project.organization_id = ${organization_id}
  `
  if (!head) return null
  // Pipelined, because these statements do not depend on each other.
  const [requirements, executions, gates, hooks, dispatches, members, releases, [description], [workflow]] = await Promise.all([
    tx<Requirement[]>`
      select
        id, number, title, description, kind, status, acceptance_criteria, created_at, completed_at,
        (
          select count(*)
          from requirement_changes as change
          where change.requirement_id = requirement.id
            and change.organization_id = requirement.organization_id
            and change.from_status = 'done'
        ) as reopened
      from requirements as requirement
      where project_id = ${project_id}
        and organization_id = ${organization_id}
        and (${requirement_id}::uuid is null or id = ${requirement_id})
      order by number
    `,
    tx<Execution[]>`
      select
        execution.id, execution.requirement_id, execution.agent, execution.status, execution.error, execution.cost_usd,
        extract(epoch from execution.finished_at - execution.started_at)::double precision as seconds,
        users.name as started_by
      from executions as execution
      left join users on users.id = execution.started_by
      where execution.project_id = ${project_id}
        and execution.organization_id = ${organization_id}
        and (${requirement_id}::uuid is null or execution.requirement_id = ${requirement_id})
      order by execution.id
    `,
    tx<Gate[]>`
      select
        execution.requirement_id, gate.execution_id, gate.name, gate.status, gate.comment, gate.decided_at,
        users.name as decided_by
      from gates as gate
      -- Lateral with a limit: as a join, PostgreSQL may read all executions while they are few, and keep the plan.
      cross join lateral (
        select requirement_id
        from executions
        where id = gate.execution_id
          and organization_id = gate.organization_id
        limit 1
      ) as execution
      left join users on users.id = gate.decided_by
      where gate.project_id = ${project_id}
        and gate.organization_id = ${organization_id}
        and (${requirement_id}::uuid is null or execution.requirement_id = ${requirement_id})
      order by gate.id
    `,
    tx<(Hook & { url?: string })[]>`
      select
        hook.id, hook.name, substring(hook.url from '^[^/]+//[^/?#]+') as origin, hook.trigger_on, hook.environment,
        hook.enabled, hook.disabled_reason, hook.secret is not null as has_secret,
        coalesce(health.succeeded, 0) as succeeded, coalesce(health.failed, 0) as failed, health.last_success_at
      from deployment_hooks as hook
      left join lateral (
        select
          count(*) filter (where recent.status = 'succeeded') as succeeded,
          count(*) filter (where recent.status = 'failed') as failed,
          max(recent.completed_at) filter (where recent.status = 'succeeded') as last_success_at
        from (
          select status, completed_at
          from dispatches
          where hook_id = hook.id
            and organization_id = hook.organization_id
            and event <> 'test.ping'
          order by created_at desc, id desc
          limit 100
        ) as recent
      ) as health on true
      where hook.project_id = ${project_id}
        and hook.organization_id = ${organization_id}
      order by hook.environment, hook.id
    `,
    tx<Dispatch[]>`
      select
        hook.name as hook, dispatch.environment, dispatch.event, dispatch.status, attempt.response_status,
        case dispatch.status when 'pending' then attempt.error else dispatch.error end ->> 'code' as error_code, dispatch.created_at
      from deployment_hooks as hook
      cross join lateral (
        select id, organization_id, environment, event, status, error, created_at
        from dispatches
        where hook_id = hook.id
          and organization_id = hook.organization_id
          and event <> 'test.ping'
        order by created_at desc, id desc
        limit 20
      ) as dispatch
      left join lateral (
        select response_status, error
        from dispatch_attempts
        where dispatch_id = dispatch.id
          and organization_id = dispatch.organization_id
        order by number desc
        limit 1
      ) as attempt on true
      where hook.project_id = ${project_id}
        and hook.organization_id = ${organization_id}
      order by dispatch.created_at desc, dispatch.id desc
      limit 20
    `,
    tx<Member[]>`
      select
        users.name,
        case
          when organization_member.role <> 'member' then organization_member.role || ' of the organization'
          else workspace_member.role
        end as role
      from organization_members as organization_member
      join users on users.id = organization_member.user_id
      left join workspace_members as workspace_member
        on workspace_member.workspace_id = ${head.workspace_id}
        and workspace_member.organization_id = organization_member.organization_id
        and workspace_member.user_id = organization_member.user_id
      where organization_member.organization_id = ${organization_id}
        and (organization_member.role <> 'member' or workspace_member.role is not null)
      order by users.name, users.id
    `,
    tx<Release[]>`
      select version, source ->> 'as_of' as as_of, published_at
      from deliverables
      where project_id = ${project_id}
        and organization_id = ${organization_id}
        and deliverable_type = 'changelog'
        and requirement_id is null
        and published_at is not null
      order by source ->> 'as_of', version
    `,
    tx<{ title: string; version: string; document: string }[]>`
      select title, version, document
      from api_descriptions
      where project_id = ${project_id}
        and organization_id = ${organization_id}
    `,
    tx<{ template: string }[]>`
      select template from workflow_templates where place_id = ${project_id} and organization_id = ${organization_id}
    `,
  ])
  if (requirement_id !== null && requirements.length === 0) return null
  return {
    as_of: head.as_of,
    organization: { id: organization_id, name: head.organization_name },
    workspace: { id: head.workspace_id, name: head.workspace_name },
    project: {
      id: project_id,
      name: head.name,
      description: head.description,
      repository_url: head.repository_url,
      created_at: head.created_at,
    },
    only: requirement_id,
    requirements,
    executions,
    gates,
    hooks,
    dispatches,
    members,
    releases,
    workflow: workflow?.template ?? null,
    api_description: description ? { ...description, document: JSON.parse(description.document) } : null,
  }
}
