/** The second factors of accounts: an authenticator app and passkeys, with recovery codes for when they are lost. */
import { randomBytes } from 'node:crypto'
import { addJob } from '../../core/jobs/tasks.ts'
import { recordSecurityEvent, type SecurityAction } from '../../core/security/security-log.ts'
import { tokenHash } from '../../core/security/tokens.ts'
import type { Visitor } from '../../core/tenants/actors.ts'
import type { Queryable, Tx } from '../../sql/index.ts'
import type { SignedIn } from '../plugins/request-context.ts'
import { Problem } from '../problems.ts'
import type { Method, RecoveryCodes, SecondFactors } from './schema.ts'
import { typedCode } from './typed-codes.ts'

export const FACTORS = ['totp_apps', 'passkeys'] as const

export async function getSecondFactors(db: Queryable, user_id: string): Promise<SecondFactors> {
  const [found] = await db<[{ totp_created_at: string | null; has_passkey: boolean; recovery_codes_left: number }]>`
    select
      app.created_at as totp_created_at,
      users.second_factors > (case when app.user_id is null then 0 else 1 end) as has_passkey,
      (select count(*) from recovery_codes as code where code.user_id = users.id) as recovery_codes_left
    from users
    left join totp_apps as app on app.user_id = users.id
    where users.id = ${user_id}
  `
  const { totp_created_at, has_passkey, recovery_codes_left } = found
  const has: Record<Method, boolean> = {
    totp: totp_created_at !== null,
    passkey: has_passkey,
    recovery_code: recovery_codes_left > 0,
  }
  const methods = (Object.keys(has) as Method[]).filter((method) => has[method])
  return { methods, totp_created_at, recovery_codes_left }
}

export async function recordAndMail(tx: Tx, user_id: string, visitor: Visitor | null, action: SecurityAction, detail: string) {
  await addJob(tx, 'mail_security_notice', { entry_id: await recordSecurityEvent(tx, user_id, visitor, action, detail) })
}

/**
 * Prepares the removal of one second factor, or of all: locks the user, and deletes the recovery codes if none is left. A trigger counts the
 * factors of a user (`users.second_factors`).
 *
 * @throws Problem `second_factor_required` (409) if it is the last one, and the user owns an organization that requires one
 */
export async function prepareRemoval(tx: Tx, user_id: string, which: 'one' | 'all' = 'one'): Promise<void> {
  const [{ second_factors }] = await tx<[{ second_factors: number }]>`
    select second_factors from users where id = ${user_id} for no key update
  `
  if (which === 'one' && second_factors > 1) return
  const requiring = await tx`
    select organization_id
    from member_organizations
    where user_id = ${user_id}
      and role = 'owner'
      and (second_factor_required or sso_required is not null)
  `
  if (requiring.length > 0) {
    throw new Problem(
      ['second_factor_required', 409],
      'This is your last second factor, and you own an organization that requires one. Add another one first, or turn the requirement off.',
    )
  }
  await tx`delete from recovery_codes where user_id = ${user_id}`
}

/**
 * Removes the second factors and recovery codes that were added since a time: another person may have done it. Also the last factor of an
 * owner who needs one, who then has no access to that organization until they add another one.
 *
 * @returns how many factors were removed
 */
export async function removeFactorsSince(tx: Tx, user_id: string, since: string): Promise<number> {
  const removed = await Promise.all(
    FACTORS.map((table) => tx`delete from ${tx(table)} where user_id = ${user_id} and created_at >= ${since}`),
  )
  await tx`
    delete from recovery_codes as code
    using users
    where code.user_id = ${user_id}
      and users.id = code.user_id
      and (code.created_at >= ${since} or users.second_factors = 0)
  `
  return removed.reduce((sum, { count }) => sum + count, 0)
}

/** Requires that a user has a second factor, until commit. @throws Problem `second_factor_required` (409) */
export async function requireSecondFactorOf(tx: Tx, user_id: string, detail: string): Promise<void> {
  const rows = await tx`select from users where id = ${user_id} and second_factors > 0 for share`
  if (rows.length === 0) throw new Problem(['second_factor_required', 409], detail)
}

const COUNT = 10

const LETTERS = 'abcdefghijklmnopqrstuvwxyz234567'

/** 16 letters, which are 80 bits: too many to guess from a hash. */
const newCode = (): string => [...randomBytes(16)].map((byte) => LETTERS[byte % 32]).join('')

const recoveryHash = (typed: string): Buffer => tokenHash(typedCode(typed))

/** Replaces the recovery codes of a user. @returns the new ones, which are shown only now */
export async function makeRecoveryCodes(tx: Tx, user_id: string): Promise<RecoveryCodes> {
  const codes = Array.from({ length: COUNT }, newCode)
  await tx`delete from recovery_codes where user_id = ${user_id}`
  await tx`insert into recovery_codes ${tx(codes.map((code) => ({ user_id, hash: recoveryHash(code) })))}`
  return { recovery_codes: codes.map((code) => code.replaceAll(/(.{4})(?!$)/g, '$1-')) }
}

/** @throws Problem `second_factor_required` (409) without a second factor, which they would stand in for */
export async function replaceRecoveryCodes(tx: Tx, by: SignedIn): Promise<RecoveryCodes> {
  const [{ second_factors }] = await tx<[{ second_factors: number }]>`
    select second_factors from users where id = ${by.id} for no key update
  `
  if (second_factors === 0) throw new Problem(['second_factor_required', 409], 'Set up an authenticator app or a passkey first.')
  await recordAndMail(tx, by.id, by, 'recovery_codes.created', 'New recovery codes were made; earlier ones do not work any more.')
  return makeRecoveryCodes(tx, by.id)
}

/** Uses up a recovery code, and mails that to its user. @returns whether it was one of the user's */
export async function spendRecoveryCode(tx: Tx, user_id: string, typed: string, visitor: Visitor): Promise<boolean> {
  const spent = await tx`delete from recovery_codes where user_id = ${user_id} and hash = ${recoveryHash(typed)}`
  if (spent.count === 0) return false
  const [{ left }] = await tx<[{ left: number }]>`select count(*) as left from recovery_codes where user_id = ${user_id}`
  const rest = left === 0 ? 'None is left: make new ones' : left === 1 ? '1 is left' : `${left} are left`
  await recordAndMail(tx, user_id, visitor, 'recovery_code.used', `A recovery code was used to sign in. ${rest}.`)
  return true
}
