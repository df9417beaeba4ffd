/** Whether two accounts are one person: they have, or had, the same address. */
import type { Queryable } from '../../sql/index.ts'

/**
 * The accounts that have or had an address that a user has or had: of a user who deleted their account and registered again, or changed
 * the address and registered the former one. The user is not among them.
 *
 * @param among the accounts in question
 */
export async function accountsOfSamePerson(db: Queryable, user_id: string, among: string[]): Promise<Set<string>> {
  const others = among.filter((id) => id !== user_id)
  if (others.length === 0) return new Set()
  const same = await db<{ user_id: string }[]>`
    with address as (
      select user_id, digest
      from former_addresses
      where user_id = any(${[user_id, ...others]}::uuid[])
      union
      select id, sha256(convert_to(email, 'UTF8'))
      from users
      where id = any(${[user_id, ...others]}::uuid[])
    )
    select distinct other.user_id
    from address as own
    join address as other
      on other.digest = own.digest
      and other.user_id <> own.user_id
    where own.user_id = ${user_id}
  `
  return new Set(same.map((each) => each.user_id))
}
