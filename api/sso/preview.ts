/** What single sign-on would do, before it does: whom a requirement would bind, and what mappings would give. */
import { canonicalAddress } from '../../core/values/email-addresses.ts'
import { INSTANCE } from '../../core/values/openid-issuers.ts'
import type { Queryable } from '../../sql/index.ts'
import type { OrganizationRole, WorkspaceRole } from '../roles.ts'
import { groupIds, type Mapping, mapsAdmins, workspaceIds } from './mapped.ts'
import type { SsoConnection } from './schema.ts'
import { givenBy } from './sync.ts'

type Of = Pick<SsoConnection, 'organization_id' | 'id' | 'use_instance'>

/** The members of an organization, with what its connection knows of them. */
const membersOf = (db: Queryable, { organization_id, id, use_instance }: Of) => db`
  select
    member.user_id, users.name, users.email, identity.user_id is not null as is_linked,
    identity.user_id is not null or coalesce(claimed.status <> 'pending', false) as is_in_domain,
    identity.proven_until as signed_on_until
  from member_organizations as member
  join users on users.id = member.user_id
  left join sso_domains as claimed
    on claimed.organization_id = ${organization_id}
    and claimed.domain = split_part(users.email, '@', 2)
  left join lateral (
    select user_id, proven_until
    from sso_identities
    where user_id = member.user_id and connection_id = ${use_instance ? INSTANCE : id}
    order by proven_until desc nulls last
    limit 1
  ) as identity on true
  where member.organization_id = ${organization_id}
`

export interface BoundMember {
  user_id: string
  name: string
  email: string
  is_linked: boolean
  /** Whether `domains` would bind them. */
  is_in_domain: boolean
  /** Until when their last sign-on counts; null if they never signed on. */
  signed_on_until: string | null
}

/** Those who are not linked first. */
export const listBound = (db: Queryable, of: Of, limit: number) => db<BoundMember[]>`
  select * from (${membersOf(db, of)}) as member order by is_linked, name, user_id limit ${limit}
`

/** Whom a requirement would bind, and which of them could not get in before they have connected their account. */
export interface Effect {
  bound: number
  outside: number
  /** Some of those. */
  names: string[]
}

const NAMED = 10

export async function readEffects(db: Queryable, of: Of): Promise<Record<'domains' | 'everyone', Effect>> {
  const [effects] = await db<[{ domains: Effect; everyone: Effect }]>`
    with member as materialized (${membersOf(db, of)})
    select
      jsonb_build_object(
        'bound', count(*) filter (where is_in_domain),
        'outside', count(*) filter (where is_in_domain and not is_linked),
        'names', to_jsonb(
          (coalesce(array_agg(name order by name) filter (where is_in_domain and not is_linked), '{}'))[1:${NAMED}::integer]
        )
      ) as domains,
      jsonb_build_object(
        'bound', count(*),
        'outside', count(*) filter (where not is_linked),
        'names', to_jsonb((coalesce(array_agg(name order by name) filter (where not is_linked), '{}'))[1:${NAMED}::integer])
      ) as everyone
    from member
  `
  return effects
}

/** A group or a workspace that a mapping can name. */
export interface Target {
  kind: 'group' | 'workspace'
  id: string
  name: string
}

export const listTargets = (db: Queryable, organization_id: string) => db<Target[]>`
  select 'group' as kind, id, name from groups where organization_id = ${organization_id}
  union all
  select 'workspace', id, name from workspaces where organization_id = ${organization_id}
  order by kind, name, id
`

/** What a person has in an organization. */
interface Held {
  name: string
  role: OrganizationRole
  groups: string[]
  workspaces: Record<string, WorkspaceRole>
}

/** What a member has now; null if the address is that of no member. */
export async function readHeld(db: Queryable, organization_id: string, typed: string): Promise<Held | null> {
  const [held] = await db<Held[]>`
    select
      people.name, member.role,
      array(
        select group_id from group_members where organization_id = ${organization_id} and user_id = member.user_id
      ) as groups,
      coalesce(
        (
          select jsonb_object_agg(workspace_id, role)
          from workspace_members
          where organization_id = ${organization_id} and user_id = member.user_id
        ),
        '{}'
      ) as workspaces
    from organization_members as member
    join people on people.id = member.user_id
    where member.organization_id = ${organization_id} and people.email = ${canonicalAddress(typed) ?? ''}
  `
  return held ?? null
}

/** What a sign-on with some groups would change. */
export interface Change {
  what: string
  from: string
  to: string
}

const NOTHING: Held = { name: '', role: 'member', groups: [], workspaces: {} }

/**
 * What mappings would give, and take away.
 *
 * @param held what the person has now; null for a new member
 */
export function changesFor(mappings: Mapping[], groups: string[], held: Held | null, targets: Target[]): Change[] {
  const given = givenBy(mappings, groups)
  const { role, groups: own, workspaces } = held ?? NOTHING
  const names = new Map(targets.map(({ id, name }) => [id, name]))
  const roles = mapsAdmins(mappings) && role !== 'owner' ? [['The organization', role, given.is_admin ? 'admin' : 'member']] : []
  const isIn = (ids: { has(id: string): boolean }, id: string) => (ids.has(id) ? 'member' : 'none')
  const rows = [
    ...roles,
    ...groupIds(mappings).map((id) => [`Group ${names.get(id)}`, isIn(new Set(own), id), isIn(given.groups, id)]),
    ...workspaceIds(mappings).map((id) => [
      `Workspace ${names.get(id)}`,
      workspaces[id] ?? 'none',
      given.workspaces.get(id) ?? 'none',
    ]),
  ]
  return rows.map(([what = '', from = '', to = '']) => ({ what, from, to }))
}
