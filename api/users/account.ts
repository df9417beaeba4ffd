/** Changes of the caller's own account. */

import { addJob } from '../../core/jobs/tasks.ts'
import { config } from '../../core/platform/config.ts'
import { type Quota, useQuota } from '../../core/security/quotas.ts'
import { recordSecurityEvent } from '../../core/security/security-log.ts'
import type { Visitor } from '../../core/tenants/actors.ts'
import type { Queryable, Tx } from '../../sql/index.ts'
import { releaseUnverifiedAddress } from '../auth/accounts.ts'
import { hashPassword, limitPasswordAttempts, passwordFits, sessionSubject } from '../auth/passwords.ts'
import { endSessions } from '../auth/sessions.ts'
import { hasRecentProof } from '../auth/sign-ons.ts'
import { unauthenticated } from '../credentials/access-tokens.ts'
import { isSignOnOnly, requireOwnSignIn } from '../credentials/own-sign-in.ts'
import { notifyInvited } from '../notifications/withdrawn.ts'
import { limitMailedLinks, rateLimited } from '../plugins/rate-limit.ts'
import type { SignedIn } from '../plugins/request-context.ts'
import { requireMatch } from '../plugins/responses.ts'
import { conflictAt, invalidField, Problem } from '../problems.ts'
import { keepBound } from '../sso/bonds.ts'
import type { UserUpdate } from './schema.ts'
import { getUser, recordWrongPassword } from './users.ts'

/** The passwords of an update, checked and hashed before the transaction, since hashing is slow. */
interface Passwords {
  /** The stored hash that `current_password` matched; null if it was not given. */
  matchedHash: string | null
  /** Whether a sign-on has proved who the caller is, for an account without a password. */
  isProven: boolean
  /** The hash of the new password; null if there is none, or if it equals the current one. */
  newHash: string | null
}

export const wrongPassword = () => invalidField('/current_password', 'wrong_password', 'is not your current password')
const passwordRequired = (why: string) => invalidField('/current_password', 'required', `is required: ${why}`)

const signInNeeded = () =>
  new Problem(
    'recent_sign_in_required',
    'Your account has no password: sign in again with your provider, so that it asks for yours, and repeat this within 10 minutes.',
  )

/** @param subject what wrong ones count for @throws Problem 422 at `/current_password`; `rate_limited`; `too_busy`; `sso_required` */
export async function verifyPasswordOf(
  db: Queryable,
  { id, password_hash }: { id: string; password_hash: string | null },
  current_password: string,
  subject: string,
  visitor: Visitor,
): Promise<string> {
  requireOwnSignIn()
  const matchedHash = await limitPasswordAttempts(db, subject, async () => {
    if (await passwordFits(current_password, password_hash, visitor)) return password_hash
    await recordWrongPassword(db, id, visitor, 'password.refused')
    return null
  })
  if (!matchedHash) throw wrongPassword()
  return matchedHash
}

/** Checks the current password of the caller. @returns the stored hash that it matched @throws Problem as `verifyPasswordOf` */
export async function verifyCurrentPassword(db: Queryable, by: SignedIn, current_password: string): Promise<string> {
  const account = { id: by.id, password_hash: await passwordHashOf(db, by) }
  return verifyPasswordOf(db, account, current_password, sessionSubject(by.session_id), by)
}

async function passwordHashOf(db: Queryable, { id }: SignedIn): Promise<string | null> {
  const [user] = await db<{ password_hash: string | null }[]>`select password_hash from users where id = ${id}`
  return user?.password_hash ?? null
}

const usesPassword = (password_hash: string | null): boolean => password_hash !== null && !isSignOnOnly

/**
 * Requires the current password or, of an account without one, that its person has proved within 10 minutes who they are.
 *
 * @returns the stored hash that the password matched; null without one
 * @throws Problem as `verifyPasswordOf`; 422 if it is missing; `recent_sign_in_required`
 */
export async function confirmPerson(db: Queryable, by: SignedIn, current_password: string | undefined): Promise<string | null> {
  if (current_password !== undefined) return verifyCurrentPassword(db, by, current_password)
  const password_hash = await passwordHashOf(db, by)
  if (usesPassword(password_hash)) throw invalidField('/current_password', 'required', 'is required')
  if (!(await hasRecentProof(db, by.session_id))) throw signInNeeded()
  return password_hash
}

/** Also hashes the new one. @throws Problem 422 at `/current_password`; `rate_limited` after too many wrong ones; `too_busy` */
export async function checkPasswords(db: Queryable, by: SignedIn, input: UserUpdate): Promise<Passwords> {
  const { password, current_password } = input
  if (password !== undefined) requireOwnSignIn()
  const matchedHash = current_password === undefined ? null : await verifyCurrentPassword(db, by, current_password)
  const usesSignOn = matchedHash === null && !usesPassword(await passwordHashOf(db, by))
  const isProven = usesSignOn && (await hasRecentProof(db, by.session_id))
  if (matchedHash === null && !isProven && password !== undefined)
    throw usesSignOn ? signInNeeded() : passwordRequired('the password is to be changed')
  const isNew = password !== undefined && password !== current_password
  return { matchedHash, isProven, newHash: isNew ? await hashPassword(password, by) : null }
}

interface LockedUser {
  name: string
  email: string
  email_verified: boolean
  pending_email: string | null
  password_hash: string | null
  updated_at: string
}

/** Whether the address would change, or a pending change of it. */
const changesAddress = ({ email, pending_email }: LockedUser, input: UserUpdate): boolean =>
  input.email !== undefined && (input.email !== email || pending_email !== null)

type Changes = Partial<Omit<LockedUser, 'updated_at'>> & { is_address_assumed?: boolean }

/**
 * Updates the given fields.
 *
 * @throws Problem `email_taken`; `rate_limited` after too many changes of the address; 422 if the current password is missing, or was changed meanwhile
 */
export async function updateUser(tx: Tx, by: SignedIn, input: UserUpdate, passwords: Passwords, request: Request) {
  const { matchedHash, isProven, newHash } = passwords
  const [before] = await tx<LockedUser[]>`
    select name, email, email_verified, pending_email, password_hash, updated_at
    from users
    where id = ${by.id}
      and deleted_at is null
    for no key update
  `
  if (!before) throw unauthenticated('The account was deleted.')
  if (matchedHash !== null && matchedHash !== before.password_hash) throw wrongPassword()
  // It may have got a password meanwhile.
  if (isProven && usesPassword(before.password_hash)) throw passwordRequired('the account has a password now')
  if (matchedHash === null && !isProven && changesAddress(before, input))
    throw usesPassword(before.password_hash) ? passwordRequired('the address is to be changed') : signInNeeded()
  requireMatch(request, before.updated_at)
  const changes: Changes = {
    ...(input.name === undefined || input.name === before.name ? {} : { name: input.name }),
    ...(input.email === undefined ? {} : await changeAddress(tx, by, before, input.email)),
    ...(newHash === null ? {} : await changePassword(tx, by, newHash)),
  }
  if (Object.keys(changes).length > 0) await tx`update users set ${tx(changes)} where id = ${by.id}`
  if (changes.email !== undefined) await notifyInvited(tx, by.id)
  return getUser(tx, by.id)
}

async function changePassword(tx: Tx, by: SignedIn, password_hash: string): Promise<Changes> {
  await endSessions(tx, by.id, by.session_id)
  await tx`delete from sign_in_tickets where user_id = ${by.id}`
  await tx`delete from password_resets where user_id = ${by.id}`
  await mailNotice(
    tx,
    await recordSecurityEvent(tx, by.id, by, 'password.changed', 'The password was changed, and all other sessions ended.'),
  )
  return { password_hash }
}

const mailNotice = (tx: Tx, entry_id: string): Promise<void> => addJob(tx, 'mail_security_notice', { entry_id })

/** Mails the change with a link that takes it back, if the address was verified: no other mailbox may get that link. */
const tellFormerAddress = async (tx: Tx, { email_verified }: LockedUser, entry_id: string): Promise<void> =>
  email_verified ? mailNotice(tx, entry_id) : undefined

/** New addresses of an account: each gets a mail with a link, and may belong to someone else. */
const CHANGES: Quota = { most: 10, seconds: 86_400 }

/** @throws Problem `rate_limited` */
async function countAddressChange(tx: Tx, by: SignedIn): Promise<void> {
  if (config.RATE_LIMIT === 0) return
  const wait = await useQuota(tx, `address changes of ${by.id}`, CHANGES)
  if (wait !== null) throw rateLimited(wait, `You can change your address ${CHANGES.most} times a day`)
}

/** Changes the address: at once if verification is off, else when the new one is verified. */
async function changeAddress(tx: Tx, by: SignedIn, before: LockedUser, email: string): Promise<Changes> {
  if (email === before.email)
    return before.pending_email === null ? {} : await withdrawAddressChange(tx, by, before.pending_email)
  if (config.EMAIL_VERIFICATION === 'off') {
    await releaseUnverifiedAddress(tx, email, { user_id: by.id, isProven: true })
    await keepBound(tx, by.id)
    const detail = `The address was changed from ${before.email} to ${email}.`
    await tellFormerAddress(tx, before, await recordSecurityEvent(tx, by.id, by, 'email.changed', detail))
    return { email, pending_email: null, email_verified: true, is_address_assumed: true }
  }
  const [taken] = await tx`select from users where email = ${email} and email_verified`
  if (taken)
    throw conflictAt('/email', 'email_taken', `Another account has the address ${email}.`, 'is the address of another account')
  // A link was already mailed; `resendVerification` sends another.
  if (email === before.pending_email) return {}
  limitMailedLinks(email, by)
  await countAddressChange(tx, by)
  const detail = `A change of the address from ${before.email} to ${email} was requested; a link was mailed to the new address.`
  await tellFormerAddress(tx, before, await recordSecurityEvent(tx, by.id, by, 'email.change_requested', detail))
  await tx`delete from email_verifications where user_id = ${by.id}`
  await addJob(tx, 'mail_verification', { user_id: by.id })
  return { pending_email: email }
}

/** Giving the current address cancels a pending change. */
async function withdrawAddressChange(tx: Tx, by: SignedIn, pending: string): Promise<Changes> {
  await recordSecurityEvent(tx, by.id, by, 'email.change_withdrawn', `The change of the address to ${pending} was withdrawn.`)
  await tx`delete from email_verifications where user_id = ${by.id} and email = ${pending}`
  return { pending_email: null }
}
