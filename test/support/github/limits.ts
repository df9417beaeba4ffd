/** Rate limits, and faults that a test asks for. */
import type { Caller } from './credentials.ts'
import { Refusal } from './problems.ts'
import type { World } from './world.ts'

/** What a test makes GitHub do to requests, until it ends it. */
export interface Fault {
  /** Ends it. */
  end(): void
  /** How many requests it met. */
  readonly hits: number
}

interface ActiveFault {
  matches(method: string, path: string): boolean
  answer(signal: AbortSignal): Response | Promise<Response>
  left: number
  hits: number
}

interface Bucket {
  used: number
  resetAt: number
}

const HOUR_MS = 3_600_000
const LIMITED = 'https://docs.github.com/rest/overview/rate-limits-for-the-rest-api'

export class Limits {
  readonly #buckets = new Map<string, Bucket>()
  /** Until when a caller is held back by the secondary limit. */
  readonly #secondary = new Map<string, { until: number; retryAfter: number | null }>()
  readonly #faults = new Set<ActiveFault>()
  #last: Bucket | null = null

  constructor(
    private readonly world: World,
    /** Requests an hour, per installation or user; null: no limit, as an Enterprise Server has none by default. */
    public perHour: number | null,
  ) {}

  /** Counts a request. @returns the headers that tell of the limit @throws Refusal 403 when it is used up */
  count(caller: Caller, method: string): Record<string, string> {
    const key = keyOf(caller)
    const now = this.world.clock.now()
    const held = this.#secondary.get(key) ?? this.#secondary.get('*')
    if (held && held.until > now) {
      const message = 'You have exceeded a secondary rate limit. Please wait a few minutes before you try again.'
      const headers: Record<string, string> = held.retryAfter === null ? {} : { 'Retry-After': String(held.retryAfter) }
      throw new Refusal(403, message, { headers, documentation: `${LIMITED}#about-secondary-rate-limits` })
    }
    this.#last = null
    if (this.perHour === null || method === 'OPTIONS') return {}
    let bucket = this.#buckets.get(key)
    if (!bucket || bucket.resetAt <= now) {
      bucket = { used: 0, resetAt: now + HOUR_MS }
      this.#buckets.set(key, bucket)
    }
    this.#last = bucket
    const isOver = bucket.used >= this.perHour
    if (!isOver) bucket.used += 1
    const headers = this.#headers(bucket)
    if (!isOver) return headers
    throw new Refusal(403, `API rate limit exceeded for ${nameOf(caller)}.`, { headers, documentation: LIMITED })
  }

  #headers({ used, resetAt }: Bucket): Record<string, string> {
    const limit = this.perHour ?? 0
    return {
      'X-RateLimit-Limit': String(limit),
      'X-RateLimit-Remaining': String(Math.max(limit - used, 0)),
      'X-RateLimit-Used': String(used),
      'X-RateLimit-Reset': String(Math.ceil(resetAt / 1000)),
      'X-RateLimit-Resource': 'core',
    }
  }

  /** The last request does not count. */
  uncount(): void {
    if (this.#last) this.#last.used -= 1
  }

  /** Uses up the primary limit of a caller, such as `installation 12`. */
  exhaust(key: string): void {
    this.perHour ??= 5_000
    this.#buckets.set(key, { used: this.perHour, resetAt: this.world.clock.now() + HOUR_MS })
  }

  /** Holds a caller, or all (`*`), back by the secondary limit. @param retryAfter in seconds; null: GitHub does not say */
  limitSecondary(key: string, retryAfter: number | null): void {
    this.#secondary.set(key, { until: this.world.clock.now() + (retryAfter ?? 60) * 1000, retryAfter })
  }

  /** Ends all secondary limits. */
  lift(): void {
    this.#secondary.clear()
    this.#buckets.clear()
  }

  addFault(fault: Omit<ActiveFault, 'hits'>): Fault {
    const active: ActiveFault = { ...fault, hits: 0 }
    this.#faults.add(active)
    return {
      end: () => void this.#faults.delete(active),
      get hits() {
        return active.hits
      },
    }
  }

  /** The answer of a fault that a test asked for. */
  async fault(method: string, path: string, signal: AbortSignal): Promise<Response | null> {
    for (const fault of this.#faults) {
      if (!fault.matches(method, path)) continue
      fault.hits += 1
      fault.left -= 1
      if (fault.left <= 0) this.#faults.delete(fault)
      return fault.answer(signal)
    }
    return null
  }
}

function keyOf(caller: Caller): string {
  if (caller.kind === 'installation') return `installation ${caller.installation.id}`
  if (caller.kind === 'user') return `user ${caller.person.id}`
  return caller.kind === 'app' ? `app ${caller.app.id}` : 'nobody'
}

function nameOf(caller: Caller): string {
  if (caller.kind === 'installation') return `installation ID ${caller.installation.id}`
  if (caller.kind === 'user') return `user ID ${caller.person.id}`
  return caller.kind === 'app' ? `app ID ${caller.app.id}` : '127.0.0.1'
}
