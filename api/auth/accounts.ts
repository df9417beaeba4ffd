/** Accounts: registering, signing in, and proving an address. */
import { config } from '../../core/config.ts'
import { addJob } from '../../core/jobs.ts'
import { invalidField, Problem } from '../../core/problems.ts'
import type { Queryable, Tx } from '../../sql/index.ts'
import type { User } from '../users/schema.ts'
import { userColumns } from '../users/users.ts'
import { passwordFits } from './passwords.ts'
import type { Credentials, Registration } from './schema.ts'
import { tokenHash } from './sessions.ts'

/**
 * Makes an account. One of the same address that was never proven loses the address, and with it the way to
 * sign in by it: whoever holds the mailbox must not be kept out by whoever came first.
 *
 * @returns the id of the user
 * @throws Problem `email_taken`; `registration_closed` where only the invited may and the address is not
 */
export async function register(tx: Tx, { email, name }: Registration, password_hash: string): Promise<string> {
  if (config.REGISTRATION === 'closed') await requireInvitation(tx, email)
  await tx`
    update users
    set email = id || '@unproven.invalid'
    where lower(email) = lower(${email})
      and not email_verified
  `
  const proven = config.EMAIL_VERIFICATION === 'off'
  const [user] = await tx<{ id: string }[]>`
    insert into users (email, email_verified, name, password_hash)
    values (${email}, ${proven}, ${name}, ${password_hash})
    on conflict (lower(email)) do nothing
    returning id
  `
  if (!user) throw new Problem('email_taken', `An account with the address ${email} exists. Sign in, or take another address.`)
  if (!proven) await addJob(tx, 'mail_verification', { user_id: user.id })
  return user.id
}

async function requireInvitation(tx: Tx, email: string): Promise<void> {
  const [invited] = await tx`
    select
    from invitations as invitation
    join organizations as organization
      on organization.id = invitation.organization_id
      and organization.deleted_at is null
    where lower(invitation.email) = lower(${email})
      and invitation.status = 'pending'
      and invitation.expires_at > now()
    limit 1
  `
  if (!invited) throw new Problem('registration_closed', 'Only those who are invited may register here. Ask to be invited.')
}

/**
 * Who the credentials belong to. An unknown address takes as long as a wrong password.
 *
 * @throws Problem `invalid_credentials`
 */
export async function whoseCredentials(db: Queryable, { email, password }: Credentials): Promise<string> {
  const [user] = await db<{ id: string; password_hash: string }[]>`
    select id, password_hash from users where lower(email) = lower(${email}) and deleted_at is null
  `
  if (!(await passwordFits(password, user?.password_hash ?? null)) || !user) {
    throw new Problem('invalid_credentials', 'The e-mail address or the password is wrong.', undefined, {
      'WWW-Authenticate': 'Bearer',
    })
  }
  return user.id
}

/**
 * Proves an address with the token that was mailed to it. It works once.
 *
 * @throws Problem 422 where the token is unknown, used or too old
 */
export async function verifyEmail(tx: Tx, token: string): Promise<User> {
  const [proof] = await tx<{ user_id: string; email: string }[]>`
    delete from email_verifications
    where hash = ${tokenHash(token)}
      and expires_at > now()
    returning user_id, email
  `
  const [user] = proof
    ? await tx<User[]>`
        update users
        set email_verified = true
        where id = ${proof.user_id}
          and email = ${proof.email}
        returning ${userColumns}
      `
    : []
  if (!user) throw invalidField('/token', 'invalid_token', 'is unknown, used, or older than 24 hours; ask for a new link')
  return user
}

/** Mails a new link to a user whose address is not proven yet. */
export async function resendVerification(tx: Tx, user_id: string): Promise<void> {
  const [user] = await tx<{ email_verified: boolean }[]>`select email_verified from users where id = ${user_id}`
  if (user && !user.email_verified) await addJob(tx, 'mail_verification', { user_id })
}
