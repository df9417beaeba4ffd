/** Personal access tokens, for scripts and build servers. */

import { sql } from '../../core/platform/database.ts'
import { record } from '../../core/security/audit.ts'
import { recordSecurityEvent } from '../../core/security/security-log.ts'
import { tokenHash } from '../../core/security/tokens.ts'
import type { Actor, Visitor } from '../../core/tenants/actors.ts'
import type { Fragment, Queryable, Tx } from '../../sql/index.ts'
import { unauthenticated } from '../credentials/access-tokens.ts'
import { isLiveSession } from '../credentials/live-sessions.ts'
import type { TokenScope } from '../credentials/scopes.ts'
import { newToken } from '../credentials/token-formats.ts'
import { organizationScope } from '../members/membership.ts'
import { endsOwnAccess } from '../plugins/confirm-access.ts'
import { following, type Slice } from '../plugins/lists.ts'
import type { Caller, SignedIn } from '../plugins/request-context.ts'
import type { Resource } from '../plugins/resources.ts'
import { requireMatch } from '../plugins/responses.ts'
import { invalidField, notFound, Problem } from '../problems.ts'
import type { NewToken, OrganizationToken, Token, TokenInput } from './schema.ts'

const MAX_TOKENS = 100

const CAN: Record<TokenScope, string> = {
  read: ', which can read',
  write: ', which can read and write',
  decide: ', which can read, write and decide gates',
}

const columns = sql`
  token.id, token.name, token.scope, token.organization_id, token.expires_at, token.last_used_at, token.created_at,
  token.client_id
`

/**
 * Locks the user, so that two concurrent requests cannot both create the last token. Expired tokens do not count.
 *
 * @throws Problem `token_limit_reached`; 422 if `expires_at` is in the past
 */
export async function requireCapacity(tx: Tx, user_id: string, expires_at: string | null): Promise<void> {
  await tx`select from users where id = ${user_id} for no key update`
  const [{ live, is_past }] = await tx<[{ live: number; is_past: boolean }]>`
    select count(*) as live, coalesce(${expires_at}::timestamptz <= now(), false) as is_past
    from personal_tokens
    where user_id = ${user_id}
      and (expires_at is null or expires_at > now())
  `
  if (is_past) throw invalidField('/expires_at', 'too_small', 'must be in the future')
  if (live < MAX_TOKENS) return
  throw new Problem('token_limit_reached', `You can have at most ${MAX_TOKENS} personal tokens. Revoke one first.`)
}

/** Locks the membership, so that removing the member removes the token. @throws Problem 422 at `/organization_id` */
export async function requireMembership(tx: Tx, user_id: string, organization_id: string): Promise<void> {
  const [member] = await tx`
    select 1 from organization_members where organization_id = ${organization_id} and user_id = ${user_id} for key share
  `
  if (!member) throw invalidField('/organization_id', 'unknown', 'is not an organization that you are a member of')
}

/** For changes that hold a lock on the user: one that ends the session waits, and then ends what was made. @throws Problem `unauthenticated` */
export async function requireLiveSession(tx: Tx, { session_id }: SignedIn): Promise<void> {
  const [live] = await tx`select from sessions as session where id = ${session_id} and ${isLiveSession}`
  if (!live) throw unauthenticated('The session has ended. Sign in again.')
}

/** Records a change of a token in the audit log of the organization that it is restricted to, if it is. */
export async function recordInOrganization(
  tx: Tx,
  by: Actor,
  organization_id: string | null,
  action: 'token.created' | 'token.revoked',
  resource_id: string,
  detail: string,
): Promise<void> {
  if (organization_id === null) return
  await record(tx, by, organizationScope(organization_id), { action, resource_type: 'token', resource_id, detail })
}

/** Creates a token. @throws Problem `token_limit_reached`; 422 if the user is not a member of the organization */
export async function createToken(tx: Tx, by: SignedIn, input: TokenInput, id: string | null = null): Promise<NewToken> {
  const { name, scope = 'write', expires_at = null, organization_id = null } = input
  await requireCapacity(tx, by.id, expires_at)
  await requireLiveSession(tx, by)
  if (organization_id !== null) await requireMembership(tx, by.id, organization_id)
  const secret = newToken()
  const [token] = await tx<Token[]>`
    insert into personal_tokens as token (id, user_id, organization_id, name, scope, hash, expires_at)
    values (
      coalesce(${id}::uuid, uuidv7()), ${by.id}, ${organization_id}, ${name}, ${scope}, ${tokenHash(secret)}, ${expires_at}
    )
    on conflict (id) do nothing
    returning ${columns}
  `
  if (!token) {
    const detail = 'This form has made a token already, which was shown once. Send it again to make another one.'
    throw new Problem('idempotency_key_reused', detail)
  }
  await keepProofs(tx, token.id, by.session_id)
  await recordSecurityEvent(tx, by.id, by, 'token.created', `The personal token ${name} was created${CAN[scope]}.`)
  const detail = `${by.name} created the personal token ${name} for this organization, with the scope ${scope}.`
  await recordInOrganization(tx, by, organization_id, 'token.created', token.id, detail)
  return { ...token, token: secret }
}

/**
 * Keeps with a token what the session in which it was made, or allowed, has proved: it counts where a sign-on is required.
 *
 * @param session_id null if it is not known any more
 */
export async function keepProofs(tx: Tx, token_id: string, session_id: string | null): Promise<void> {
  await tx`
    insert into sso_token_proofs (token_id, connection_id)
    select ${token_id}, proof.connection_id
    from sso_proofs as proof
    join sessions as session on session.id = proof.session_id
    where proof.session_id = ${session_id}
      and proof.expires_at > now()
      and ${isLiveSession}
    on conflict do nothing
  `
}

const DEVICE_TOKEN_DAYS = 90

/**
 * Creates a token for a device that its user has allowed. It expires after 90 days.
 *
 * @param session_id in which they allowed it @throws Problem `token_limit_reached` */
export async function createDeviceToken(
  tx: Tx,
  user_id: string,
  visitor: Visitor,
  { name, scope }: Pick<NewToken, 'name' | 'scope'>,
  session_id: string | null,
): Promise<NewToken> {
  await requireCapacity(tx, user_id, null)
  const secret = newToken()
  const [token] = await tx<[Token]>`
    insert into personal_tokens as token (user_id, name, scope, hash, expires_at)
    values (${user_id}, ${name}, ${scope}, ${tokenHash(secret)}, now() + ${DEVICE_TOKEN_DAYS} * interval '1 day')
    returning ${columns}
  `
  await keepProofs(tx, token.id, session_id)
  const detail = `The personal token ${name} was created${CAN[scope]}, for a device that you had allowed.`
  await recordSecurityEvent(tx, user_id, visitor, 'token.created', detail)
  return { ...token, token: secret }
}

/** A user's tokens, newest first. Expired ones are kept for a while, so that users see why a token stopped working. */
export function listTokens(db: Queryable, user_id: string, { limit, after }: Slice) {
  return db<Token[]>`
    select ${columns}
    from personal_tokens as token
    where token.user_id = ${user_id}
      ${following(sql`token.id`, after)}
    order by token.id desc
    limit ${limit}
  `
}

export function listOrganizationTokens(db: Queryable, organization_id: string, { limit, after }: Slice) {
  return db<OrganizationToken[]>`
    select ${columns}, users.id as user_id, users.name as user_name, users.email as user_email
    from personal_tokens as token
    join users on users.id = token.user_id
    where token.organization_id = ${organization_id}
      ${following(sql`token.id`, after)}
    order by token.id desc
    limit ${limit}
  `
}

/** Revokes a token that fulfils a condition, and records it. @throws Problem `not_found`, `precondition_failed` */
async function revoke(tx: Tx, by: Caller, token_id: string, condition: Fragment, request: Request): Promise<null> {
  const [found] = await tx<{ name: string; user_id: string; user_name: string; organization_id: string | null }[]>`
    delete from personal_tokens as token
    using users
    where token.id = ${token_id}
      and ${condition}
      and users.id = token.user_id
    returning token.name, token.user_id, users.name as user_name, token.organization_id
  `
  if (!found) throw notFound('token')
  requireMatch(request, null)
  const { name, user_id, user_name, organization_id } = found
  const own = user_id === by.id
  const who = own ? '' : ` by ${by.name}, an admin of its organization`
  await recordSecurityEvent(tx, user_id, own ? by : null, 'token.revoked', `The personal token ${name} was revoked${who}.`)
  const detail = `${by.name} revoked the personal token ${name} of ${user_name}.`
  await recordInOrganization(tx, by, organization_id, 'token.revoked', token_id, detail)
  return null
}

/** Revokes one of the caller's tokens. @throws Problem `not_found` if it does not exist, or belongs to another user */
export async function revokeToken(tx: Tx, by: SignedIn, token_id: string, request: Request): Promise<null> {
  return revoke(tx, by, token_id, tx`token.user_id = ${by.id}`, request)
}

/** @throws Problem `not_found` if it does not exist, or is not restricted to this organization */
export async function revokeOrganizationToken(
  tx: Tx,
  by: Caller,
  organization: Resource<'organization'>,
  token_id: string,
  request: Request,
): Promise<null> {
  if (token_id.toLowerCase() === by.token_id) endsOwnAccess(tx)
  return revoke(tx, by, token_id, tx`token.organization_id = ${organization.id}`, request)
}
