/** What an answer means. Pure: sending, judging and recording cannot be confused. */
import { retryDelay } from '../../core/deployment-hooks.ts'
import { storable } from '../../core/values/plain-text.ts'
import { type Mask, maskedBeginning } from '../outbound/masking.ts'
import type { OutboundResult } from '../outbound/outbound.ts'

const HOUR = 3600
/** Answers with which a receiver may say when to come again. */
const ASKS_TO_WAIT = new Set([429, 502, 503, 504])
/** The three forms of a date in HTTP (RFC 9110, section 5.6.7): today's, that of RFC 850, and that of C's asctime. */
const HTTP_DATE = /^[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} .* GMT$|^[A-Z][a-z]+day, \d\d-[A-Z][a-z]{2}-\d\d .* GMT$/
/** A longer url could not be set. */
const MOST_LOCATION = 2_048
const ASCTIME = /^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d [\d:]{8} \d{4}$/

/** Why an attempt failed, for the owner of the hook. */
export interface AttemptError {
  code: string
  detail: string
}

/** What becomes of a dispatch after an attempt. */
export type Outcome =
  | { kind: 'succeeded' }
  | { kind: 'retry'; after_seconds: number; error: AttemptError }
  | { kind: 'failed'; error: AttemptError; gone: boolean }

/**
 * Seconds that `Retry-After` asks for (RFC 9110, section 10.2.3): digits, or a date, which is read by the
 * sender's own clock where it shows one.
 *
 * @returns 0 where it asks for nothing, at most an hour
 */
export function retryAfter(headers: Record<string, string>, now: number): number {
  const value = headers['retry-after']?.trim() ?? ''
  if (/^\d{1,10}$/.test(value)) return Math.min(Number(value), HOUR)
  if (!HTTP_DATE.test(value) && !ASCTIME.test(value)) return 0
  // C's form names no zone, and means GMT; it must not be read in that of this process.
  const until = Date.parse(ASCTIME.test(value) ? `${value} GMT` : value)
  const theirNow = Date.parse(headers.date ?? '')
  const seconds = (until - (Number.isNaN(theirNow) ? now : theirNow)) / 1000
  return Number.isNaN(seconds) ? 0 : Math.min(Math.max(Math.ceil(seconds), 0), HOUR)
}

/** What is to be done about an answer, where that can be said. */
const ADVICE: Record<number, string> = {
  401: ' It does not accept the secret or the headers.',
  403: ' It does not accept the secret or the headers, or forbids what they may do.',
  404: ' Nothing is at this url.',
  405: ' This url takes no POST.',
  410: ' It wants no more dispatches.',
}

function errorOf({ status, headers, error }: OutboundResult, stops: boolean, mask: Mask): AttemptError {
  if (status === null) return error ?? { code: 'connection_failed', detail: 'There was no answer.' }
  const answered = `The receiver answered ${status}`
  if (status === 410) return { code: 'gone', detail: `${answered}.${ADVICE[410]}` }
  if (stops)
    return { code: 'http_error', detail: `${answered}, and by X-Signalbox-Control: stop that there are to be no more tries.` }
  if (status < 300 || status >= 400) return { code: 'http_error', detail: `${answered}.${ADVICE[status] ?? ''}` }
  // A secret that is cut is no longer found.
  const where = headers?.location ? `, to ${storable(maskedBeginning(mask, headers.location, MOST_LOCATION).slice(0, 200))}` : ''
  return {
    code: 'redirect',
    detail: `${answered}${where}. Redirects are not followed: the url must be the one where it is taken.`,
  }
}

/**
 * Judges one attempt. The status decides as soon as it has come, whatever happened to the body.
 *
 * @param result as it came: what is masked or cut for the record could mean something else
 * @param number of the attempt, from 1
 * @param now milliseconds since 1970
 * @param mask takes secrets out of what is repeated of the answer
 */
export function judge(result: OutboundResult, number: number, max_attempts: number, now: number, mask: Mask): Outcome {
  const { status } = result
  if (status !== null && status >= 200 && status < 300) return { kind: 'succeeded' }
  const stop = result.headers?.['x-signalbox-control']?.trim().toLowerCase() === 'stop'
  const error = errorOf(result, stop, mask)
  if (status === 410) return { kind: 'failed', error, gone: true }
  if (stop || number >= max_attempts) return { kind: 'failed', error, gone: false }
  const asked = status !== null && ASKS_TO_WAIT.has(status) ? retryAfter(result.headers ?? {}, now) : 0
  return { kind: 'retry', after_seconds: Math.max(retryDelay(number), asked), error }
}

/**
 * What an outcome comes to where the url of the hook was changed meanwhile: a failed attempt is no more than that, and
 * the dispatch is tried at the new url, by the schedule, as long as it has attempts left.
 *
 * @param number of the attempt, from 1
 */
export function outcomeAfterMove(outcome: Outcome, number: number, max_attempts: number): Outcome {
  if (outcome.kind === 'succeeded') return outcome
  const { error } = outcome
  if (number >= max_attempts) return { kind: 'failed', error, gone: false }
  return { kind: 'retry', after_seconds: retryDelay(number), error }
}
