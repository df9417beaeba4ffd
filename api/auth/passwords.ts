/**
 * Passwords: hashed with argon2id, and limits of wrong ones. A hash takes 64 MiB and tens of milliseconds, so only a few run concurrently, and
 * networks take turns.
 */

import { config } from '../../core/platform/config.ts'
import { clearUses, type Quota, returnUse, useQuota } from '../../core/security/quotas.ts'
import type { Visitor } from '../../core/tenants/actors.ts'
import type { Fragment, Queryable } from '../../sql/index.ts'
import { networkOf, networksOf } from '../plugins/client-address.ts'
import { ConcurrencyLimit } from '../plugins/concurrency-limit.ts'
import { rateLimited } from '../plugins/rate-limit.ts'
import { Problem } from '../problems.ts'

// Shorter than the timeout of proxies, commonly 30 seconds.
const hashing = new ConcurrencyLimit(4, 128, 20_000, () => {
  const detail = 'Too many passwords are being checked. Try again in a few seconds.'
  return new Problem('too_busy', detail, undefined, { 'Retry-After': '5' })
})

type Client = Pick<Visitor, 'ip_address'>

/** Hashes a password. @throws Problem `too_busy` */
export const hashPassword = (password: string, { ip_address }: Client): Promise<string> =>
  hashing.run(networksOf(ip_address), () => Bun.password.hash(password, 'argon2id'))

// Verified if the account does not exist, so that both cases take as long: the hash of a random password, with the same
// parameters as all others.
const DUMMY_HASH =
  '$argon2id$v=19$m=65536,t=2,p=1$G9Qz06vN/QzX65BD0m2ssZ+YXhsL3QWmIoz32rvj4es$VJfQ9bhFPhU6MLyDDQMhyltwyc5cxPhwtUvPFLslg1A'

/** Without the hash of an account it takes as long and fails. @throws Problem `too_busy` */
export async function passwordFits(password: string, hash: string | null, { ip_address }: Client): Promise<boolean> {
  const fits = await hashing.run(networksOf(ip_address), () => Bun.password.verify(password, hash ?? DUMMY_HASH))
  return fits && hash !== null
}

/**
 * At sign-in, the networks from which someone signed in to the account within 30 days have a count each, and all others share one, so that
 * strangers use up only what strangers have. A session that changes the password has a count of its own too.
 */
const WRONG_PASSWORDS: Quota = { most: 10, seconds: 900 }

export const isKnownNetwork = (db: Queryable, { ip_address }: Client): Fragment => db`
  exists (
    select 1
    from sessions as session
    where network_of(session.user_id, session.ip_address) = network_of(users.id, ${ip_address})
      and session.created_at > now() - interval '30 days'
  )
`

const ofStrangers = (email: string): string => `wrong password: ${email}`
const ofNetwork = (email: string, { ip_address }: Client): string => `${ofStrangers(email)} ${networkOf(ip_address)}`

/** What attempts to sign in count for. @param email in canonical form, so that an account has one count */
export const signInSubject = (email: string, client: Client, isKnown: boolean): string =>
  isKnown ? ofNetwork(email, client) : ofStrangers(email)

/** What attempts to give the current password within a session count for. */
export const sessionSubject = (session_id: string): string => `wrong password: session ${session_id}`

/**
 * Checks a password, unless too many wrong ones were sent. An attempt is counted before the check, so that parallel attempts count
 * too, and uncounted if the password was right or the check failed.
 *
 * @param db a pool: the count stays when a transaction fails
 * @param check resolves to null if the password is wrong
 * @param what was sent too often
 * @throws Problem `rate_limited`
 */
export async function limitPasswordAttempts<Result>(
  db: Queryable,
  subject: string,
  check: () => Promise<Result | null>,
  what = 'Too many wrong passwords',
): Promise<Result | null> {
  if (config.RATE_LIMIT === 0) return check()
  const wait = await useQuota(db, subject, WRONG_PASSWORDS)
  if (wait !== null) throw rateLimited(wait, what)
  let wrong = false
  try {
    const result = await check()
    wrong = result === null
    return result
  } finally {
    if (!wrong) await returnUse(db, subject)
  }
}

/** Forgets the wrong passwords of strangers, and those from the network of the client, after the password of an account was reset. */
export const clearWrongPasswords = (db: Queryable, email: string, client: Client): Promise<void> =>
  clearUses(db, [ofStrangers(email), ofNetwork(email, client)])
