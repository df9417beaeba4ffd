/** Token buckets, one a caller (one an address where there is none), in the memory of this process. */
import { monotonicMs } from '../../core/platform/clock.ts'
import { config } from '../../core/platform/config.ts'
import { Problem } from '../problems.ts'

interface Bucket {
  tokens: number
  at: number
}

/** One kind of bucket: `burst` requests at once, and `rate` more each second. */
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
    // Put back at the end: the map stays in the order of use, and what was idle longest leaves first.
    this.#buckets.delete(key)
    this.#buckets.set(key, bucket)
    if (this.#buckets.size > 50_000) this.#buckets.delete(this.#buckets.keys().next().value as string)
    return bucket
  }

  /** Gives back one that was taken. */
  giveBack(key: string): void {
    const bucket = this.#bucket(key)
    bucket.tokens = Math.min(this.burst, bucket.tokens + 1)
  }

  /** Fills a bucket. */
  forget(key: string): void {
    this.#buckets.delete(key)
  }

  /**
   * Takes one.
   *
   * @returns the headers of IETF draft-ietf-httpapi-ratelimit-headers-11
   * @throws Problem `rate_limited` where none is left, with `Retry-After`
   */
  take(key: string): Record<string, string> {
    const bucket = this.#bucket(key)
    const refusal = bucket.tokens < 1
    if (!refusal) bucket.tokens -= 1
    const wait = Math.max(1, Math.ceil((1 - bucket.tokens) / this.rate))
    const headers = {
      'RateLimit-Policy': `"default";q=${this.burst};w=${Math.max(1, Math.round(this.burst / this.rate))}`,
      RateLimit: `"default";r=${Math.floor(bucket.tokens)};t=${wait}`,
    }
    if (!refusal) return headers
    throw new Problem('rate_limited', `Too many requests. Try again in ${wait} seconds.`, undefined, {
      ...headers,
      'Retry-After': String(wait),
    })
  }
}

const unlimited = config.RATE_LIMIT === 0

const general = new Limiter(config.RATE_LIMIT, config.RATE_LIMIT_BURST)
const strangers = new Limiter(config.RATE_LIMIT, config.RATE_LIMIT_BURST)
const signIns = new Limiter(10 / 60, 10)
const registrations = new Limiter(10 / 3600, 10)
const resets = new Limiter(10 / 60, 10)
const failures = new Limiter(10 / 900, 10)
const links = new Limiter(10 / 900, 10)

/** Counts a request of a known caller. */
export const limitCaller = (user_id: string): Record<string, string> => (unlimited ? {} : general.take(user_id))

/** Counts a request of nobody known: without a token, or with one that was refused. */
export const limitAddress = (address: string): Record<string, string> => (unlimited ? {} : strangers.take(address))

/** What one address may do without a token: requests, sign-ins and password resets (10 a minute), registrations (10 an hour). */
export const ADDRESS_LIMITS = {
  requests: limitAddress,
  probes: (_address: string) => ({}),
  signIns: (address: string) => (unlimited ? {} : signIns.take(address)),
  resets: (address: string) => (unlimited ? {} : resets.take(address)),
  registrations: (address: string) => (unlimited ? {} : registrations.take(address)),
}

/**
 * Checks a password, where fewer than 10 that did not fit came for this account within 15 minutes. It counts before
 * it is checked, so that guesses that are sent all at once count as well, and no longer once it fitted or broke.
 *
 * @param email in canonical form: one account has one count
 * @param check resolves with null where the password was wrong
 * @throws Problem `rate_limited`
 */
export async function guess<Result>(email: string, check: () => Promise<Result | null>): Promise<Result | null> {
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

/** Forgets the wrong passwords of an account that has got a new one. */
export const forgetGuesses = (email: string): void => failures.forget(email)

/** Counts a link that is mailed to a mailbox on somebody's word: 10 in 15 minutes, so that nobody can flood it. */
export function limitLinks(email: string): void {
  if (!unlimited) links.take(email)
}
