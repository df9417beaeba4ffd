/** The security log of a user: sign-ins and changes of the account. Changes in an organization are in its audit log. */
import type { Queryable } from '../../sql/index.ts'
import type { Visitor } from '../tenants/actors.ts'
import { announceChange, userPath } from '../tenants/changes.ts'

export const SECURITY_ACTIONS = [
  'account.registered',
  'sign_in.succeeded',
  'sign_in.failed',
  'session.ended',
  'token.created',
  'token.revoked',
  'passkey.added',
  'passkey.removed',
  'passkey.refused',
  'identity.linked',
  'identity.unlinked',
  'password.changed',
  'password.refused',
  'password.reset_requested',
  'password.reset',
  'email.verified',
  'email.change_requested',
  'email.change_withdrawn',
  'email.changed',
  'email.restored',
  'second_factor.added',
  'second_factor.removed',
  'second_factor.requested',
  'second_factor.refused',
  'second_factor.reset_requested',
  'second_factor.reset',
  'recovery_codes.created',
  'recovery_code.used',
  'github_app.created',
  'github_app.updated',
  'github_app.secret_rotated',
  'github_app.removed',
] as const

export type SecurityAction = (typeof SECURITY_ACTIONS)[number]

/**
 * Writes one entry.
 *
 * @param db a transaction; a pool for what is to be on record although the request fails
 * @param visitor the user's client; null if another user or Signalbox did it
 * @param detail a sentence for the user. Must not contain secrets.
 * @returns the id of the entry, for a mail about it
 */
export async function recordSecurityEvent(
  db: Queryable,
  user_id: string,
  visitor: Visitor | null,
  action: SecurityAction,
  detail: string,
): Promise<string> {
  const [{ id }] = await db<[{ id: string }]>`
    insert into security_log_entries (user_id, email, action, detail, device, ip_address)
    select id, email, ${action}, ${detail}, ${visitor?.device ?? null}, ${visitor?.ip_address ?? null}
    from users
    where id = ${user_id}
    returning id
  `
  announceChange(db, userPath(user_id))
  return id
}
