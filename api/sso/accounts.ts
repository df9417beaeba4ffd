/** Accounts that people get, or have, when a provider names them. */
import { addJob } from '../../core/jobs/tasks.ts'
import { config } from '../../core/platform/config.ts'
import { recordSecurityEvent } from '../../core/security/security-log.ts'
import type { Visitor } from '../../core/tenants/actors.ts'
import type { Tx } from '../../sql/index.ts'
import { releaseUnverifiedAddress } from '../auth/accounts.ts'
import { removeFactorsSince } from '../auth/second-factors.ts'
import { endAllAccess } from '../auth/sessions.ts'
import { unauthenticated } from '../credentials/access-tokens.ts'
import { notifyInvited } from '../notifications/withdrawn.ts'
import { unlinkUser } from './bonds.ts'
import type { Connection } from './connections.ts'
import { identityConflict } from './identities.ts'

interface AddressOwner {
  id: string
  /** Whether the address only counts as proven, or did when the account got it. */
  is_assumed: boolean
}

/** The user whose address this is, locked until commit; undefined if it counts as proven for no one. */
export async function lockOwner(tx: Tx, email: string): Promise<AddressOwner | undefined> {
  const [user] = await tx<AddressOwner[]>`
    select id, is_address_assumed or ${config.EMAIL_VERIFICATION === 'off'} as is_assumed
    from users
    where email = ${email}
      and email_verified
      and deleted_at is null
    for no key update
  `
  return user
}

/** Whether an address is that of an account of another person: who has proved it, or, unless this one has now, whom a provider has named. */
export async function isTaken(tx: Tx, email: string, isProven: boolean): Promise<boolean> {
  const taken = await tx`
    select
    from users
    where email = ${email}
      and (email_verified or not ${isProven} and exists (select from sso_identities where user_id = users.id))
    for no key update
  `
  return taken.length > 0
}

/** Whether the second factor of a user is asked for. Locked until commit: what ends all sessions waits, and then ends this one too. */
export async function awaitsFactor(tx: Tx, user_id: string): Promise<boolean> {
  const [user] = await tx<{ second_factors: number }[]>`
    select second_factors from users where id = ${user_id} and deleted_at is null for share
  `
  if (!user) throw unauthenticated('The account was deleted.')
  return user.second_factors > 0
}

interface NewAccount {
  email: string
  name: string
  /** Whether the address counts as proven; else a link is mailed to it. */
  isProven: boolean
}

/**
 * Makes an account without a password. It replaces one that never proved the address.
 *
 * @throws Problem `sso_identity_conflict` if another account has the address
 */
export async function createAccount(tx: Tx, connection: Connection, { email, name, isProven }: NewAccount, visitor: Visitor) {
  await releaseUnverifiedAddress(tx, email, { isProven })
  const verified = isProven || config.EMAIL_VERIFICATION === 'off'
  const [user] = await tx<{ id: string }[]>`
    insert into users (email, email_verified, is_address_assumed, name)
    values (${email}, ${verified}, ${!isProven && verified}, ${name})
    on conflict (email) do nothing
    returning id
  `
  if (!user) throw identityConflict(`An account with the address ${email} was made at this moment. Start again.`)
  if (verified) await notifyInvited(tx, user.id)
  else await addJob(tx, 'mail_verification', { user_id: user.id })
  await recordSecurityEvent(tx, user.id, visitor, 'account.registered', `The account was created by ${connection.name}.`)
  return user.id
}

/**
 * Ends all that an account can be used by, with its password and second factors: where addresses count as proven without proof, another person
 * may have registered it.
 */
export async function takeOver(tx: Tx, user_id: string): Promise<void> {
  await endAllAccess(tx, user_id)
  await removeFactorsSince(tx, user_id, '-infinity')
  await unlinkUser(tx, user_id, '-infinity')
  await tx`delete from email_verifications where user_id = ${user_id}`
  await tx`delete from password_resets where user_id = ${user_id}`
  await tx`delete from address_reversals where user_id = ${user_id}`
  await tx`update users set password_hash = null, pending_email = null, is_address_assumed = false where id = ${user_id}`
}
