/** Sessions: a sign-in on one device, with refresh tokens that work once. */
import { createHash, randomBytes } from 'node:crypto'
import { Problem } from '../../core/problems.ts'
import type { Tx } from '../../sql/index.ts'
import type { Exchange } from '../plugins/exchange.ts'
import { getUser } from '../users/users.ts'
import { ACCESS_TOKEN_SECONDS, issueAccessToken } from './access-tokens.ts'
import type { Session } from './schema.ts'

/** Only this is kept of a token. */
export const tokenHash = (token: string): Buffer => createHash('sha256').update(token).digest()

async function issueRefreshToken(tx: Tx, session_id: string): Promise<string> {
  const token = `sbx_rt_${randomBytes(32).toString('base64url')}`
  await tx`
    insert into refresh_tokens (hash, session_id, expires_at)
    values (${tokenHash(token)}, ${session_id}, now() + interval '30 days')
  `
  return token
}

async function sessionAnswer(tx: Tx, user_id: string, session_id: string): Promise<Session> {
  const refresh_token = await issueRefreshToken(tx, session_id)
  const user = await getUser(tx, user_id)
  const access_token = await issueAccessToken(user_id, session_id)
  return { user, access_token, token_type: 'Bearer', expires_in: ACCESS_TOKEN_SECONDS, refresh_token }
}

/** Signs a user in. */
export async function openSession(tx: Tx, user_id: string, device: string, { address }: Exchange): Promise<Session> {
  const [{ id }] = await tx<[{ id: string }]>`
    insert into sessions (user_id, device, ip_address)
    values (${user_id}, ${device.slice(0, 200)}, ${address})
    returning id
  `
  return sessionAnswer(tx, user_id, id)
}

/** Ends a session: its tokens stop working with the next request. */
export async function endSession(tx: Tx, session_id: string): Promise<void> {
  await tx`update sessions set ended_at = now() where id = ${session_id} and ended_at is null`
}

/**
 * Exchanges a refresh token for a session with fresh tokens. A second use of one is theft and ends the session,
 * save within 10 seconds: then it is a client that lost the answer.
 *
 * @returns the session, or null where the token does not work; the caller commits either way, as a theft
 *   has ended the session
 */
export async function refreshSession(tx: Tx, token: string): Promise<Session | null> {
  const hash = tokenHash(token)
  const [found] = await tx<{ session_id: string; user_id: string; usable: boolean; stolen: boolean }[]>`
    select
      token.session_id, session.user_id,
      session.ended_at is null and token.expires_at > now() as usable,
      coalesce(token.used_at < now() - interval '10 seconds', false) as stolen
    from refresh_tokens as token
    join sessions as session on session.id = token.session_id
    where token.hash = ${hash}
    for update of token
  `
  if (!found?.usable) return null
  if (found.stolen) {
    await endSession(tx, found.session_id)
    return null
  }
  await tx`update refresh_tokens set used_at = coalesce(used_at, now()) where hash = ${hash}`
  await tx`update sessions set last_used_at = now() where id = ${found.session_id}`
  return sessionAnswer(tx, found.user_id, found.session_id)
}

/** The one answer for every refresh token that does not work. */
export const refreshRefused = (): Problem =>
  new Problem(
    'invalid_refresh_token',
    'The refresh token is unknown, used, or too old, or its session has ended. Sign in again.',
    undefined,
    {
      'WWW-Authenticate': 'Bearer',
    },
  )
