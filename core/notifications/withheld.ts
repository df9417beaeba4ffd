/**
 * Notifications for members who lack the second factor that their organization requires, or whose last sign-on was too long ago: they say that
 * there is something to read, not what.
 */
import type { Fragment, Queryable } from '../../sql/index.ts'
import { config } from '../platform/config.ts'
import { INSTANCE } from '../values/openid-issuers.ts'
import { quotedName } from '../values/plain-text.ts'

/** A member, with the session or the token with which they read; a mail is read with neither. */
interface Recipient {
  user_id: string
  organization_id: string
  session_id?: string | null
  token_id?: string | null
}

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

const keyOf = ({ user_id, organization_id, session_id, token_id }: Recipient): string =>
  [user_id, organization_id, session_id, token_id].join(' ')

/** Where people sign in with the provider of the instance alone, sessions are its own; tokens may not be. */
const isInstanceRequired = (db: Queryable): Fragment =>
  config.SIGN_IN === 'sso'
    ? db`
        or reader.token_id is not null
        and lacks_sign_on(null, ${INSTANCE}, 'everyone', member.user_id, null, reader.token_id)
      `
    : db``

/** Says of each recipient what they lack that the organization requires. */
export async function whoLacks(db: Queryable, recipients: Recipient[]): Promise<Lack[]> {
  if (recipients.length === 0) return []
  const readers = new Map(recipients.map((each) => [keyOf(each), each]))
  const rows = [...readers].map(([key, { user_id, organization_id, session_id = null, token_id = null }]) => {
    return { key, user_id, organization_id, session_id, token_id }
  })
  const lacking = await db<{ key: string; lacks_factor: boolean }[]>`
    select reader.key, member.second_factor_required and users.second_factors = 0 as lacks_factor
    from jsonb_to_recordset(${db.json(rows)}) as reader (
      key text, user_id uuid, organization_id uuid, session_id uuid, token_id uuid
    )
    join member_organizations as member
      on member.user_id = reader.user_id
      and member.organization_id = reader.organization_id
    join users on users.id = reader.user_id
    where member.second_factor_required and users.second_factors = 0
      ${isInstanceRequired(db)}
      or member.sso_connection_id is not null
      and lacks_sign_on(
        member.organization_id, member.sso_connection_id, member.sso_required, member.user_id, reader.session_id, reader.token_id
      )
      -- Mails to addresses in the domains of the organization go to people whom the provider knows.
      and (
        coalesce(reader.session_id, reader.token_id) is not null
        or coalesce(sign_on_domain(member.organization_id, member.user_id) <> 'verified', true)
      )
  `
  const lacks = new Map(lacking.map(({ key, lacks_factor }): [string, Lack] => [key, lacks_factor ? 'second factor' : 'sign-on']))
  return recipients.map((each) => lacks.get(keyOf(each)) ?? null)
}
