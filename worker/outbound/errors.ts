/** Why an outgoing request failed, in words for the owner of its URL. */

import { DeadlineExpired } from './deadline.ts'
import type { BodyNote } from './response-body.ts'
import { explainTls, isTlsCode } from './tls-errors.ts'

/** Why a request got no answer. `detail` is for the owner of the URL. */
export interface OutboundError {
  code: 'timeout' | 'blocked_address' | 'dns_failure' | 'tls_error' | 'connection_failed' | BodyNote['code']
  detail: string
}

/** An address that may not be reached, or a name without one. */
export class Refused extends Error {
  constructor(readonly problem: OutboundError) {
    super(problem.detail)
  }
}

const CLOSED = /RESET|EPIPE|ConnectionClosed/

/** What the codes of a failed request mean. */
const REASONS: [code: RegExp, meaning: string][] = [
  [/REFUSED/, 'Nothing listens at this address and port'],
  [CLOSED, 'The connection was closed before the answer was whole'],
  [/UNREACH/, 'There is no way to this address'],
  [/HeadersTooLarge/, 'The headers of the answer are too large'],
  [/HTTP|ContentLength/, 'The answer is not HTTP as it should be'],
]

/** The code of an error; `unknown` where it has none. */
export const codeOf = (error: unknown): string =>
  typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : 'unknown'

/** Whether the other end closed the connection. */
export const wasClosed = (error: unknown): boolean => CLOSED.test(codeOf(error))

/**
 * Explains why a request failed.
 *
 * @param late what did not come in time, where it is that
 * @param seconds that it had
 */
export function explained(error: unknown, late: string, seconds: number): OutboundError {
  if (error instanceof Refused) return error.problem
  if (error instanceof DeadlineExpired) {
    return { code: 'timeout', detail: `${late} within ${seconds} seconds.` }
  }
  const code = codeOf(error)
  if (isTlsCode(code)) return { code: 'tls_error', detail: explainTls(code) }
  const meaning = REASONS.find(([pattern]) => pattern.test(code))?.[1]
  return { code: 'connection_failed', detail: `${meaning ?? 'The connection failed'} (${code}).` }
}
