import type { Queryable } from '../../sql/index.ts'

/** A member, and whether they have a second factor. */
export interface MemberFactor {
  user_id: string
  user_name: string
  user_email: string
  has_second_factor: boolean
}

/** The members of an organization by name, those without a second factor first. */
export const listMemberFactors = (db: Queryable, organization_id: string, limit: number) => db<MemberFactor[]>`
  select people.id as user_id, people.name as user_name, people.email as user_email, people.has_second_factor
  from organization_members as member
  join people on people.id = member.user_id
  where member.organization_id = ${organization_id}
  order by people.has_second_factor, people.name, people.id
  limit ${limit}
`
