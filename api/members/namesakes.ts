/** Tells people of one name apart. */
import { sql } from '../../core/platform/database.ts'
import type { Fragment, Queryable } from '../../sql/index.ts'

interface Person {
  id: string
  name: string
  /** Null if the account was deleted. */
  email: string | null
}

/** Whether another member of an organization has the name of a person. @param person a table expression of `people` */
const hasNamesake = (organization_id: string | Fragment, person: Fragment) => sql`
  exists (
    select 1
    from organization_members as member
    join people as other on other.id = member.user_id
    where member.organization_id = ${organization_id}
      and other.name = ${person}.name
      and other.id <> ${person}.id
  )
`

/** SQL: the name of a person (an alias of `people`), with the address if another member of the organization has the same name. */
export const distinctNameOf = (organization_id: string | Fragment, person: Fragment) => sql`
  ${person}.name || case
    when ${person}.deleted_at is null and ${hasNamesake(organization_id, person)} then ' (' || ${person}.email || ')'
    else ''
  end
`

/** `distinctNameOf` by the id of the person, or the name of a service account; null for null. */
export const distinctName = (organization_id: string | Fragment, id: Fragment) => sql`
  coalesce(
    (select ${distinctNameOf(organization_id, sql`named`)} from people as named where named.id = ${id}),
    case when ${id} is not null then actor_of(${id}, ${organization_id}) ->> 'name' end
  )
`

/**
 * The names of people and service accounts, by id; with the address if another of them, or another member of the organization, has the
 * same name.
 *
 * @param ids null if there is no user
 */
export async function distinctNames(db: Queryable, organization_id: string, ids: (string | null)[]) {
  const people = await db<(Person & { has_namesake: boolean })[]>`
    with named as (
      select
        given.id, coalesce(person.name, actor_of(given.id, ${organization_id}) ->> 'name') as name,
        case when person.deleted_at is null then person.email end as email
      from unnest(${[...new Set(ids.filter((id) => id !== null))]}::uuid[]) as given (id)
      left join people as person on person.id = given.id
    )
    select
      named.id, named.name, named.email,
      exists (select 1 from named as other where other.name = named.name and other.id <> named.id)
      or ${hasNamesake(organization_id, sql`named`)} as has_namesake
    from named
  `
  return new Map(
    people.map(({ id, name, email, has_namesake }) => [id, has_namesake && email !== null ? `${name} (${email})` : name]),
  )
}
