/** The second step of a sign-in: a person who gave the right password shows a second factor as well. */

import { addJob } from '../../core/jobs/tasks.ts'
import { transaction } from '../../core/platform/database.ts'
import { type Quota, useQuota } from '../../core/security/quotas.ts'
import { recordSecurityEvent } from '../../core/security/security-log.ts'
import { newToken, tokenHash } from '../../core/security/tokens.ts'
import type { Visitor } from '../../core/tenants/actors.ts'
import type { Queryable, Tx } from '../../sql/index.ts'
import { unauthorized } from '../credentials/access-tokens.ts'
import type { RequestOptions } from '../passkeys/fields.ts'
import { requestOptions } from '../passkeys/passkeys.ts'
import { subjectOf, verifyOwnPasskey } from '../passkeys/sign-in.ts'
import { invalidField, type Problem } from '../problems.ts'
import { isKnownNetwork, limitPasswordAttempts, signInSubject } from './passwords.ts'
import type { Method, SecondStep } from './schema.ts'
import { getSecondFactors, spendRecoveryCode } from './second-factors.ts'
import { invalidTicket, type Open } from './sessions.ts'
import type { WaitingSignOn } from './sign-ons.ts'
import { currentStepOf } from './totp.ts'

export interface WaitingSignIn {
  ticket: string
  methods: Method[]
}

/**
 * Keeps a sign-in whose password was right, or whose person a provider has named, for 5 minutes. It is in the security log, also if nothing
 * follows.
 */
export async function waitForSecondFactor(
  tx: Tx,
  user_id: string,
  visitor: Visitor,
  waiting: WaitingSignOn | null = null,
): Promise<WaitingSignIn> {
  const ticket = `sbx_st_${newToken()}`
  const detail = `${waiting ? `${waiting.provider} named you` : 'The password was right'}; the second factor was asked for.`
  // In one round trip.
  const [{ methods }] = await Promise.all([
    getSecondFactors(tx, user_id),
    tx`
      insert into sign_in_tickets (hash, user_id, sign_on, expires_at)
      values (${tokenHash(ticket)}, ${user_id}, ${waiting && JSON.stringify(waiting)}, now() + interval '5 minutes')
    `.execute(),
    recordSecurityEvent(tx, user_id, visitor, 'second_factor.requested', detail),
  ])
  return { ticket, methods }
}

/** What an API client gets for the right password of an account with a second factor. */
export function secondFactorRequired({ ticket, methods }: WaitingSignIn): Problem {
  const detail =
    'The password is right. Send the ticket with a second factor to /api/v1/auth/login/second-factor within 5 minutes.'
  return unauthorized(['second_factor_required', 401], detail, { ticket, methods })
}

interface Ticket {
  hash: Buffer
  user_id: string
  email: string
  is_known: boolean
  secret: Uint8Array | null
  last_step: number | null
}

/** The sign-in that a ticket is of. Changes nothing. @throws Problem `invalid_ticket` */
export async function findTicket(db: Queryable, ticket: string, visitor: Visitor): Promise<Ticket> {
  const hash = tokenHash(ticket)
  const [found] = await db<Omit<Ticket, 'hash'>[]>`
    select ticket.user_id, users.email, ${isKnownNetwork(db, visitor)} as is_known, app.secret, app.last_step
    from sign_in_tickets as ticket
    join users on users.id = ticket.user_id
    left join totp_apps as app on app.user_id = ticket.user_id
    where ticket.hash = ${hash}
      and ticket.expires_at > now()
  `
  if (!found) throw invalidTicket()
  return { hash, ...found }
}

/** What a browser needs to complete a sign-in with a passkey. @throws Problem `invalid_ticket` */
export async function secondStepOptions(db: Queryable, ticket: string, visitor: Visitor): Promise<RequestOptions> {
  const { user_id, hash } = await findTicket(db, ticket, visitor)
  return requestOptions(db, user_id, subjectOf(user_id, { purpose: 'second_factor', ticket_hash: hash }), user_id)
}

/** Uses up what proves the second factor. @returns what it was, for the security log; null if it was wrong, or used meanwhile */
type Use = (tx: Tx) => Promise<string | null>

/** @returns null if the proof is wrong */
async function verify(db: Queryable, ticket: Ticket, step: SecondStep, visitor: Visitor): Promise<Use | null> {
  const { user_id, hash, secret, last_step } = ticket
  const { code, recovery_code, assertion } = step
  if ([code, recovery_code, assertion].filter((each) => each !== undefined).length !== 1)
    throw invalidField('', 'required', 'must have one of code, recovery_code and assertion')
  if (recovery_code !== undefined)
    return async (tx) => ((await spendRecoveryCode(tx, user_id, recovery_code, visitor)) ? 'a recovery code' : null)
  if (assertion !== undefined) {
    const passkey = await verifyOwnPasskey(db, user_id, assertion, { purpose: 'second_factor', ticket_hash: hash }, visitor)
    if (!passkey) return null
    return async (tx) => {
      // It may have been removed meanwhile, because it was stolen.
      const [kept] = await tx<{ name: string }[]>`select name from passkeys where id = ${passkey.id} and user_id = ${user_id}`
      return kept ? `the passkey ${kept.name}` : null
    }
  }
  const at = secret && (await currentStepOf(secret, code ?? '', last_step ?? 0))
  if (!secret || at === null) return null
  return async (tx) => {
    const used = await tx`
      update totp_apps set last_step = ${at} where user_id = ${user_id} and last_step < ${at} and secret = ${secret}
    `
    return used.count === 1 ? 'the authenticator app' : null
  }
}

/** A mail for each wrong code would let a stranger with the password flood the mailbox. */
const MAILS: Quota = { most: 1, seconds: 3600 }

/** Records a wrong second factor, and mails it once an hour: the sender knows the password, or is known to the provider. */
async function recordRefusal(db: Queryable, user_id: string, visitor: Visitor): Promise<void> {
  const wait = await useQuota(db, `refused second factors of ${user_id}`, MAILS)
  await transaction(async (tx) => {
    const detail = 'A sign-in with the right password, or with a provider, was refused, because the second factor was wrong.'
    const entry_id = await recordSecurityEvent(tx, user_id, visitor, 'second_factor.refused', detail)
    if (wait === null) await addJob(tx, 'mail_security_notice', { entry_id })
  })
}

const wrong = ({ assertion }: SecondStep): Problem =>
  assertion === undefined
    ? unauthorized('invalid_second_factor', 'The code is wrong, or was used before. Wait for the next one.')
    : unauthorized(['passkey_invalid', 401], 'The passkey was refused. Get new options, and try again.')

/**
 * Completes a sign-in. A ticket stays valid when the second factor was wrong; wrong ones count as wrong passwords do.
 *
 * @param db a pool: what was tried stays counted
 * @throws Problem `invalid_ticket`, `invalid_second_factor`, `passkey_invalid`, `rate_limited`
 */
export async function completeSignIn<Opened>(db: Queryable, step: SecondStep, visitor: Visitor, open: Open<Opened>) {
  const ticket = await findTicket(db, step.ticket, visitor)
  const { user_id, hash, email, is_known } = ticket
  const attempt = async () => {
    const use = await verify(db, ticket, step, visitor)
    const opened = use && (await transaction((tx) => complete(tx, use)))
    if (!opened) await recordRefusal(db, user_id, visitor)
    return opened
  }
  const subject = signInSubject(email, visitor, is_known)
  const done = await limitPasswordAttempts(db, subject, attempt, 'Too many wrong passwords and second factors')
  if (!done) throw wrong(step)
  return done.session

  async function complete(tx: Tx, use: Use): Promise<{ session: Opened } | null> {
    // Locked until commit: a concurrent change that ends all sessions waits, and then ends this one too. In one round trip with the use.
    const [, factor] = await Promise.all([tx`select from users where id = ${user_id} for share`.execute(), use(tx)])
    if (factor === null) return null
    const [spent] = await tx<{ sign_on: string | null }[]>`
      delete from sign_in_tickets where hash = ${hash} and expires_at > now() returning sign_on
    `
    if (!spent) throw invalidTicket()
    const waiting: WaitingSignOn | undefined = spent.sign_on === null ? undefined : JSON.parse(spent.sign_on)
    const detail = `Signed in with ${waiting?.provider ?? 'the password'} and ${factor}.`
    await recordSecurityEvent(tx, user_id, visitor, 'sign_in.succeeded', detail)
    return { session: await open(tx, user_id, visitor, waiting) }
  }
}
