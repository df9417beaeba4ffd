/** Accounts: registration, sign-in and e-mail verification. */

import { addJob } from '../../core/jobs/tasks.ts'
import { config } from '../../core/platform/config.ts'
import { recordSecurityEvent } from '../../core/security/security-log.ts'
import { tokenHash } from '../../core/security/tokens.ts'
import type { Visitor } from '../../core/tenants/actors.ts'
import { PLACEHOLDER_DOMAINS } from '../../core/values/email-addresses.ts'
import type { Queryable, Tx } from '../../sql/index.ts'
import { acrossTenants } from '../../sql/reach.ts'
import { unauthorized } from '../credentials/access-tokens.ts'
import { requireOwnSignIn } from '../credentials/own-sign-in.ts'
import { notifyInvited } from '../notifications/withdrawn.ts'
import { limitMailedLinks } from '../plugins/rate-limit.ts'
import type { Caller } from '../plugins/request-context.ts'
import { conflictAt, invalidField, Problem } from '../problems.ts'
import { keepBound, unlinkUser } from '../sso/bonds.ts'
import type { User } from '../users/schema.ts'
import { recordWrongPassword, userColumns } from '../users/users.ts'
import { isKnownNetwork, limitPasswordAttempts, passwordFits, signInSubject } from './passwords.ts'
import type { Credentials, Registration } from './schema.ts'
import { type WaitingSignIn, waitForSecondFactor } from './second-step.ts'
import { endAllAccess, type Open } from './sessions.ts'

/**
 * Removes an address from an account that never verified it, and ends all access to that account: the owner of the
 * mailbox must be able to register, even if another person used the address first.
 *
 * @param by who gets the address: a user, or a new one. Unless that one has proved it, an account that a provider has named keeps it
 */
export async function releaseUnverifiedAddress(
  tx: Tx,
  email: string,
  { user_id = null, isProven }: { user_id?: string | null; isProven: boolean },
): Promise<void> {
  const [replaced] = await tx<{ id: string }[]>`
    select id
    from users
    where email = ${email}
      and not email_verified
      and id is distinct from ${user_id}::uuid
      and (${isProven} or not exists (select from sso_identities where user_id = users.id))
    for no key update
  `
  if (!replaced) return
  await unlinkUser(tx, replaced.id, '-infinity')
  await tx`update users set email = id || '@' || ${PLACEHOLDER_DOMAINS.replaced}::text where id = ${replaced.id}`
  await endAllAccess(tx, replaced.id)
  await tx`delete from passkeys where user_id = ${replaced.id}`
}

/**
 * Replaces an account of the same address that was never verified.
 *
 * @throws Problem `email_taken`; `registration_closed` if registration requires an invitation and there is none; `sso_required`
 */
export async function register(tx: Tx, { email, name }: Registration, password_hash: string, visitor: Visitor): Promise<string> {
  requireOwnSignIn()
  if (config.REGISTRATION === 'closed') await requireInvitation(tx, email)
  await releaseUnverifiedAddress(tx, email, { isProven: false })
  const verified = config.EMAIL_VERIFICATION === 'off'
  const [user] = await tx<{ id: string }[]>`
    insert into users (email, email_verified, is_address_assumed, name, password_hash)
    values (${email}, ${verified}, ${verified}, ${name}, ${password_hash})
    on conflict (email) do nothing
    returning id
  `
  if (!user)
    throw conflictAt(
      '/email',
      'email_taken',
      `An account with the address ${email} already exists. Sign in, or use another address.`,
      'is the address of an account; sign in, or use another one',
    )
  if (verified) await notifyInvited(tx, user.id)
  else await addJob(tx, 'mail_verification', { user_id: user.id })
  await recordSecurityEvent(tx, user.id, visitor, 'account.registered', 'The account was created.')
  return user.id
}

async function requireInvitation(tx: Tx, email: string): Promise<void> {
  const [invited] = await acrossTenants(tx`
    select
    from invitations as invitation
    join organizations as organization
      on organization.id = invitation.organization_id
      and organization.deleted_at is null
    where invitation.email = ${email}
      and invitation.status = 'pending'
      and invitation.expires_at > now()
    limit 1
  `)
  if (!invited)
    throw new Problem(
      'registration_closed',
      'Registration requires an invitation. Ask an admin of an organization to invite this address.',
    )
}

const invalidCredentials = () => unauthorized('invalid_credentials', 'The e-mail address or the password is wrong.')

/** An account whose credentials were verified. Its address and password may change before the session is opened. */
interface VerifiedAccount {
  user_id: string
  email: string
  password_hash: string
}

/** An unknown address takes as long as a wrong password. @throws Problem `invalid_credentials`, `rate_limited`, `sso_required` */
export async function verifyCredentials(db: Queryable, { email, password }: Credentials, visitor: Visitor) {
  requireOwnSignIn()
  const [user] = await db<{ id: string; password_hash: string | null; is_known: boolean }[]>`
    select id, password_hash, ${isKnownNetwork(db, visitor)} as is_known
    from users
    where email = ${email}
      and deleted_at is null
  `
  const subject = signInSubject(email, visitor, user?.is_known ?? false)
  const account = await limitPasswordAttempts(db, subject, async () => {
    const password_hash = user?.password_hash ?? null
    if ((await passwordFits(password, password_hash, visitor)) && user && password_hash !== null)
      return { user_id: user.id, email, password_hash }
    await recordWrongPassword(db, user?.id ?? null, visitor, 'sign_in.failed')
    return null
  })
  if (!account) throw invalidCredentials()
  return account
}

export type SignedInOrWaiting<Opened> = { session: Opened; waiting?: never } | { session?: never; waiting: WaitingSignIn }

/** Unless the account has a second factor. @throws Problem `invalid_credentials` if the account was changed or deleted meanwhile */
export async function signIn<Opened>(
  tx: Tx,
  { user_id, email, password_hash }: VerifiedAccount,
  visitor: Visitor,
  open: Open<Opened>,
): Promise<SignedInOrWaiting<Opened>> {
  // Locked until commit: a concurrent change that ends all sessions waits, and then ends this one too.
  const [unchanged] = await tx<{ second_factors: number }[]>`
    select second_factors
    from users
    where id = ${user_id}
      and email = ${email}
      and password_hash = ${password_hash}
      and deleted_at is null
    for share
  `
  if (!unchanged) throw invalidCredentials()
  if (unchanged.second_factors > 0) return { waiting: await waitForSecondFactor(tx, user_id, visitor) }
  await recordSecurityEvent(tx, user_id, visitor, 'sign_in.succeeded', 'Signed in.')
  return { session: await open(tx, user_id, visitor) }
}

const invalidLink = () => invalidField('/token', 'invalid_token', 'is invalid, used, or older than 24 hours; request a new link')

/**
 * Verifies an address with the token mailed to it: the account's own, or a pending new one. A token works once.
 *
 * @throws Problem 422 if the token is invalid, used or expired; `email_taken` if another account verified the address
 */
export async function verifyEmail(tx: Tx, token: string, visitor: Visitor): Promise<User> {
  const [verification] = await tx<{ user_id: string; email: string }[]>`
    delete from email_verifications
    where hash = ${tokenHash(token)}
      and expires_at > now()
    returning user_id, email
  `
  if (!verification) throw invalidLink()
  await releaseUnverifiedAddress(tx, verification.email, { user_id: verification.user_id, isProven: true })
  const [before] = await tx<{ email: string; email_verified: boolean; changes: boolean }[]>`
    select email, email_verified, email <> ${verification.email} as changes
    from users
    where id = ${verification.user_id}
      and ${verification.email} in (email, pending_email)
    for no key update
  `
  if (!before) throw invalidLink()
  if (before.changes) {
    await keepBound(tx, verification.user_id)
    const detail = `The address was changed from ${before.email} to ${verification.email}.`
    const entry_id = await recordSecurityEvent(tx, verification.user_id, visitor, 'email.changed', detail)
    // Only the owner of an address that was verified may take the change back.
    if (before.email_verified) await addJob(tx, 'mail_security_notice', { entry_id })
  } else
    await recordSecurityEvent(tx, verification.user_id, visitor, 'email.verified', `The address ${before.email} was verified.`)
  const [user] = await tx<[User]>`
    update users
    set email = case when ${before.changes} then pending_email else email end,
        pending_email = case when ${before.changes} then null else pending_email end,
        email_verified = true,
        is_address_assumed = false
    where id = ${verification.user_id}
    returning ${userColumns}
  `
  await notifyInvited(tx, user.id)
  return user
}

/** Mails a link to the pending address, else to the account's own if it is not verified. @throws Problem `rate_limited` */
export async function resendVerification(tx: Tx, by: Caller): Promise<null> {
  const [user] = await tx<{ email: string }[]>`
    select coalesce(pending_email, email) as email
    from users
    where id = ${by.id}
      and (pending_email is not null or not email_verified)
  `
  if (!user) return null
  limitMailedLinks(user.email, by)
  await addJob(tx, 'mail_verification', { user_id: by.id })
  return null
}
