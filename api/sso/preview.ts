/** What single sign-on would do, before it does: whom a requirement would bind, and what mappings can name. */
import type { Queryable } from '../../sql/index.ts'
import { INSTANCE } from '../credentials/live-sessions.ts'

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

/** The members of an organization as its connection knows them: those who are not linked first. */
export const listBound = (
  db: Queryable,
  { organization_id, id, use_instance }: { organization_id: string; id: string; use_instance: boolean },
) => {
  const connection_id = use_instance ? INSTANCE : id
  return db<BoundMember[]>`
    select
      member.user_id, users.name, users.email, identity.id is not null as is_linked,
      is_bound_to_sign_on(${connection_id}, 'domains', member.user_id) as is_in_domain,
      identity.proven_until as signed_on_until
    from member_organizations as member
    join users on users.id = member.user_id
    left join lateral (
      select id, proven_until
      from sso_identities
      where user_id = member.user_id and connection_id = ${connection_id}
      limit 1
    ) as identity on true
    where member.organization_id = ${organization_id}
    order by identity.id is not null, users.name, users.id
    limit 1000
  `
}
