/**
 * Notifications for members who lack the second factor that their organization requires, or whose last sign-on was too long ago: they say that
 * there is something to read, not what.
 */
import type { Queryable } from '../../sql/index.ts'
import { quotedName } from '../values/plain-text.ts'

type Recipient = { user_id: string; organization_id: string }

/** What its recipient lacks; null if nothing is withheld. */
export type Lack = 'second factor' | 'sign-on' | null

/** What they read instead. */
export const withheldText = (organization_name: string, lack: Lack) =>
  lack === 'sign-on'
    ? {
        title: 'Sign in to read this',
        body: `${quotedName(organization_name)} requires its members to sign in with its provider. Once you have, you can read what this is about.`,
      }
    : {
        title: 'Set up a second factor to read this',
        body: `${quotedName(organization_name)} requires one of its members. Once you have set one up in your account, you can read what this is about.`,
      }

/** Says of each recipient what they lack that the organization requires. */
export async function whoLacks(db: Queryable, recipients: Recipient[]): Promise<(each: Recipient) => Lack> {
  if (recipients.length === 0) return () => null
  const users = [...new Set(recipients.map(({ user_id }) => user_id))]
  const organizations = [...new Set(recipients.map(({ organization_id }) => organization_id))]
  const withoutFactor = await db<Recipient[]>`
    select member.user_id, member.organization_id
    from organization_members as member
    join people on people.id = member.user_id
    where member.user_id = any(${users}::uuid[])
      and member.organization_id = any(${organizations}::uuid[])
      and member.second_factor_required
      and not people.has_second_factor
  `
  // In a statement of its own: on a cluster, these tables are on the coordinator.
  const withoutSignOn = await db<Recipient[]>`
    select member.user_id, member.organization_id
    from member_organizations as member
    where member.user_id = any(${users}::uuid[])
      and member.organization_id = any(${organizations}::uuid[])
      and member.sso_connection_id is not null
      and is_withheld_by_sign_on(member.sso_connection_id, member.sso_required, member.user_id)
  `
  const lacks = new Map<string, Lack>([
    ...withoutSignOn.map((each): [string, Lack] => [keyOf(each), 'sign-on']),
    ...withoutFactor.map((each): [string, Lack] => [keyOf(each), 'second factor']),
  ])
  return (each) => lacks.get(keyOf(each)) ?? null
}

const keyOf = ({ user_id, organization_id }: Recipient): string => `${user_id} ${organization_id}`
