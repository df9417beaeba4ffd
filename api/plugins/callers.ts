/** Finds the caller, the resource that the path names, and the caller's roles there, in one statement. */
import { sql } from '../../core/platform/database.ts'
import { tokenHash } from '../../core/security/tokens.ts'
import { INSTANCE } from '../../core/values/openid-issuers.ts'
import { cluster } from '../../sql/cluster.ts'
import type { Fragment } from '../../sql/index.ts'
import { locating } from '../../sql/reach.ts'
import { RESOURCE_TABLES } from '../../sql/resource-tables.ts'
import type { Claims } from '../credentials/access-tokens.ts'
import { isLiveSession } from '../credentials/live-sessions.ts'
import { isSignOnOnly } from '../credentials/own-sign-in.ts'
import type { TokenScope } from '../credentials/scopes.ts'
import type { OrganizationRole } from '../roles.ts'
import { type FoundResource, type Kind, type Resource, resourceOf } from './resources.ts'
import type { ServiceAccess } from './scopes.ts'

export const byToken = (token: string) => sql`
  select user_id, null::uuid as session_id, id as token_id, scope, organization_id as bound_to, null::uuid as opened_by
  from personal_tokens
  where hash = ${tokenHash(token)}
    and (expires_at is null or expires_at > now())
`

/** The row that identifies the person who has allowed an OAuth client. Its access token may be for the tools of agents alone. */
export const byClientToken = (token: string, isForTools: boolean) => sql`
  select
    granted.user_id, null::uuid as session_id, granted.id as token_id, access.scope, granted.organization_id as bound_to,
    null::uuid as opened_by
  from client_tokens as access
  join personal_tokens as granted on granted.id = access.token_id
  where access.hash = ${tokenHash(token)}
    and access.kind = 'access'
    and access.expires_at > now()
    and (${isForTools} or not granted.tools_only)
`

export const bySession = ({ user_id, session_id }: Pick<Claims, 'user_id' | 'session_id'>) => sql`
  select user_id, id as session_id, null::uuid as token_id, null as scope, null::uuid as bound_to, opened_by
  from sessions as session
  where id = ${session_id}
    and user_id = ${user_id}
    and ${isLiveSession}
`

export const bySlackAccount = ({ team_id, external_id }: { team_id: string; external_id: string }) => sql`
  select user_id, null::uuid as session_id, null::uuid as token_id, null as scope, null::uuid as bound_to, null::uuid as opened_by
  from user_identities
  where provider = 'slack'
    and team_id = ${team_id}
    and external_id = ${external_id}
`

/** The row that identifies the user to whom a link that decides a gate was mailed, restricted to the organization of the gate. */
export const byDecisionLink = ({ user_id, organization_id }: { user_id: string; organization_id: string }) => sql`
  select
    ${user_id}::uuid as user_id, null::uuid as session_id, null::uuid as token_id, null as scope,
    ${organization_id}::uuid as bound_to, null::uuid as opened_by
`

/** The row that identifies the caller of a session of the web app, by its cookie. It ends 30 days after its last use. */
export const byCookie = (cookie: string) => sql`
  select
    session.user_id, session.id as session_id, null::uuid as token_id, null as scope, null::uuid as bound_to, session.opened_by
  from session_cookies as cookie
  join sessions as session on session.id = cookie.session_id
  where cookie.hash = ${tokenHash(cookie)}
    and ${isLiveSession}
    and session.last_used_at > now() - interval '30 days'
`

export type Credential = ReturnType<typeof byToken>

function lookUp(kind: Kind, id: string | null) {
  const { table, organization_id, workspace_id, project_id, owner_id } = RESOURCE_TABLES[kind]
  const column = (name: string | null) => (name === null ? sql`null::uuid` : sql`resource.${sql(name)}`)
  return sql`
    select
      resource.id, ${column(organization_id)} as organization_id, ${column(workspace_id)} as workspace_id,
      ${column(project_id)} as project_id, ${column(owner_id)} as owner_id, organization_member.role as organization_role,
      organization_member.second_factor_required, organization_member.sso_connection_id, organization_member.sso_required,
      ${workspace_id === null ? sql`null` : sql`workspace_member.role`} as workspace_role
    from ${sql(table)} as resource
    left join organization_members as organization_member
      on organization_member.organization_id = ${column(organization_id)}
      and organization_member.user_id = credential.user_id
    ${
      workspace_id === null
        ? sql``
        : sql`
          left join workspace_members as workspace_member
            on workspace_member.workspace_id = ${column(workspace_id)}
            and workspace_member.organization_id = ${column(organization_id)}
            and workspace_member.user_id = credential.user_id
        `
    }
    where resource.id = ${id}
  `
}

/** A cluster looks in one organization of the caller after the other, in that where it was found before first. */
function resourceOfPath(kind: Kind, id: string | null) {
  const on = cluster()
  return on
    ? sql`${sql(`path_of_${kind}`)}(${id}, credential.user_id, ${on.organizationOf(id)}::uuid)`
    : sql`(${lookUp(kind, id)})`
}

const lacksSignOn = (of: Fragment) => sql`lacks_sign_on(${of}, credential.user_id, credential.session_id, credential.token_id)`

const lacksInstance = lacksSignOn(sql`null, ${INSTANCE}, 'everyone'`)

/** The proof of a session is looked up first: that costs a fraction of a call of the function, which is then not needed. */
const lacksSignOnHere = sql`
  (
    select true
    from sso_proofs as proof
    where proof.session_id = credential.session_id
      and proof.connection_id = resource.sso_connection_id
      and proof.expires_at > now()
  ) is null
  and ${lacksSignOn(sql`resource.organization_id, resource.sso_connection_id, resource.sso_required`)}
`

/** The organizations of the caller that require a sign-on which they lack: what lists leave out. */
const unproven = sql`
  array(
    select member.organization_id
    from member_organizations as member
    where member.user_id = credential.user_id
      and (
        ${isSignOnOnly ? sql`${lacksInstance} or` : sql``}
        member.sso_connection_id is not null
        and ${lacksSignOn(sql`member.organization_id, member.sso_connection_id, member.sso_required`)}
      )
  )
`

/** What `findCaller` reads of the resource that `lookUp` found, and of the caller there. */
const resourceColumns = sql`
  coalesce(resource.second_factor_required and users.second_factors = 0, false) as lacks_second_factor,
  case
    ${isSignOnOnly ? sql`when ${lacksInstance} then ${INSTANCE}` : sql``}
    when resource.sso_connection_id is not null and ${lacksSignOnHere} then resource.sso_connection_id
  end as lacked_sign_on,
  resource.id, resource.organization_id, resource.workspace_id, resource.project_id,
  -- A token restricted to one organization has no role in any other.
  case
    when resource.organization_id = coalesce(credential.bound_to, resource.organization_id) then resource.organization_role
  end as organization_role,
  resource.workspace_role,
  coalesce(resource.owner_id = credential.user_id, false) as is_own
`

interface Identity {
  session_id: string | null
  token_id: string | null
  scope: TokenScope | null
  bound_to: string | null
  user_id: string
  user_name: string
  email: string
  has_second_factor: boolean
  /** Whether a password proves who the person is. */
  has_password: boolean
  /** The connection whose sign-on opened the session; null for others, and without a session. */
  opened_by: string | null
}

export interface FoundCaller<K extends Kind = Kind> extends Identity {
  /** Null if there is none, or the caller must not learn that it exists, or lacks what its organization requires of its members. */
  resource: Resource<K> | null
  lacks_second_factor: boolean
  /** The connection with which the caller must sign on first; null if there is none. */
  lacked_sign_on: string | null
  /** The resource that the caller would see after signing on. */
  hidden: Resource<K> | null
  /** The organizations of the caller that require a sign-on which they lack; null where that was not asked. */
  unproven: string[] | null
  organization_role: OrganizationRole | null
  is_own: boolean
  /** Whether the caller is in a group that the gate names; null if it names none, and where `withGroups` was not asked. */
  is_in_group: boolean | null
  /** Null for a person. */
  service_account: ServiceAccess | null
}

type Found = Identity & FoundResource & Pick<FoundCaller, 'is_own' | 'lacks_second_factor' | 'lacked_sign_on' | 'unproven'>

/**
 * In one round trip.
 *
 * @param lists whether something is listed over all organizations of the caller, also if a resource is named
 * @returns undefined if there is no such session or token
 */
export async function findCaller<K extends Kind>(
  credential: Credential,
  kind: K | null,
  id: string | null,
  lists = kind === null,
): Promise<FoundCaller<K> | undefined> {
  const [found] = await locating(
    sql<Found[]>`
    select
      credential.session_id, credential.token_id, credential.scope, credential.bound_to, credential.opened_by,
      users.id as user_id, users.name as user_name, users.email, users.second_factors > 0 as has_second_factor,
      users.password_hash is not null and ${!isSignOnOnly} as has_password,
      ${lists ? unproven : sql`null::uuid[]`} as unproven,
      ${
        kind === null
          ? sql`false as lacks_second_factor, null::uuid as lacked_sign_on, null as organization_role, false as is_own`
          : resourceColumns
      }
    from (${credential}) as credential
    join users on users.id = credential.user_id
    ${kind === null ? sql`` : sql`left join lateral ${resourceOfPath(kind, id)} as resource on true`}
  `,
    // The path of an organization names it itself.
    kind === null || kind === 'organization' ? null : id,
  )
  if (!found) return undefined
  const resource = kind && resourceOf(kind, found)
  // Callers who do not see the resource must not learn what its organization requires.
  const lacks_second_factor = resource !== null && found.lacks_second_factor
  const lacked_sign_on = resource && found.lacked_sign_on
  return {
    ...found,
    is_in_group: null,
    service_account: null,
    lacks_second_factor,
    lacked_sign_on,
    hidden: resource,
    resource: lacks_second_factor || lacked_sign_on !== null ? null : resource,
  }
}
