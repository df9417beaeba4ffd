/** Tells people of one name apart. */
import type { Queryable } from '../../sql/index.ts'

interface Person {
  id: string
  name: string
  /** Null if the account was deleted. */
  email: string | null
}

/**
 * The names of people, by id; with the address if another of them, or another member of the organization, has the same name.
 *
 * @param ids null for nobody
 */
export async function distinctNames(
  db: Queryable,
  organization_id: string,
  ids: (string | null)[],
): Promise<Map<string, string>> {
  const people = await db<(Person & { has_namesake: boolean })[]>`
    with named as (
      select id, name, case when deleted_at is null then email end as email
      from people
      where id = any(${[...new Set(ids.filter((id) => id !== null))]}::uuid[])
    )
    select
      named.id, named.name, named.email,
      exists (select 1 from named as other where other.name = named.name and other.id <> named.id)
      or exists (
        select 1
        from organization_members as member
        join people on people.id = member.user_id
        where member.organization_id = ${organization_id}
          and people.name = named.name
          and people.id <> named.id
      ) as has_namesake
    from named
  `
  return new Map(
    people.map(({ id, name, email, has_namesake }) => [id, has_namesake && email !== null ? `${name} (${email})` : name]),
  )
}
