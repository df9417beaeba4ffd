/** Sessions. Each is a sign-in on one device, with refresh tokens that work once. */

import { sql } from '../../core/platform/database.ts'
import { recordSecurityEvent } from '../../core/security/security-log.ts'
import { newToken, tokenHash } from '../../core/security/tokens.ts'
import type { Visitor } from '../../core/tenants/actors.ts'
import type { Queryable, Tx } from '../../sql/index.ts'
import { ACCESS_TOKEN_SECONDS, issueAccessToken, unauthorized } from '../credentials/access-tokens.ts'
import { isLiveSession } from '../credentials/live-sessions.ts'
import { type Use, useOf } from '../credentials/refresh-tokens.ts'
import { endsOwnAccess } from '../plugins/confirm-access.ts'
import { following, type Slice } from '../plugins/lists.ts'
import type { Caller, SignedIn } from '../plugins/request-context.ts'
import { requireMatch } from '../plugins/responses.ts'
import { notFound } from '../problems.ts'
import { getUser } from '../users/users.ts'
import type { LiveSession, Session } from './schema.ts'
import { recordSignOn, type SignOn, type WaitingSignOn } from './sign-ons.ts'

async function issueTokens(tx: Tx, user_id: string, session_id: string): Promise<Session> {
  const refresh_token = `sbx_rt_${newToken()}`
  await tx`
    insert into refresh_tokens (hash, session_id, expires_at)
    values (${tokenHash(refresh_token)}, ${session_id}, now() + interval '30 days')
  `
  const user = await getUser(tx, user_id)
  const access_token = await issueAccessToken(user_id, session_id)
  return { user, access_token, token_type: 'Bearer', expires_in: ACCESS_TOKEN_SECONDS, refresh_token }
}

async function insertSession(tx: Tx, user_id: string, { device, ip_address }: Visitor, signOn: SignOn | null): Promise<string> {
  const [{ id }] = await tx<[{ id: string }]>`
    insert into sessions (user_id, device, ip_address, opened_by)
    values (${user_id}, ${device}, ${ip_address}, ${signOn?.connection_id ?? null})
    returning id
  `
  if (signOn) await recordSignOn(tx, id, signOn, true)
  return id
}

/** Opens a session: of an API client, or of the web app, to which alone a sign-on leads. @param waiting the sign-on that it completes */
export type Open<Opened> = (tx: Tx, user_id: string, visitor: Visitor, waiting?: WaitingSignOn) => Promise<Opened>

export const openSession: Open<Session> = async (tx, user_id, visitor, waiting) => {
  if (waiting) throw invalidTicket()
  return issueTokens(tx, user_id, await insertSession(tx, user_id, visitor, null))
}

/** Opens a session of the web app for a user. @param signOn with which they have signed on, if so @returns the value of its cookie */
export async function openCookieSession(
  tx: Tx,
  user_id: string,
  visitor: Visitor,
  signOn: SignOn | null = null,
): Promise<string> {
  const cookie = `sbx_sc_${newToken()}`
  await tx`
    insert into session_cookies (hash, session_id)
    values (${tokenHash(cookie)}, ${await insertSession(tx, user_id, visitor, signOn)})
  `
  return cookie
}

export const invalidTicket = () =>
  unauthorized('invalid_ticket', 'The sign-in was completed, or is older than 5 minutes. Sign in again.')

export function listSessions(db: Queryable, { id, session_id }: Caller, { limit, after }: Slice) {
  return db<LiveSession[]>`
    select id, device, ip_address, created_at, last_used_at, id is not distinct from ${session_id}::uuid as current
    from sessions as session
    where user_id = ${id}
      and ${isLiveSession}
      and (
        exists (select 1 from refresh_tokens as token where token.session_id = session.id and token.expires_at > now())
        or (
          session.last_used_at > now() - interval '30 days'
          -- Not exists(): PostgreSQL may read all cookies for that while they are few, and keep the plan.
          and (select true from session_cookies as cookie where cookie.session_id = session.id)
        )
      )
      ${following(sql`id`, after)}
    order by id desc
    limit ${limit}
  `
}

export async function signOut(tx: Tx, by: SignedIn): Promise<null> {
  endsOwnAccess(tx)
  const ended = await tx`update sessions set ended_at = now() where id = ${by.session_id} and ended_at is null`
  if (ended.count > 0) await recordSecurityEvent(tx, by.id, by, 'session.ended', 'Signed out.')
  return null
}

/** Ends one of the caller's sessions. @throws Problem `not_found` if it has ended, or belongs to another user */
export async function endSession(tx: Tx, by: SignedIn, session_id: string, request: Request): Promise<null> {
  if (session_id.toLowerCase() === by.session_id) endsOwnAccess(tx)
  const [ended] = await tx<{ device: string }[]>`
    update sessions
    set ended_at = now()
    where id = ${session_id}
      and user_id = ${by.id}
      and ended_at is null
    returning device
  `
  if (!ended) throw notFound('session')
  requireMatch(request, null)
  await recordSecurityEvent(tx, by.id, by, 'session.ended', `The session of ${ended.device} was ended.`)
  return null
}

/** Ends a user's sessions. @param except a session that stays; null for none */
export async function endSessions(tx: Tx, user_id: string, except: string | null): Promise<void> {
  await tx`
    update sessions
    set ended_at = now()
    where user_id = ${user_id}
      and ended_at is null
      and id is distinct from ${except}::uuid
  `
}

/**
 * Exchanges a refresh token for new tokens. A second use is treated as theft and ends the session, except soon after the first.
 *
 * @returns the session; null if the token is invalid. The caller must commit in either case, since theft ends the session
 */
export async function refreshSession(tx: Tx, token: string, visitor: Visitor): Promise<Session | null> {
  const hash = tokenHash(token)
  // Uses of all tokens of a session follow one another. The next statement reads what the one before has changed.
  await tx`
    select from sessions where id = (select session_id from refresh_tokens where hash = ${hash}) for no key update
  `
  const [found] = await tx<{ session_id: string; user_id: string; usable: boolean; use: Use }[]>`
    select
      token.session_id, session.user_id,
      ${isLiveSession} and token.expires_at > now() as usable,
      ${useOf} as use
    from refresh_tokens as token
    join sessions as session on session.id = token.session_id
    where token.hash = ${hash}
  `
  if (!found?.usable) return null
  if (found.use === 'late') {
    await tx`update sessions set ended_at = now() where id = ${found.session_id}`
    const detail = 'A refresh token was used twice, which indicates theft. The session was ended.'
    await recordSecurityEvent(tx, found.user_id, visitor, 'session.ended', detail)
    return null
  }
  if (found.use === 'first') await tx`update refresh_tokens set used_at = now() where hash = ${hash}`
  await tx`update sessions set last_used_at = now() where id = ${found.session_id}`
  return issueTokens(tx, found.user_id, found.session_id)
}

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
    select organization_id from member_organizations where user_id = ${user_id} order by organization_id
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
