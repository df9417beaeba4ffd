/** Explains to the owner of a URL why an outgoing request failed. */

import { DeadlineExpired } from './deadline.ts'
import type { BodyNote } from './response-body.ts'
import { explainTls, isTlsCode } from './tls-errors.ts'

/** Why a request got no response, or what is wrong with its body. `detail` is for the owner of the URL. */
export interface OutboundError {
  code: 'timeout' | 'blocked_address' | 'dns_failure' | 'tls_error' | 'connection_failed' | BodyNote['code']
  detail: string
}

/** The name does not resolve, or requests to its address are not allowed. */
export class AddressError extends Error {
  constructor(readonly reason: OutboundError) {
    super(reason.detail)
  }
}

const CLOSED = /RESET|EPIPE|ConnectionClosed/

const REASONS: [code: RegExp, meaning: string][] = [
  [/REFUSED/, 'No server is listening at this address and port'],
  [CLOSED, 'The connection was closed before the response was complete'],
  [/UNREACH/, 'There is no route to this address'],
  [/HeadersTooLarge/, 'The headers of the response are too large'],
  [/HTTP|ContentLength/, 'The response is not valid HTTP'],
]

/** The code of an error; `unknown` if it has none. */
export const codeOf = (error: unknown): string =>
  typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : 'unknown'

/** Whether the other end closed the connection. */
export const wasClosed = (error: unknown): boolean => CLOSED.test(codeOf(error))

/**
 * Explains why a request failed.
 *
 * @param onTimeout what did not happen in time, such as "No response came from 192.0.2.1"
 * @param seconds the time limit
 */
export function explainError(error: unknown, onTimeout: string, seconds: number): OutboundError {
  if (error instanceof AddressError) return error.reason
  if (error instanceof DeadlineExpired) {
    return { code: 'timeout', detail: `${onTimeout} within ${seconds} seconds.` }
  }
  const code = codeOf(error)
  if (isTlsCode(code)) return { code: 'tls_error', detail: explainTls(code) }
  const meaning = REASONS.find(([pattern]) => pattern.test(code))?.[1]
  return { code: 'connection_failed', detail: `${meaning ?? 'The connection failed'} (${code}).` }
}
