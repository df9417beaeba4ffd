/** What became of a message. Each tool judges its own answers; what follows from a judgement is the same for all. */
import { MAX_ATTEMPTS, retryDelay } from '../../core/notification-channels.ts'
import type { OutboundError } from '../outbound/errors.ts'
import type { OutboundResult } from '../outbound/outbound.ts'

/** Why an attempt failed, for the owner of the channel. */
export interface AttemptError {
  code: string
  detail: string
}

/**
 * What a tool's answer means. `counts` says whether a failure speaks against the channel: one that is the fault of our
 * own message does not. `gone` says that nobody will ever answer there again.
 */
export type Verdict =
  | { kind: 'delivered' }
  | { kind: 'transient'; error: AttemptError; after_seconds?: number }
  | { kind: 'permanent'; error: AttemptError; counts: boolean; gone?: boolean }

/** One attempt, judged. */
export interface Tried {
  verdict: Verdict
  response_status: number | null
  duration_ms: number
  /** Addresses that have the message since this attempt. */
  accepted?: string[]
  /** Addresses that this attempt was refused for good, each with the code of the refusal. */
  refused?: Record<string, string>
}

/** What becomes of a message after an attempt. */
export type Outcome =
  | { status: 'succeeded' }
  | { status: 'pending'; after_seconds: number; error: AttemptError; hold: boolean }
  | { status: 'failed'; error: AttemptError }

/**
 * @param number of the attempt, from 1
 * @param max_attempts 1 for a test
 */
export function outcomeOf(verdict: Verdict, number: number, max_attempts: number = MAX_ATTEMPTS): Outcome {
  if (verdict.kind === 'delivered') return { status: 'succeeded' }
  if (verdict.kind === 'permanent' || number >= max_attempts) return { status: 'failed', error: verdict.error }
  const asked = verdict.after_seconds ?? 0
  // A tool that asks to wait means all that comes from here, not this one message.
  return { status: 'pending', after_seconds: Math.max(retryDelay(number), asked), error: verdict.error, hold: asked > 0 }
}

export const permanent = (code: string, detail: string, counts = true): Verdict => ({
  kind: 'permanent',
  error: { code, detail },
  counts,
})

export const gone = (detail: string): Verdict => ({
  kind: 'permanent',
  error: { code: 'gone', detail },
  counts: true,
  gone: true,
})

export const transient = (code: string, detail: string, after_seconds = 0): Verdict => ({
  kind: 'transient',
  error: { code, detail },
  after_seconds,
})

/**
 * What a verdict comes to where the channel was led elsewhere meanwhile: the message is tried there, by the schedule. A
 * message that could not be made fails there as well.
 */
export function verdictAfterMove(verdict: Verdict): Verdict {
  if (verdict.kind === 'delivered' || verdict.error.code === 'internal') return verdict
  return transient(verdict.error.code, verdict.error.detail)
}

/** Of a request that no answer came to. Where it may not go now, it may not go in an hour. */
export function unanswered(error: OutboundError | null): Verdict {
  const { code, detail } = error ?? { code: 'connection_failed', detail: 'There was no answer.' }
  return code === 'blocked_address' ? permanent(code, detail) : transient(code, detail)
}

/**
 * Whether the body of a 200 is not all there. Where the body says what became of a message, the beginning of one says
 * nothing.
 */
export const isBroken = ({ status, error }: OutboundResult): boolean => status === 200 && error !== null

/** The JSON object that an answer is; empty where it is none. */
export function jsonOf({ body }: OutboundResult): Record<string, unknown> {
  try {
    const parsed: unknown = JSON.parse(body ?? '')
    return parsed !== null && typeof parsed === 'object' ? (parsed as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}
