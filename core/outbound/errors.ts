/** Explains to the owner of a URL why an outgoing request failed. */
import { checkServerIdentity, type PeerCertificate } from 'node:tls'
import { DeadlineExpired } from './deadline.ts'

/** Why the body of a response is incomplete or not decoded. */
export type BodyNote = { code: 'body_too_long' | 'body_undecodable'; detail: string }

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

export const codeOf = (error: unknown): string =>
  typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : 'unknown'

export const wasClosed = (error: unknown): boolean => CLOSED.test(codeOf(error))

/** @param onTimeout what did not happen in time, such as "No response came from 192.0.2.1" */
export function explainError(error: unknown, onTimeout: string, seconds: number): OutboundError {
  if (error instanceof AddressError) return error.reason
  if (error instanceof DeadlineExpired) return { code: 'timeout', detail: `${onTimeout} within ${seconds} seconds.` }
  const code = codeOf(error)
  if (isTlsCode(code)) return { code: 'tls_error', detail: explainTls(code) }
  const meaning = REASONS.find(([pattern]) => pattern.test(code))?.[1]
  return { code: 'connection_failed', detail: `${meaning ?? 'The connection failed'} (${code}).` }
}

/** Only the subjectAltName of a certificate counts, not the common name (RFC 9525, section 6.3). */
export function identityError(identity: string, certificate: PeerCertificate): Error | undefined {
  if (!certificate.subjectaltname) {
    return Object.assign(new Error('The certificate has no subjectAltName'), { code: 'ERR_TLS_CERT_WITHOUT_SAN' })
  }
  return checkServerIdentity(identity, certificate)
}

/** Error codes of Bun and BoringSSL. */
const MEANINGS: [code: RegExp, meaning: string][] = [
  [/WITHOUT_SAN/, 'The certificate was not accepted: it has no subjectAltName (SAN), and the common name is not used'],
  [/ALTNAME/, 'The certificate was not accepted: it is for another name'],
  [/NOT_YET_VALID/, 'The certificate was not accepted: it is not valid yet'],
  [
    /ALERT_CERTIFICATE_EXPIRED|ALERT_.*CERTIFICATE|CERTIFICATE_REQUIRED/,
    'The server requires a client certificate, which Signalbox does not send',
  ],
  [/EXPIRED/, 'The certificate was not accepted: it has expired'],
  [
    /SELF_SIGNED|ISSUER|VERIFY_LEAF/,
    'The certificate was not accepted: it is not signed by a trusted authority. The operator can add authorities with OUTBOUND_CA',
  ],
  [/PROTOCOL_VERSION|UNSUPPORTED_PROTOCOL/, 'The server does not support TLS 1.2 or 1.3'],
  [
    /HANDSHAKE_FAILURE/,
    'The server refused the TLS handshake: it requires a client certificate, which Signalbox does not send, or has no cipher suite in common',
  ],
  [/WRONG_VERSION_NUMBER|HTTP_REQUEST/, 'The server does not speak TLS on this port'],
]

const isTlsCode = (code: string): boolean => /CERT|TLS|SSL|SELF_SIGNED|UNABLE_TO_|EPROTO|HOSTNAME_MISMATCH/i.test(code)

export function explainTls(code: string): string {
  const meaning = MEANINGS.find(([pattern]) => pattern.test(code))?.[1]
  if (meaning) return `${meaning} (${code}).`
  return `${/CERT|UNABLE_TO_/.test(code) ? 'The certificate was not accepted' : 'The TLS handshake failed'} (${code}).`
}
