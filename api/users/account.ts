/** What users change of their own account. */

import { addJob } from '../../core/jobs/tasks.ts'
import { config } from '../../core/platform/config.ts'
import { recordSecurityEvent } from '../../core/security/security-log.ts'
import type { Queryable, Tx } from '../../sql/index.ts'
import { unauthenticated } from '../auth/access-tokens.ts'
import { releaseUnprovenAddress } from '../auth/accounts.ts'
import { hashPassword, passwordFits } from '../auth/passwords.ts'
import { endSessions } from '../auth/sessions.ts'
import { limitMailedLinks, limitPasswordAttempts } from '../plugins/rate-limit.ts'
import type { SignedIn } from '../plugins/request-context.ts'
import { requireMatch } from '../plugins/responses.ts'
import { invalidField, Problem } from '../problems.ts'
import type { User, UserUpdate } from './schema.ts'
import { noteWrongPassword } from './security-log.ts'
import { getUser } from './users.ts'

/** What was found out about the passwords of a change before its transaction: hashing takes too long to be in one. */
export interface Passwords {
  /** The hash that `current_password` fitted; null where none was given. */
  fitted: string | null
  /** The hash of the new password; null where there is none, or where it is the current one. */
  fresh: string | null
}

const wrongPassword = () => invalidField('/current_password', 'wrong_password', 'is not your password')
const passwordNeeded = (why: string) => invalidField('/current_password', 'required', `is needed: ${why}`)

/**
 * Checks the current password.
 *
 * @returns the hash that it fitted
 * @throws Problem 422 at `/current_password`; `rate_limited` after too many wrong ones; `too_busy`
 */
export async function provePassword(db: Queryable, by: SignedIn, current_password: string): Promise<string> {
  const [user] = await db<{ email: string; password_hash: string }[]>`select email, password_hash from users where id = ${by.id}`
  const fitted = await limitPasswordAttempts(user?.email ?? '', async () => {
    if (user && (await passwordFits(current_password, user.password_hash))) return user.password_hash
    await noteWrongPassword(db, by.id, by, 'password.refused')
    return null
  })
  if (!fitted) throw wrongPassword()
  return fitted
}

/**
 * Checks the current password, where one is given or needed, and hashes the new one.
 *
 * @throws Problem 422 at `/current_password`; `rate_limited` after too many wrong ones; `too_busy`
 */
export async function checkPasswords(db: Queryable, by: SignedIn, input: UserUpdate): Promise<Passwords> {
  const { email, password, current_password } = input
  const fitted = current_password === undefined ? null : await provePassword(db, by, current_password)
  if (fitted === null && password !== undefined) throw passwordNeeded('a new password takes the place of the old one')
  if (fitted === null && email !== undefined) await requireFreshSession(db, by, email)
  const isNew = password !== undefined && password !== current_password
  return { fitted, fresh: isNew ? await hashPassword(password) : null }
}

/** Another address needs the password, or a session that has just begun. */
async function requireFreshSession(db: Queryable, by: SignedIn, email: string): Promise<void> {
  const [user] = await db<{ email: string; signed_in_lately: boolean }[]>`
    select users.email, session.created_at > now() - interval '1 hour' as signed_in_lately
    from users
    join sessions as session on session.user_id = users.id
    where session.id = ${by.session_id}
  `
  if (user && email !== user.email && !user.signed_in_lately) throw passwordNeeded('you signed in more than an hour ago')
}

/** The row of the user, locked. */
interface Before {
  name: string
  email: string
  email_verified: boolean
  pending_email: string | null
  password_hash: string
  updated_at: string
}

/** Columns of the row that change. */
type Changes = Partial<Omit<Before, 'updated_at'>>

/**
 * Changes the fields that are given.
 *
 * @throws Problem `email_taken`; 422 where the password was changed by somebody else meanwhile
 */
export async function updateUser(
  tx: Tx,
  by: SignedIn,
  input: UserUpdate,
  { fitted, fresh }: Passwords,
  request: Request,
): Promise<User> {
  const [before] = await tx<Before[]>`
    select name, email, email_verified, pending_email, password_hash, updated_at
    from users
    where id = ${by.id}
      and deleted_at is null
    for no key update
  `
  if (!before) throw unauthenticated('The account was deleted.')
  if (fitted !== null && fitted !== before.password_hash) throw wrongPassword()
  requireMatch(request, before.updated_at)
  const changes: Changes = {
    ...(input.name === undefined || input.name === before.name ? {} : { name: input.name }),
    ...(input.email === undefined ? {} : await changeAddress(tx, by, before, input.email)),
    ...(fresh === null ? {} : await changePassword(tx, by, fresh)),
  }
  if (Object.keys(changes).length > 0) await tx`update users set ${tx(changes)} where id = ${by.id}`
  return getUser(tx, by.id)
}

async function changePassword(tx: Tx, by: SignedIn, password_hash: string): Promise<Changes> {
  await endSessions(tx, by.id, by.session_id)
  await tx`delete from password_resets where user_id = ${by.id}`
  await notice(
    tx,
    await recordSecurityEvent(tx, by.id, by, 'password.changed', 'The password was changed, and all other sessions ended.'),
  )
  return { password_hash }
}

const notice = (tx: Tx, entry_id: string): Promise<void> => addJob(tx, 'mail_security_notice', { entry_id })

/** Changes the address: at once where its mailbox needs no proof, else once that is proven. */
async function changeAddress(tx: Tx, by: SignedIn, before: Before, email: string): Promise<Changes> {
  if (email === before.email) return before.pending_email === null ? {} : await keepAddress(tx, by, before.pending_email)
  if (config.EMAIL_VERIFICATION === 'off') {
    await releaseUnprovenAddress(tx, email, by.id)
    const detail = `The address was changed from ${before.email} to ${email}.`
    await notice(tx, await recordSecurityEvent(tx, by.id, by, 'email.changed', detail))
    return { email, pending_email: null, email_verified: true }
  }
  const [taken] = await tx`select from users where email = ${email} and email_verified`
  if (taken) throw new Problem('email_taken', `Another account has the address ${email}.`)
  // The link to it was mailed already; `resendVerification` mails another.
  if (email === before.pending_email) return {}
  limitMailedLinks(email)
  const detail = `The address shall change from ${before.email} to ${email}; a link went there.`
  await notice(tx, await recordSecurityEvent(tx, by.id, by, 'email.change_requested', detail))
  await tx`delete from email_verifications where user_id = ${by.id}`
  await addJob(tx, 'mail_verification', { user_id: by.id })
  return { pending_email: email }
}

/** To give the address that one has takes back a change that waits. */
async function keepAddress(tx: Tx, by: SignedIn, pending: string): Promise<Changes> {
  await recordSecurityEvent(tx, by.id, by, 'email.change_withdrawn', `The address stays; ${pending} was forgotten.`)
  await tx`delete from email_verifications where user_id = ${by.id} and email = ${pending}`
  return { pending_email: null }
}
