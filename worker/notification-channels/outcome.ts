/** What a response means for a message. Each channel type classifies its responses; the rest is the same for all. */
import { MAX_ATTEMPTS, retryDelay } from '../../core/notification-channels/messages.ts'
import type { OutboundError } from '../../core/outbound/errors.ts'
import type { AttemptError } from '../delivery/destination.ts'
import type { OutboundResult } from '../outbound/outbound.ts'

/**
 * What a response means. `countsAsFailure`: whether the failure counts against the health of the channel; one that our own message
 * caused does not. `gone`: the target no longer exists, and the channel is disabled.
 */
export type Classification =
  | { kind: 'delivered' }
  | { kind: 'transient'; error: AttemptError; after_seconds?: number }
  | { kind: 'permanent'; error: AttemptError; countsAsFailure: boolean; gone?: boolean }

export interface SendResult<Change extends object = object> {
  classification: Classification
  response_status: number | null
  duration_ms: number
  /** What this attempt delivered: the addresses that got a mail, or the message that was posted. */
  accepted?: string[]
  /** Addresses that the server refused for good in this attempt, with its reply code. */
  refused?: Record<string, string>
  /** What changed in posted messages; its sender records it. */
  change?: Change
}

/** The state of a message after an attempt. `hold`: the whole channel waits for that time. */
export type MessageOutcome =
  | { status: 'succeeded' }
  | { status: 'pending'; after_seconds: number; error: AttemptError; hold: boolean }
  | { status: 'failed'; error: AttemptError }

/** @param number the number of the attempt, from 1 @param max_attempts 1 for a test */
export function outcomeOf(classification: Classification, number: number, max_attempts: number = MAX_ATTEMPTS): MessageOutcome {
  if (classification.kind === 'delivered') return { status: 'succeeded' }
  if (classification.kind === 'permanent' || number >= max_attempts) return { status: 'failed', error: classification.error }
  const asked = classification.after_seconds ?? 0
  // If the target asks us to wait, that applies to all messages of the channel.
  return { status: 'pending', after_seconds: Math.max(retryDelay(number), asked), error: classification.error, hold: asked > 0 }
}

export const permanent = (code: string, detail: string, countsAsFailure = true): Classification => ({
  kind: 'permanent',
  error: { code, detail },
  countsAsFailure,
})

export const gone = (detail: string): Classification => ({
  kind: 'permanent',
  error: { code: 'gone', detail },
  countsAsFailure: true,
  gone: true,
})

export const transient = (code: string, detail: string, after_seconds = 0): Classification => ({
  kind: 'transient',
  error: { code, detail },
  after_seconds,
})

/**
 * The classification if the target of the channel was changed meanwhile: the message is retried at the new target as scheduled,
 * unless it could not be rendered.
 */
export function classificationAfterTargetChange(classification: Classification): Classification {
  if (classification.kind === 'delivered' || classification.error.code === 'internal') return classification
  return transient(classification.error.code, classification.error.detail)
}

/** The classification for a request without a response. A blocked address will still be blocked later. */
export function noResponse(error: OutboundError | null): Classification {
  const { code, detail } = error ?? { code: 'connection_failed', detail: 'There was no response.' }
  return code === 'blocked_address' ? permanent(code, detail) : transient(code, detail)
}

/** Whether the body of a 200 is incomplete. Where the body says whether a message was accepted, a part of it says nothing. */
export const isIncomplete = ({ status, error }: OutboundResult): boolean => status === 200 && error !== null

/** The body as a JSON object; an empty one if it is something else. */
export function jsonOf({ body }: OutboundResult): Record<string, unknown> {
  try {
    const parsed: unknown = JSON.parse(body ?? '')
    return parsed !== null && typeof parsed === 'object' ? (parsed as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}
