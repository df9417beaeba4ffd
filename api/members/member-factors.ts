import type { Queryable } from '../../sql/index.ts'

/** A member, and whether they have a second factor. */
export interface MemberFactor {
  user_id: string
  user_name: string
  user_email: string
  has_second_factor: boolean
}

/** The members of an organization by name, those without a second factor first. In two statements: users are not with the tenants on a cluster. */
export async function listMemberFactors(db: Queryable, organization_id: string, limit: number): Promise<MemberFactor[]> {
  const members = await db<{ user_id: string }[]>`
    select user_id from organization_members where organization_id = ${organization_id}
  `
  return db<MemberFactor[]>`
    select id as user_id, name as user_name, email as user_email, second_factors > 0 as has_second_factor
    from users
    where id = any(${members.map(({ user_id }) => user_id)}::uuid[])
    order by second_factors > 0, name, id
    limit ${limit}
  `
}
