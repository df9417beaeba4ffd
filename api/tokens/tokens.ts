/** Personal access tokens: what scripts and build servers of a user sign in with. */

import { sql } from '../../core/platform/database.ts'
import { record } from '../../core/security/audit.ts'
import { recordSecurityEvent } from '../../core/security/security-log.ts'
import { PostgresError, type Queryable, type Tx } from '../../sql/index.ts'
import { unauthenticated } from '../auth/access-tokens.ts'
import { tokenHash } from '../auth/hashes.ts'
import type { Slice } from '../plugins/lists.ts'
import type { Caller, Resource, SignedIn } from '../plugins/request-context.ts'
import { requireMatch } from '../plugins/responses.ts'
import { invalidField, notFound, Problem } from '../problems.ts'
import { newToken } from './format.ts'
import type { NewToken, OrganizationToken, Token, TokenInput } from './schema.ts'

const MOST_TOKENS = 100

const columns = sql`
  token.id, token.name, token.scope, token.organization_id, token.expires_at, token.last_used_at, token.created_at
`

const placeOf = (organization_id: string) => ({ organization_id, workspace_id: null, project_id: null })

/**
 * Waits for the user's row, so that two at once cannot both be the last for whom there is room. What has expired
 * takes up none.
 *
 * @throws Problem `token_limit_reached`; 422 where it would be expired from the start
 */
async function makeRoom(tx: Tx, user_id: string, expires_at: string | null): Promise<void> {
  await tx`select from users where id = ${user_id} for no key update`
  const [{ live, late }] = await tx<[{ live: number; late: boolean }]>`
    select count(*) as live, coalesce(${expires_at}::timestamptz <= now(), false) as late
    from personal_tokens
    where user_id = ${user_id}
      and (expires_at is null or expires_at > now())
  `
  if (late) throw invalidField('/expires_at', 'too_small', 'must lie in the future')
  if (live < MOST_TOKENS) return
  throw new Problem('token_limit_reached', `You have ${MOST_TOKENS} personal tokens. Revoke one that you do not need.`)
}

/**
 * Makes a token.
 *
 * @throws Problem `token_limit_reached`; 422 where it names an organization that is not the user's
 */
export async function createToken(tx: Tx, by: SignedIn, input: TokenInput): Promise<NewToken> {
  const { name, scope = 'write', expires_at = null, organization_id = null } = input
  await makeRoom(tx, by.id, expires_at)
  // The row of the user is held: whatever ends the session from here on revokes the token too.
  const [live] = await tx`select from sessions where id = ${by.session_id} and ended_at is null`
  if (!live) throw unauthenticated('The session ended meanwhile. Sign in again.')
  const secret = newToken()
  const [token] = await tx<[Token]>`
    insert into personal_tokens as token (user_id, organization_id, name, scope, hash, expires_at)
    values (${by.id}, ${organization_id}, ${name}, ${scope}, ${tokenHash(secret)}, ${expires_at})
    returning ${columns}
  `.catch((error: unknown) => {
    if (error instanceof PostgresError && error.constraint_name === 'personal_tokens_member') {
      throw invalidField('/organization_id', 'unknown', 'is no organization of yours')
    }
    throw error
  })
  await recordSecurityEvent(tx, by.id, by, 'token.created', `The personal token ${name} was made.`)
  if (organization_id) {
    await record(tx, by, placeOf(organization_id), {
      action: 'token.created',
      resource_type: 'token',
      resource_id: token.id,
      detail: `${by.name} made the personal token ${name} for this organization, with the scope ${scope}.`,
    })
  }
  return { ...token, token: secret }
}

/** A user's tokens, newest first; those that have expired stay for a while, so that it shows why something stopped. */
export function listTokens(db: Queryable, user_id: string, { limit, after }: Slice) {
  return db<Token[]>`
    select ${columns}
    from personal_tokens as token
    where token.user_id = ${user_id}
      and (${after}::uuid is null or token.id < ${after})
    order by token.id desc
    limit ${limit}
  `
}

/** The tokens that work in one organization alone, newest first, with whose they are. */
export function listOrganizationTokens(db: Queryable, organization_id: string, { limit, after }: Slice) {
  return db<OrganizationToken[]>`
    select ${columns}, users.id as user_id, users.name as user_name, users.email as user_email
    from personal_tokens as token
    join users on users.id = token.user_id
    where token.organization_id = ${organization_id}
      and (${after}::uuid is null or token.id < ${after})
    order by token.id desc
    limit ${limit}
  `
}

interface Revoked {
  name: string
  user_id: string
  user_name: string
  organization_id: string | null
}

/** Revokes a token that was found by its user or by its organization: it stops working with the next request. */
async function revoked(tx: Tx, by: Caller, token_id: string, found: Revoked | undefined, request: Request): Promise<null> {
  if (!found) throw notFound('token')
  requireMatch(request, null)
  const { name, user_id, user_name, organization_id } = found
  const own = user_id === by.id
  const who = own ? '' : ` by ${by.name}, who is an admin of its organization`
  await recordSecurityEvent(tx, user_id, own ? by : null, 'token.revoked', `The personal token ${name} was revoked${who}.`)
  if (organization_id) {
    await record(tx, by, placeOf(organization_id), {
      action: 'token.revoked',
      resource_type: 'token',
      resource_id: token_id,
      detail: `${by.name} revoked the personal token ${name} of ${user_name}.`,
    })
  }
  return null
}

/**
 * Revokes one of a user's own tokens.
 *
 * @throws Problem `not_found` where it is gone, or another's
 */
export async function revokeToken(tx: Tx, by: SignedIn, token_id: string, request: Request): Promise<null> {
  const [found] = await tx<Revoked[]>`
    delete from personal_tokens as token
    using users
    where token.id = ${token_id}
      and token.user_id = ${by.id}
      and users.id = token.user_id
    returning token.name, token.user_id, users.name as user_name, token.organization_id
  `
  return revoked(tx, by, token_id, found, request)
}

/**
 * Revokes a token that works in one organization, as an admin of it.
 *
 * @throws Problem `not_found` where it is gone, or not bound to this organization
 */
export async function revokeOrganizationToken(
  tx: Tx,
  by: Caller,
  organization: Resource,
  token_id: string,
  request: Request,
): Promise<null> {
  const [found] = await tx<Revoked[]>`
    delete from personal_tokens as token
    using users
    where token.id = ${token_id}
      and token.organization_id = ${organization.id}
      and users.id = token.user_id
    returning token.name, token.user_id, users.name as user_name, token.organization_id
  `
  return revoked(tx, by, token_id, found, request)
}
