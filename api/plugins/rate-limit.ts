/**
 * Rate limits: token buckets in the memory of this process, one per caller, or per network of the client without a caller. Wrong
 * passwords and mails are counted in the database (`core/security/quotas.ts`), where a flood cannot evict the counts of others.
 */

import { monotonicMs } from '../../core/platform/clock.ts'
import { config } from '../../core/platform/config.ts'
import type { Visitor } from '../../core/tenants/actors.ts'
import { Problem } from '../problems.ts'
import { networkOf } from './client-address.ts'

interface Bucket {
  tokens: number
  at: number
}

/** Token buckets that allow `burst` requests at once and `rate` per second on average. */
class Limiter {
  #buckets = new Map<string, Bucket>()

  constructor(
    readonly rate: number,
    readonly burst: number,
  ) {}

  #bucket(key: string): Bucket {
    const now = monotonicMs()
    const bucket = this.#buckets.get(key) ?? { tokens: this.burst, at: now }
    bucket.tokens = Math.min(this.burst, bucket.tokens + ((now - bucket.at) / 1000) * this.rate)
    bucket.at = now
    // Reinserted, so that the map is ordered by use and the longest idle bucket is evicted first.
    this.#buckets.delete(key)
    this.#buckets.set(key, bucket)
    if (this.#buckets.size > 50_000) this.#buckets.delete(this.#buckets.keys().next().value as string)
    return bucket
  }

  /** Counts nothing. @throws Problem `rate_limited` if nothing is left */
  require(key: string): void {
    if (this.#bucket(key).tokens < 1) this.take(key)
  }

  /** @returns the headers of IETF draft-ietf-httpapi-ratelimit-headers-11 @throws Problem `rate_limited`, with `Retry-After` */
  take(key: string): Record<string, string> {
    const bucket = this.#bucket(key)
    const isEmpty = bucket.tokens < 1
    if (!isEmpty) bucket.tokens -= 1
    const wait = Math.max(1, Math.ceil((1 - bucket.tokens) / this.rate))
    const headers = {
      'RateLimit-Policy': `"default";q=${this.burst};w=${Math.max(1, Math.round(this.burst / this.rate))}`,
      RateLimit: `"default";r=${Math.floor(bucket.tokens)};t=${wait}`,
    }
    if (!isEmpty) return headers
    throw rateLimited(wait, 'Too many requests', headers)
  }
}

/** The problem of a limit that is used up. @param what the beginning of a sentence, without its period */
export const rateLimited = (seconds: number, what: string, headers?: Record<string, string>): Problem =>
  limitReached('rate_limited', seconds, what, headers)

export const limitReached = (
  code: 'rate_limited' | 'invitation_limit_reached',
  seconds: number,
  what: string,
  // Not those of the bucket of the caller, which may be full.
  headers: Record<string, string> = { RateLimit: `"default";r=0;t=${seconds}` },
): Problem =>
  new Problem(code, `${what}. Try again in ${inWords(seconds)}.`, undefined, { ...headers, 'Retry-After': String(seconds) })

/** A time to wait, rounded up to the unit that a person would use. */
function inWords(seconds: number): string {
  const [unit, length] = (seconds <= 120 ? ['second', 1] : seconds <= 7200 ? ['minute', 60] : ['hour', 3600]) as [string, number]
  const count = Math.ceil(seconds / length)
  return `${count} ${unit}${count === 1 ? '' : 's'}`
}

const unlimited = config.RATE_LIMIT === 0

const general = new Limiter(config.RATE_LIMIT, config.RATE_LIMIT_BURST)
const exchanges = new Limiter(20, 60)
const links = new Limiter(10 / 900, 10)
const documents = new Limiter(20 / 60, 20)

export const limitCaller = (user_id: string): Record<string, string> => (unlimited ? {} : general.take(user_id))

const perNetwork =
  (limiter: Limiter) =>
  (address: string): Record<string, string> =>
    unlimited ? {} : limiter.take(networkOf(address))

/** Counts a request without a valid token. */
export const limitAddress = perNetwork(new Limiter(config.RATE_LIMIT, config.RATE_LIMIT_BURST))

const signIns = new Limiter(10 / 60, 10)

/** Requires that a network has not used up its sign-ins. What is then refused counts as one (`ADDRESS_LIMITS.signIns`). */
export function requireSignIns(address: string): void {
  if (!unlimited) signIns.require(networkOf(address))
}

/** Limits per network for anonymous requests: sign-ins, password resets and devices 10 a minute, registrations 10 an hour. */
export const ADDRESS_LIMITS = {
  requests: limitAddress,
  probes: (_address: string) => ({}),
  signIns: perNetwork(signIns),
  resets: perNetwork(new Limiter(10 / 60, 10)),
  devices: perNetwork(new Limiter(10 / 60, 10)),
  registrations: perNetwork(new Limiter(10 / 3600, 10)),
}

/** 10 in 15 minutes from a network to a mailbox. From other networks the owner of the mailbox still gets theirs. */
export function limitMailedLinks(email: string, { ip_address }: Pick<Visitor, 'ip_address'>): void {
  if (!unlimited) links.take(`${networkOf(ip_address)} ${email}`)
}

/**
 * Counts a request to sign in as a service account, before anything is verified: for the network together with the account, so that a
 * build that asks too often uses up neither what others behind the same address have, nor what others have who sign in as the account.
 *
 * @param account_id null if it is malformed
 */
export function limitExchange(context: { address: string; headers: Record<string, string> }, account_id: string | null): void {
  if (unlimited) return
  if (account_id !== null) exchanges.take(`${networkOf(context.address)} ${account_id.toLowerCase()}`)
  Object.assign(context.headers, limitAddress(context.address))
}

/** Counts a sign-in of a service account from wherever: 20 a second. */
export function limitSignIn(account_id: string): void {
  if (!unlimited) exchanges.take(account_id)
}

/** Counts a document that is fetched from a URL that a person has brought along: 20 a minute. */
export function limitDocuments(user_id: string): void {
  if (!unlimited) documents.take(user_id)
}
