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
  const people = await db<Person[]>`
    select id, name, case when deleted_at is null then email end as email
    from people
    where id = any(${[...new Set(ids.filter((id) => id !== null))]}::uuid[])
  `
  if (people.length === 0) return new Map()
  const namesakes = await db<Person[]>`
    select people.id, people.name, people.email
    from organization_members as member
    join people on people.id = member.user_id
    where member.organization_id = ${organization_id}
      and people.name = any(${people.map(({ name }) => name)})
  `
  const hasNamesake = ({ id, name }: Person) => [...people, ...namesakes].some((other) => other.name === name && other.id !== id)
  const distinct = (person: Person) =>
    person.email !== null && hasNamesake(person) ? `${person.name} (${person.email})` : person.name
  return new Map(people.map((person) => [person.id, distinct(person)]))
}
