/** Notifications for members without the second factor that their organization requires: they say that there is something to read, not what. */
import type { Queryable } from '../../sql/index.ts'
import { quotedName } from '../values/plain-text.ts'

type Recipient = { user_id: string; organization_id: string }

/** What they read instead. */
export const withheldText = (organization_name: string) => ({
  title: 'Set up a second factor to read this',
  body: `${quotedName(organization_name)} requires one of its members. Once you have set one up in your account, you can read what this is about.`,
})

/** Says of each recipient whether they lack the second factor that the organization requires. */
export async function whoLacksFactor(db: Queryable, recipients: Recipient[]): Promise<(each: Recipient) => boolean> {
  if (recipients.length === 0) return () => false
  const lacking = await db<Recipient[]>`
    select member.user_id, member.organization_id
    from organization_members as member
    join people on people.id = member.user_id
    where member.user_id = any(${[...new Set(recipients.map(({ user_id }) => user_id))]}::uuid[])
      and member.organization_id = any(${[...new Set(recipients.map(({ organization_id }) => organization_id))]}::uuid[])
      and member.second_factor_required
      and not people.has_second_factor
  `
  const keys = new Set(lacking.map(keyOf))
  return (each) => keys.has(keyOf(each))
}

const keyOf = ({ user_id, organization_id }: Recipient): string => `${user_id} ${organization_id}`
