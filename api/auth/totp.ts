/** Authenticator apps: codes of 6 digits that change every 30 seconds (TOTP, RFC 6238). */
import { generateSecret, generateURI, verifySync } from 'otplib'
import { epochSeconds } from '../../core/platform/clock.ts'
import { decrypt, encrypt } from '../../core/security/secrets.ts'
import type { Queryable, Tx } from '../../sql/index.ts'
import type { SignedIn } from '../plugins/request-context.ts'
import { requireMatch } from '../plugins/responses.ts'
import { invalidField, notFound } from '../problems.ts'
import type { RecoveryCodes, TotpSetup } from './schema.ts'
import { makeRecoveryCodes, prepareRemoval, recordAndMail } from './second-factors.ts'
import { typedCode } from './typed-codes.ts'

const STEP_SECONDS = 30

/**
 * The time step of a code: the current one, the one before or the one after it.
 *
 * @param last_step of the last code that was accepted: a code works once, and none works after a later one
 * @returns null if the code is wrong
 */
export function stepOf(secret: string, code: string, last_step: number, seconds: number): number | null {
  const found = verifySync({
    secret,
    token: typedCode(code),
    epoch: seconds,
    epochTolerance: STEP_SECONDS,
    afterTimeStep: last_step,
  })
  return found.valid && 'timeStep' in found ? found.timeStep : null
}

/** The same for a stored secret, now. @throws UnreadableSecret */
export const currentStepOf = async (encrypted: Uint8Array, code: string, last_step: number): Promise<number | null> =>
  stepOf(await decrypt(encrypted), code, last_step, epochSeconds())

/** For 10 minutes. An app that the user has stays in use until the new one is confirmed, whose secret is shown only now. */
export async function beginTotp(tx: Tx, by: SignedIn): Promise<TotpSetup> {
  const secret = generateSecret()
  const [{ expires_at }] = await tx<[{ expires_at: string }]>`
    insert into totp_setups (user_id, session_id, secret, expires_at)
    values (${by.id}, ${by.session_id}, ${await encrypt(secret)}, now() + interval '10 minutes')
    on conflict (user_id) do update
      set session_id = excluded.session_id, secret = excluded.secret, expires_at = excluded.expires_at
    returning expires_at
  `
  return { secret, uri: uriOf(secret, by), expires_at }
}

const uriOf = (secret: string, { email }: SignedIn): string => generateURI({ issuer: 'Signalbox', label: email, secret })

export async function findSetup(db: Queryable, by: SignedIn): Promise<TotpSetup | null> {
  const [setup] = await db<{ secret: Uint8Array; expires_at: string }[]>`
    select secret, expires_at
    from totp_setups
    where user_id = ${by.id}
      and session_id = ${by.session_id}
      and expires_at > now()
  `
  if (!setup) return null
  const secret = await decrypt(setup.secret)
  return { secret, uri: uriOf(secret, by), expires_at: setup.expires_at }
}

/**
 * Completes the set-up with a code of the app, which counts as used. It replaces another app of the user, and all recovery codes.
 *
 * @throws Problem `not_found` if the session has begun none within 10 minutes; 422 at `/code` if the code is wrong
 */
export async function confirmTotp(tx: Tx, by: SignedIn, code: string): Promise<RecoveryCodes> {
  // One after the other: each use of the code must see what the one before it has deleted.
  await tx`select from users where id = ${by.id} for no key update`
  const setup = await findSetup(tx, by)
  if (!setup) throw notFound('set-up of an authenticator app')
  const step = stepOf(setup.secret, code, 0, epochSeconds())
  if (step === null)
    throw invalidField('/code', 'wrong_code', 'is not the current code of the app; if it repeats, check the clock of the device')
  await tx`delete from totp_setups where user_id = ${by.id}`
  const [{ is_new }] = await tx<[{ is_new: boolean }]>`
    insert into totp_apps (user_id, secret, last_step)
    values (${by.id}, ${await encrypt(setup.secret)}, ${step})
    on conflict (user_id) do update
      set secret = excluded.secret, last_step = excluded.last_step, created_at = now()
    returning xmax = 0 as is_new
  `
  const detail = `An authenticator app was ${is_new ? 'added' : 'replaced'} as a second factor, with new recovery codes.`
  await recordAndMail(tx, by.id, by, 'second_factor.added', detail)
  return makeRecoveryCodes(tx, by.id)
}

/** @throws Problem `not_found`; `second_factor_required` (409) if it is the last factor of an owner who must have one */
export async function removeTotp(tx: Tx, by: SignedIn, request: Request): Promise<null> {
  await prepareRemoval(tx, by.id)
  const removed = await tx`delete from totp_apps where user_id = ${by.id}`
  if (removed.count === 0) throw notFound('authenticator app')
  requireMatch(request, null)
  await recordAndMail(tx, by.id, by, 'second_factor.removed', 'The authenticator app was removed as a second factor.')
  return null
}
