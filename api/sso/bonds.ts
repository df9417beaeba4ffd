/** What stays, and what goes, when a user is unlinked from a provider, or gets another address. */
import { INSTANCE } from '../../core/values/openid-issuers.ts'
import type { Tx } from '../../sql/index.ts'
import { lockOrganization } from '../members/membership.ts'
import type { Mapping } from './mapped.ts'
import { syncMember } from './sync.ts'

/**
 * Called before a user is unlinked, or gets another address. If an organization binds them by that alone, they stay bound: else those whom the
 * provider does not know any more could come back without it.
 */
export async function keepBound(tx: Tx, user_id: string): Promise<void> {
  const bound = await tx<{ organization_id: string }[]>`
    select organization_id
    from member_organizations
    where user_id = ${user_id}
      and sso_required = 'domains'
      and is_bound_to_sign_on(organization_id, sso_connection_id, user_id)
  `
  if (bound.length === 0) return
  await tx`
    update organization_members
    set sso_required = 'everyone'
    where organization_id = any(${bound.map(({ organization_id }) => organization_id)}::uuid[])
      and user_id = ${user_id}
  `
}

/** Takes from a user, who was unlinked from some connections, what the mappings of their organizations name. */
export async function leaveMapped(tx: Tx, user_id: string, connection_ids: string[]): Promise<void> {
  if (connection_ids.length === 0) return
  const left = await tx<{ organization_id: string; mappings: Mapping[] }[]>`
    select connection.organization_id, connection.mappings
    from member_organizations as member
    join sso_connections as connection on connection.organization_id = member.organization_id
    where member.user_id = ${user_id}
      and connection.mappings <> '[]'
      and case when connection.use_instance then ${INSTANCE} else connection.id end = any(${connection_ids}::uuid[])
    order by connection.organization_id
  `
  for (const { organization_id, mappings } of left)
    await syncMember(tx, await lockOrganization(tx, organization_id), mappings, user_id, [])
}

/** Unlinks a user from all providers that were linked since a moment. */
export async function unlinkUser(tx: Tx, user_id: string, since: string): Promise<void> {
  await keepBound(tx, user_id)
  const unlinked = await tx<{ connection_id: string }[]>`
    delete from sso_identities where user_id = ${user_id} and created_at >= ${since} returning connection_id
  `
  await leaveMapped(
    tx,
    user_id,
    unlinked.map(({ connection_id }) => connection_id),
  )
}
