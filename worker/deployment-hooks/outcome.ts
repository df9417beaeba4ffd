/** What a response means for a dispatch: success, retry or failure. Pure functions. */
import { retryDelay } from '../../core/dispatches/attempts.ts'
import { type Mask, maskedBeginning } from '../../core/security/masking.ts'
import { storable } from '../../core/values/plain-text.ts'
import type { AttemptError } from '../delivery/destination.ts'
import type { OutboundResult } from '../outbound/outbound.ts'

const HOUR = 3600
/** Status codes whose `Retry-After` is honored. */
export const RETRY_AFTER_STATUSES = new Set([429, 502, 503, 504])
// The three date formats of HTTP (RFC 9110, section 5.6.7): IMF-fixdate, RFC 850, and asctime.
const HTTP_DATE = /^[A-Z][a-z]{2}, \d\d? [A-Z][a-z]{2} \d{4} .* GMT$|^[A-Z][a-z]+day, \d\d-[A-Z][a-z]{2}-\d\d .* GMT$/
const ASCTIME = /^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d [\d:]{8} \d{4}$/
/** How much of a `Location` is masked before it is cut: a hook's URL, which it may repeat, is no longer. */
const MAX_LOCATION = 2_048

export type DispatchOutcome =
  | { kind: 'succeeded' }
  | { kind: 'retry'; after_seconds: number; error: AttemptError }
  | { kind: 'failed'; error: AttemptError; gone: boolean; was_withheld?: boolean }

/** The outcome of an attempt that sent nothing, because the hook may not get the body. It says nothing about the hook. */
export const withheld = (error: AttemptError): DispatchOutcome => ({ kind: 'failed', error, gone: false, was_withheld: true })

export const isWithheld = (outcome: DispatchOutcome): boolean => outcome.kind === 'failed' && outcome.was_withheld === true

/**
 * The delay that `Retry-After` asks for (RFC 9110, section 10.2.3): seconds or a date. Many servers send fractions of seconds. A date is
 * compared with the receiver's own clock if the response has a `Date` header.
 *
 * @param now milliseconds since 1970
 * @returns seconds: 0 if there is no valid header, at most an hour
 */
export function retryAfter(headers: Record<string, string>, now: number): number {
  const value = headers['retry-after']?.trim() ?? ''
  // A proxy may have added one of its own.
  const numbers = value.split(',').map((each) => (/^\s*(\d+\.?\d*|\.\d+)\s*$/.test(each) ? Number(each) : Number.NaN))
  const asked = Math.ceil(Math.max(...numbers))
  if (!Number.isNaN(asked)) return Math.min(asked, HOUR)
  if (!HTTP_DATE.test(value) && !ASCTIME.test(value)) return 0
  // The asctime format has no time zone and means GMT.
  const until = Date.parse(ASCTIME.test(value) ? `${value} GMT` : value)
  const receiverNow = Date.parse(headers.date ?? '')
  const seconds = (until - (Number.isNaN(receiverNow) ? now : receiverNow)) / 1000
  return Number.isNaN(seconds) ? 0 : Math.min(Math.max(Math.ceil(seconds), 0), HOUR)
}

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
