/** Ends everything that an account can be used by. */
import type { Tx } from '../../sql/index.ts'
import { endsOwnAccess } from '../plugins/confirm-access.ts'
import { endSessions } from './sessions.ts'

/**
 * Ends all sessions of a user, revokes their personal tokens, and removes what acts for them without either: links that decide gates,
 * linked accounts elsewhere, and devices and clients that wait for their tokens. Second factors stay, and links that remove them go.
 *
 * @returns how many tokens were revoked
 */
export async function endAllAccess(tx: Tx, user_id: string): Promise<number> {
  // A mailed link or a new registration allowed it, not the session of the browser, which may be one of them.
  endsOwnAccess(tx)
  await endSessions(tx, user_id, null)
  await tx`delete from sign_in_tickets where user_id = ${user_id}`
  await tx`delete from totp_setups where user_id = ${user_id}`
  await tx`delete from second_factor_resets where user_id = ${user_id}`
  const revoked = await tx`delete from personal_tokens where user_id = ${user_id}`
  await tx`delete from device_authorizations where user_id = ${user_id}`
  await tx`delete from authorization_codes where user_id = ${user_id}`
  await tx`delete from user_identities where user_id = ${user_id}`
  const listed = await tx<{ organization_id: string }[]>`
    select organization_id from organization_members where user_id = ${user_id} order by organization_id
  `
  await tx`
    delete from decision_links
    where user_id = ${user_id}
      and organization_id = any(${listed.map(({ organization_id }) => organization_id)}::uuid[])
  `
  return revoked.count
}

/** What `endAllAccess` did, for the security log: the end of a sentence. */
export const endedAccess = (tokens: number): string =>
  `all sessions ended, ${tokens === 1 ? '1 personal token was' : `${tokens} personal tokens were`} revoked, linked Slack accounts were unlinked, and mailed links that decide gates no longer work.`
