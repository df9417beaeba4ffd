/** Recovery codes: each completes one sign-in, when the other second factors are lost. */
import { randomBytes } from 'node:crypto'
import type { Visitor } from '../../core/actors.ts'
import { tokenHash } from '../../core/security/tokens.ts'
import type { Tx } from '../../sql/index.ts'
import type { SignedIn } from '../plugins/request-context.ts'
import { Problem } from '../problems.ts'
import type { RecoveryCodes } from './second-factor-schema.ts'
import { recordAndMail } from './second-factors.ts'

const COUNT = 10

/** Base 32. */
const LETTERS = 'abcdefghijklmnopqrstuvwxyz234567'

/** 16 letters, which are 80 bits: too many to guess from a hash. */
const newCode = (): string => [...randomBytes(16)].map((byte) => LETTERS[byte % 32]).join('')

/** The hash of a code as it was typed: with or without hyphens and blanks, in any case. */
const recoveryHash = (typed: string): Buffer => tokenHash(typed.replaceAll(/[\s-]/g, '').toLowerCase())

/** Replaces the recovery codes of a user. @returns the new ones, which are shown only now */
export async function makeRecoveryCodes(tx: Tx, user_id: string): Promise<RecoveryCodes> {
  const codes = Array.from({ length: COUNT }, newCode)
  await tx`delete from recovery_codes where user_id = ${user_id}`
  await tx`insert into recovery_codes ${tx(codes.map((code) => ({ user_id, hash: recoveryHash(code) })))}`
  return { recovery_codes: codes.map((code) => code.replaceAll(/(.{4})(?!$)/g, '$1-')) }
}

/**
 * Replaces the recovery codes of the caller.
 *
 * @throws Problem `second_factor_required` (409) without a second factor, which they would stand in for
 */
export async function replaceRecoveryCodes(tx: Tx, by: SignedIn): Promise<RecoveryCodes> {
  const [{ second_factors }] = await tx<[{ second_factors: number }]>`
    select second_factors from users where id = ${by.id} for no key update
  `
  if (second_factors === 0) {
    throw new Problem(['second_factor_required', 409], 'Set up an authenticator app or a passkey first.')
  }
  await recordAndMail(tx, by.id, by, 'recovery_codes.created', 'New recovery codes were made; earlier ones do not work any more.')
  return makeRecoveryCodes(tx, by.id)
}

/**
 * Uses up a recovery code, and mails that to its user.
 *
 * @returns whether it was one of the user's
 */
export async function spendRecoveryCode(tx: Tx, user_id: string, typed: string, visitor: Visitor): Promise<boolean> {
  const spent = await tx`delete from recovery_codes where user_id = ${user_id} and hash = ${recoveryHash(typed)}`
  if (spent.count === 0) return false
  const [{ left }] = await tx<[{ left: number }]>`select count(*) as left from recovery_codes where user_id = ${user_id}`
  const rest = left === 0 ? 'None is left: make new ones' : left === 1 ? '1 is left' : `${left} are left`
  await recordAndMail(tx, user_id, visitor, 'recovery_code.used', `A recovery code was used to sign in. ${rest}.`)
  return true
}
