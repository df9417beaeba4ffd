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
  /** null: as if there were none. */
  answer(signal: AbortSignal): Response | null | Promise<Response | null>
  left: number
  hits: number
}

interface Bucket {
  used: number
  resetAt: number
}

/** A counted request. */
interface Charge {
  /** What the answer tells of the limit. */
  headers(): Record<string, string>
  /** Conditional requests that find nothing new do not count. */
  refund(): void
}

const HOUR_MS = 3_600_000
const POINTS_A_MINUTE = 900
const LIMITED = 'https://docs.github.com/rest/overview/rate-limits-for-the-rest-api'

export class Limits {
  readonly #buckets = new Map<string, Bucket>()
  /** Until when a caller is held back by the secondary limit. */
  readonly #secondary = new Map<string, { until: number; retryAfter: number | null; status: number }>()
  readonly #points = new Map<string, { at: number; points: number }[]>()
  readonly #faults = new Set<ActiveFault>()

  constructor(
    private readonly world: World,
    /** Requests an hour, per installation or user; null: no limit, as an Enterprise Server has none by default. */
    public perHour: number | null,
  ) {}

  /**
   * Counts a request.
   *
   * @throws Refusal 403 when a limit is used up
   */
  count(caller: Caller, method: string): Charge {
    const key = keyOf(caller)
    const now = this.world.clock.now()
    const held = [key, '*'].map((each) => this.#secondary.get(each)).find((each) => each && each.until > now)
    if (held) throw this.#secondaryRefusal(held.retryAfter, held.status)
    const limit = this.perHour
    if (limit === null) return { headers: () => ({}), refund: () => {} }
    this.#spend(key, now, method === 'GET' || method === 'HEAD' ? 1 : 5)
    let bucket = this.#buckets.get(key)
    if (!bucket || bucket.resetAt <= now) {
      bucket = { used: 0, resetAt: now + HOUR_MS }
      this.#buckets.set(key, bucket)
    }
    const counted = bucket
    const headers = () => headersOf(limit, counted)
    if (counted.used >= limit)
      throw new Refusal(403, `API rate limit exceeded for ${nameOf(caller)}.`, { headers: headers(), documentation: LIMITED })
    counted.used += 1
    const refund = () => {
      counted.used -= 1
    }
    return { headers, refund }
  }

  /** "No more than 900 points per minute are allowed for REST API endpoints": most reads cost one, most changes five. */
  #spend(key: string, now: number, points: number): void {
    const spent = (this.#points.get(key) ?? []).filter(({ at }) => at > now - 60_000)
    if (spent.reduce((total, each) => total + each.points, points) > POINTS_A_MINUTE) throw this.#secondaryRefusal(60, 403)
    this.#points.set(key, [...spent, { at: now, points }])
  }

  #secondaryRefusal(retryAfter: number | null, status: number): Refusal {
    const message = 'You have exceeded a secondary rate limit. Please wait a few minutes before you try again.'
    const headers: Record<string, string> = retryAfter === null ? {} : { 'Retry-After': String(retryAfter) }
    return new Refusal(status, message, { headers, documentation: `${LIMITED}#about-secondary-rate-limits` })
  }

  /** The state of the primary limit, which asking for it does not change. */
  stateOf(caller: Caller): { limit: number; used: number; remaining: number; reset: number } | null {
    if (this.perHour === null) return null
    const { used, resetAt } = this.#buckets.get(keyOf(caller)) ?? { used: 0, resetAt: this.world.clock.now() + HOUR_MS }
    return { limit: this.perHour, used, remaining: this.perHour - used, reset: Math.ceil(resetAt / 1000) }
  }

  /** Uses up the primary limit of a caller, such as `installation 12`. */
  exhaust(key: string): void {
    this.perHour ??= 5_000
    this.#buckets.set(key, { used: this.perHour, resetAt: this.world.clock.now() + HOUR_MS })
  }

  /** Holds a caller, or all (`*`), back by the secondary limit. @param retryAfter in seconds; null: GitHub does not say */
  limitSecondary(key: string, retryAfter: number | null, status: number): void {
    this.#secondary.set(key, { until: this.world.clock.now() + (retryAfter ?? 60) * 1000, retryAfter, status })
  }

  /** Ends all limits that were reached. */
  lift(): void {
    for (const reached of [this.#secondary, this.#points, this.#buckets]) reached.clear()
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
      this.world.onChange()
      return fault.answer(signal)
    }
    return null
  }
}

const headersOf = (limit: number, { used, resetAt }: Bucket): Record<string, string> => ({
  'X-RateLimit-Limit': String(limit),
  'X-RateLimit-Remaining': String(Math.max(limit - used, 0)),
  'X-RateLimit-Used': String(used),
  'X-RateLimit-Reset': String(Math.ceil(resetAt / 1000)),
  'X-RateLimit-Resource': 'core',
})

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
