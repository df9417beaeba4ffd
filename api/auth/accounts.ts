/** Accounts: registering, signing in, and proving an address. */
import type { Visitor } from '../../core/actors.ts'
import { addJob } from '../../core/jobs/tasks.ts'
import { notifyInvited } from '../../core/notifications/notify.ts'
import { config } from '../../core/platform/config.ts'
import { recordSecurityEvent } from '../../core/security/security-log.ts'
import { PLACEHOLDER_DOMAINS } from '../../core/values/email-addresses.ts'
import type { Queryable, Tx } from '../../sql/index.ts'
import { limitMailedLinks, limitPasswordAttempts } from '../plugins/rate-limit.ts'
import type { Caller } from '../plugins/request-context.ts'
import { invalidField, Problem } from '../problems.ts'
import type { User } from '../users/schema.ts'
import { noteWrongPassword } from '../users/security-log.ts'
import { userColumns } from '../users/users.ts'
import { tokenHash } from './hashes.ts'
import { passwordFits } from './passwords.ts'
import type { Credentials, Registration, Session } from './schema.ts'
import { openSession, revokeAllAccess } from './sessions.ts'

/**
 * Takes an address away from an account that never proved it, and ends the sessions and tokens of that account: the
 * owner of the mailbox must be able to register, although another person was first.
 *
 * @param user_id who may keep it
 */
export async function releaseUnprovenAddress(tx: Tx, email: string, user_id: string | null): Promise<void> {
  const [replaced] = await tx<{ id: string }[]>`
    update users
    set email = id || '@' || ${PLACEHOLDER_DOMAINS.replaced}::text
    where email = ${email}
      and not email_verified
      and id is distinct from ${user_id}::uuid
    returning id
  `
  if (replaced) await revokeAllAccess(tx, replaced.id)
}

/**
 * Makes an account, in the place of one of the same address that was never proven.
 *
 * @returns the id of the user
 * @throws Problem `email_taken`; `registration_closed` where only the invited may and the address is not
 */
export async function register(tx: Tx, { email, name }: Registration, password_hash: string, visitor: Visitor): Promise<string> {
  if (config.REGISTRATION === 'closed') await requireInvitation(tx, email)
  await releaseUnprovenAddress(tx, email, null)
  const proven = config.EMAIL_VERIFICATION === 'off'
  const [user] = await tx<{ id: string }[]>`
    insert into users (email, email_verified, name, password_hash)
    values (${email}, ${proven}, ${name}, ${password_hash})
    on conflict (email) do nothing
    returning id
  `
  if (!user) throw new Problem('email_taken', `An account with the address ${email} exists. Sign in, or take another address.`)
  if (proven) await notifyInvited(tx, user.id)
  else await addJob(tx, 'mail_verification', { user_id: user.id })
  await recordSecurityEvent(tx, user.id, visitor, 'account.registered', 'The account was made.')
  return user.id
}

async function requireInvitation(tx: Tx, email: string): Promise<void> {
  const [invited] = await tx`
    select
    from invitations as invitation
    join organizations as organization
      on organization.id = invitation.organization_id
      and organization.deleted_at is null
    where invitation.email = ${email}
      and invitation.status = 'pending'
      and invitation.expires_at > now()
    limit 1
  `
  if (!invited) throw new Problem('registration_closed', 'Only those who are invited may register here. Ask to be invited.')
}

const invalidCredentials = (): Problem =>
  new Problem('invalid_credentials', 'The e-mail address or the password is wrong.', undefined, { 'WWW-Authenticate': 'Bearer' })

/** An account, and what opened it: both may change before its session is opened. */
export interface Opened {
  user_id: string
  email: string
  password_hash: string
}

/**
 * Which account the credentials open. An unknown address takes as long as a wrong password.
 *
 * @throws Problem `invalid_credentials`, `rate_limited`
 */
export async function verifyCredentials(db: Queryable, { email, password }: Credentials, visitor: Visitor): Promise<Opened> {
  const opened = await limitPasswordAttempts(email, async () => {
    const [user] = await db<{ id: string; password_hash: string }[]>`
      select id, password_hash from users where email = ${email} and deleted_at is null
    `
    if ((await passwordFits(password, user?.password_hash ?? null)) && user) {
      return { user_id: user.id, email, password_hash: user.password_hash }
    }
    await noteWrongPassword(db, user?.id ?? null, visitor, 'sign_in.failed')
    return null
  })
  if (!opened) throw invalidCredentials()
  return opened
}

/**
 * Signs a user in whose credentials were checked.
 *
 * @throws Problem `invalid_credentials` where the account has another address or password by now, or was deleted
 */
export async function signIn(tx: Tx, { user_id, email, password_hash }: Opened, visitor: Visitor): Promise<Session> {
  // Held until the commit: what ends the sessions of the account meanwhile waits, and then ends this one too.
  const [same] = await tx`
    select
    from users
    where id = ${user_id}
      and email = ${email}
      and password_hash = ${password_hash}
      and deleted_at is null
    for share
  `
  if (!same) throw invalidCredentials()
  await recordSecurityEvent(tx, user_id, visitor, 'sign_in.succeeded', 'Signed in.')
  return openSession(tx, user_id, visitor)
}

const deadLink = () => invalidField('/token', 'invalid_token', 'is unknown, used, or older than 24 hours; ask for a new link')

/**
 * Proves an address with the token that was mailed to it: the account's own, or the one that waits to become it.
 * It works once.
 *
 * @throws Problem 422 where the token is unknown, used or too old; `email_taken` where another proved the address since
 */
export async function verifyEmail(tx: Tx, token: string, visitor: Visitor): Promise<User> {
  const [proof] = await tx<{ user_id: string; email: string }[]>`
    delete from email_verifications
    where hash = ${tokenHash(token)}
      and expires_at > now()
    returning user_id, email
  `
  if (!proof) throw deadLink()
  await releaseUnprovenAddress(tx, proof.email, proof.user_id)
  const [before] = await tx<{ email: string; changes: boolean }[]>`
    select email, email <> ${proof.email} as changes
    from users
    where id = ${proof.user_id}
      and ${proof.email} in (email, pending_email)
    for no key update
  `
  if (!before) throw deadLink()
  if (before.changes) {
    const detail = `The address was changed from ${before.email} to ${proof.email}.`
    await recordSecurityEvent(tx, proof.user_id, visitor, 'email.changed', detail)
  } else await recordSecurityEvent(tx, proof.user_id, visitor, 'email.verified', `The address ${before.email} was proven.`)
  const [user] = await tx<[User]>`
    update users
    set email = case when ${before.changes} then pending_email else email end,
        pending_email = case when ${before.changes} then null else pending_email end,
        email_verified = true
    where id = ${proof.user_id}
    returning ${userColumns}
  `
  await notifyInvited(tx, user.id)
  return user
}

/**
 * Mails a new link to a user with an address that is not proven yet: the one that waits, else the account's own.
 *
 * @throws Problem `rate_limited`
 */
export async function resendVerification(tx: Tx, { id }: Caller): Promise<void> {
  const [user] = await tx<{ email: string }[]>`
    select coalesce(pending_email, email) as email
    from users
    where id = ${id}
      and (pending_email is not null or not email_verified)
  `
  if (!user) return
  limitMailedLinks(user.email)
  await addJob(tx, 'mail_verification', { user_id: id })
}
