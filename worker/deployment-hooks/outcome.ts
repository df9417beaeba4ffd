/** What a response means for a dispatch: success, retry or failure. Pure functions. */
import { retryDelay } from '../../core/dispatches/attempts.ts'
import { type Mask, maskedBeginning } from '../../core/security/masking.ts'
import { storable } from '../../core/values/plain-text.ts'
import type { AttemptError } from '../delivery/destination.ts'
import type { OutboundResult } from '../outbound/outbound.ts'
import { RETRY_AFTER_STATUSES, retryAfter } from '../outbound/retry-after.ts'

/** How much of a `Location` is masked before it is cut: a hook's URL, which it may repeat, is no longer. */
const MAX_LOCATION = 2_048

export type DispatchOutcome =
  | { kind: 'succeeded' }
  | { kind: 'retry'; after_seconds: number; error: AttemptError }
  | { kind: 'failed'; error: AttemptError; gone: boolean; was_withheld?: boolean }

/** The outcome of an attempt that sent nothing, because the hook may not get the body. It says nothing about the hook. */
export const withheld = (error: AttemptError): DispatchOutcome => ({ kind: 'failed', error, gone: false, was_withheld: true })

export const isWithheld = (outcome: DispatchOutcome): boolean => outcome.kind === 'failed' && outcome.was_withheld === true

const CAUSES: Record<number, string> = {
  401: ' It did not accept the signature or the headers.',
  403: ' It did not accept the signature or the headers, or they lack permission.',
  404: ' There is nothing at this url.',
  405: ' This url does not accept POST.',
  410: ' It does not want any more dispatches.',
}

function errorOf({ status, headers, error }: OutboundResult, stops: boolean, mask: Mask): AttemptError {
  if (status === null) return error ?? { code: 'connection_failed', detail: 'There was no response.' }
  const answered = `The receiver answered ${status}`
  if (status === 410) return { code: 'gone', detail: `${answered}.${CAUSES[410]}` }
  if (stops) return { code: 'http_error', detail: `${answered} and asked for no further attempts (X-Signalbox-Control: stop).` }
  if (status < 300 || status >= 400) return { code: 'http_error', detail: `${answered}.${CAUSES[status] ?? ''}` }
  // Masked before it is cut: a part of a secret would not be recognized.
  const target = headers?.location ? ` to ${storable(maskedBeginning(mask, headers.location, MAX_LOCATION).slice(0, 200))}` : ''
  return {
    code: 'redirect',
    detail: `${answered} with a redirect${target}. Redirects are not followed: set the url of the hook to the final one.`,
  }
}

/**
 * Classifies the response to an attempt. Once there is a status, it decides, whatever happened to the body.
 *
 * @param result as received: masking and cutting could change its meaning
 */
export function classifyResponse(
  result: OutboundResult,
  number: number,
  max_attempts: number,
  now: number,
  mask: Mask,
): DispatchOutcome {
  const { status } = result
  if (status !== null && status >= 200 && status < 300) return { kind: 'succeeded' }
  const stop = result.headers?.['x-signalbox-control']?.trim().toLowerCase() === 'stop'
  const error = errorOf(result, stop, mask)
  if (status === 410) return { kind: 'failed', error, gone: true }
  if (stop || number >= max_attempts) return { kind: 'failed', error, gone: false }
  const asked = status !== null && RETRY_AFTER_STATUSES.has(status) ? retryAfter(result.headers ?? {}, now) : 0
  return { kind: 'retry', after_seconds: Math.max(retryDelay(number), asked), error }
}

/**
 * The outcome of an attempt if the url of the hook was changed meanwhile: a failure of the old url is never final. The dispatch
 * is retried at the new url as scheduled, while it has attempts left. A body that was withheld is not sent to another url either.
 */
export function outcomeAfterTargetChange(outcome: DispatchOutcome, number: number, max_attempts: number): DispatchOutcome {
  if (outcome.kind === 'succeeded' || isWithheld(outcome)) return outcome
  const { error } = outcome
  if (number >= max_attempts) return { kind: 'failed', error, gone: false }
  return { kind: 'retry', after_seconds: retryDelay(number), error }
}
