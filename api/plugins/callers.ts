/** The one statement that finds the caller, and what the path names with the caller's roles around it. */
import { sql } from '../../core/platform/database.ts'
import type { Claims } from '../auth/access-tokens.ts'
import { tokenHash } from '../auth/hashes.ts'
import { type OrganizationRole, roleInWorkspace, type WorkspaceRole } from '../members/roles.ts'
import type { Caller } from './request-context.ts'

/** Everything that a path can name: the step of the path before its id, where it is kept, and how it says where it lies. */
export const KINDS = {
  organization: {
    param: 'org_id',
    collection: 'organizations',
    rows: sql`select id, id as organization_id, null::uuid as workspace_id, null::uuid as project_id from organizations`,
  },
  runtime: {
    param: 'runtime_id',
    collection: 'runtimes',
    rows: sql`select id, organization_id, null::uuid as workspace_id, null::uuid as project_id, owner_id from runtimes`,
    isOwn: sql`coalesce(thing.owner_id = proof.user_id, false)`,
  },
  workspace: {
    param: 'workspace_id',
    collection: 'workspaces',
    rows: sql`select id, organization_id, id as workspace_id, null::uuid as project_id from workspaces`,
  },
  project: {
    param: 'project_id',
    collection: 'projects',
    rows: sql`select id, organization_id, workspace_id, id as project_id from projects`,
  },
  requirement: {
    param: 'requirement_id',
    collection: 'requirements',
    rows: sql`select id, organization_id, workspace_id, project_id from requirements`,
  },
  execution: {
    param: 'execution_id',
    collection: 'executions',
    rows: sql`select id, organization_id, workspace_id, project_id from executions`,
  },
  gate: { param: 'gate_id', collection: 'gates', rows: sql`select id, organization_id, workspace_id, project_id from gates` },
  hook: {
    param: 'hook_id',
    collection: 'deployment-hooks',
    rows: sql`select id, organization_id, workspace_id, project_id from deployment_hooks`,
  },
  comparison: {
    param: 'comparison_id',
    collection: 'dual-track',
    rows: sql`select id, organization_id, workspace_id, project_id from dual_track_comparisons`,
  },
  deliverable: {
    param: 'deliverable_id',
    collection: 'deliverables',
    rows: sql`select id, organization_id, workspace_id, project_id from deliverables`,
  },
  dispatch: {
    param: 'dispatch_id',
    collection: 'dispatches',
    rows: sql`select id, organization_id, workspace_id, project_id from dispatches`,
  },
  channel: {
    param: 'channel_id',
    collection: 'notification-channels',
    rows: sql`select id, organization_id, workspace_id, null::uuid as project_id from notification_channels`,
  },
  subscription: {
    param: 'subscription_id',
    collection: 'subscriptions',
    rows: sql`select id, organization_id, workspace_id, null::uuid as project_id from subscriptions`,
  },
} as const

export type Kind = keyof typeof KINDS

/** Who shows a token of their own, as a row of the shape that callers are found by. */
export const byToken = (token: string) => sql`
  select user_id, null::uuid as session_id, id as token_id, scope, organization_id as bound_to
  from personal_tokens
  where hash = ${tokenHash(token)}
    and (expires_at is null or expires_at > now())
`

/** Who shows the access token of a session, likewise. */
export const bySession = ({ user_id, session_id }: Pick<Claims, 'user_id' | 'session_id'>) => sql`
  select user_id, id as session_id, null::uuid as token_id, null as scope, null::uuid as bound_to
  from sessions
  where id = ${session_id}
    and user_id = ${user_id}
    and ended_at is null
`

/** A caller who was found before, likewise. */
const again = ({ id, session_id, token_id, bound_to }: Caller) => sql`
  select
    ${id}::uuid as user_id, ${session_id}::uuid as session_id, ${token_id}::uuid as token_id, null as scope,
    ${bound_to}::uuid as bound_to
`

type Proof = ReturnType<typeof byToken>

/** A row of the one statement that finds the caller and what the path names. */
export interface Found {
  session_id: string | null
  token_id: string | null
  scope: 'read' | 'write' | null
  bound_to: string | null
  user_id: string
  user_name: string
  email: string
  id: string | null
  organization_id: string
  workspace_id: string | null
  project_id: string | null
  organization_role: OrganizationRole | null
  workspace_role: WorkspaceRole | null
  is_own: boolean
}

/** The caller alone, or the caller and a thing with the caller's roles around it: one round trip. */
export async function findCaller(proof: Proof, kind: Kind | null, id: string | null): Promise<Found | undefined> {
  if (!kind) {
    const [found] = await sql<Found[]>`
      select
        proof.session_id, proof.token_id, proof.scope, proof.bound_to,
        users.id as user_id, users.name as user_name, users.email
      from (${proof}) as proof
      join users on users.id = proof.user_id
    `
    return found
  }
  const about = KINDS[kind]
  const [found] = await sql<Found[]>`
    select
      proof.session_id, proof.token_id, proof.scope, proof.bound_to,
      users.id as user_id, users.name as user_name, users.email,
      thing.id, thing.organization_id, thing.workspace_id, thing.project_id,
      organization_member.role as organization_role,
      workspace_member.role as workspace_role,
      ${'isOwn' in about ? about.isOwn : sql`false`} as is_own
    from (${proof}) as proof
    join users on users.id = proof.user_id
    left join (${about.rows}) as thing on thing.id = ${id}
    left join organization_members as organization_member
      on organization_member.organization_id = thing.organization_id
      and organization_member.user_id = proof.user_id
      -- For a token of one organization its user is a member of no other.
      and organization_member.organization_id = coalesce(proof.bound_to, organization_member.organization_id)
    left join workspace_members as workspace_member
      on workspace_member.workspace_id = thing.workspace_id
      and workspace_member.organization_id = thing.organization_id
      and workspace_member.user_id = proof.user_id
  `
  return found
}

/** The role of the caller at what was found; null where they may not know of it. */
export function roleAt({ id, organization_role, workspace_id, workspace_role }: Found): OrganizationRole | WorkspaceRole | null {
  if (id === null || organization_role === null) return null
  return workspace_id === null ? organization_role : roleInWorkspace(organization_role, workspace_role)
}

/** What a path names last, of what has roles around it: of the path of a member, the organization. */
function namedBy(path: string): { kind: Kind; id: string } | null {
  const steps = path.split('/')
  for (let at = steps.length - 2; at > 0; at--) {
    const kind = (Object.keys(KINDS) as Kind[]).find((each) => KINDS[each].collection === steps[at])
    const id = steps[at + 1]
    if (kind && id) return { kind, id }
  }
  return null
}

/** Whether a caller may see, at this moment, what a path names. What has no roles around it is the caller's own. */
export async function maySee(caller: Caller, path: string): Promise<boolean> {
  const named = namedBy(path)
  if (!named) return true
  const found = await findCaller(again(caller), named.kind, named.id)
  return found !== undefined && roleAt(found) !== null
}
