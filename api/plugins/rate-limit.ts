/** Rate limits: token buckets in the memory of this process, one per caller, or per client address without a caller. */
import { monotonicMs } from '../../core/platform/clock.ts'
import { config } from '../../core/platform/config.ts'
import { Problem } from '../problems.ts'

interface Bucket {
  tokens: number
  at: number
}

/** Token buckets that allow `burst` requests at once and `rate` per second on average. */
export class Limiter {
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

  /** Returns a token that was taken. */
  giveBack(key: string): void {
    const bucket = this.#bucket(key)
    bucket.tokens = Math.min(this.burst, bucket.tokens + 1)
  }

  /** Refills a bucket. */
  reset(key: string): void {
    this.#buckets.delete(key)
  }

  /**
   * Takes a token.
   *
   * @returns the headers of IETF draft-ietf-httpapi-ratelimit-headers-11
   * @throws Problem `rate_limited`, with `Retry-After`, if the bucket is empty
   */
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
    throw new Problem('rate_limited', `Too many requests. Try again in ${wait} seconds.`, undefined, {
      ...headers,
      'Retry-After': String(wait),
    })
  }
}

const unlimited = config.RATE_LIMIT === 0

const general = new Limiter(config.RATE_LIMIT, config.RATE_LIMIT_BURST)
const anonymous = new Limiter(config.RATE_LIMIT, config.RATE_LIMIT_BURST)
const signIns = new Limiter(10 / 60, 10)
const registrations = new Limiter(10 / 3600, 10)
const resets = new Limiter(10 / 60, 10)
const failures = new Limiter(10 / 900, 10)
const links = new Limiter(10 / 900, 10)

/** Counts a request of an authenticated caller. */
export const limitCaller = (user_id: string): Record<string, string> => (unlimited ? {} : general.take(user_id))

/** Counts a request without a valid token. */
export const limitAddress = (address: string): Record<string, string> => (unlimited ? {} : anonymous.take(address))

/** Limits per client address for anonymous requests: sign-ins and password resets 10 a minute, registrations 10 an hour. */
export const ADDRESS_LIMITS = {
  requests: limitAddress,
  probes: (_address: string) => ({}),
  signIns: (address: string) => (unlimited ? {} : signIns.take(address)),
  resets: (address: string) => (unlimited ? {} : resets.take(address)),
  registrations: (address: string) => (unlimited ? {} : registrations.take(address)),
}

/**
 * Checks a password, unless 10 wrong ones were sent for the account within 15 minutes. An attempt is counted before the
 * check, so that parallel attempts count too, and uncounted if the password was right or the check failed.
 *
 * @param email in canonical form, so that an account has one count
 * @param check resolves to null if the password is wrong
 * @throws Problem `rate_limited`
 */
export async function limitPasswordAttempts<Result>(email: string, check: () => Promise<Result | null>): Promise<Result | null> {
  if (unlimited) return check()
  failures.take(email)
  let wrong = false
  try {
    const result = await check()
    wrong = result === null
    return result
  } finally {
    if (!wrong) failures.giveBack(email)
  }
}

/** Clears the count of wrong passwords of an account, after its password was changed. */
export const clearPasswordFailures = (email: string): void => failures.reset(email)

/** Counts a link mailed on request: 10 in 15 minutes for an address, so that a mailbox cannot be flooded. */
export function limitMailedLinks(email: string): void {
  if (!unlimited) links.take(email)
}
