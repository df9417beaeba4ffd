/** What the replies of a mail server mean. In SMTP, 4xx is transient and 5xx permanent. */
import { explainTls, type OutboundError } from '../../../core/outbound/errors.ts'
import { type Mask, maskedBeginning } from '../../../core/security/masking.ts'
import { canonicalAddress } from '../../../core/values/email-addresses.ts'
import { storable } from '../../../core/values/plain-text.ts'
import type { SmtpError } from '../../mail/smtp.ts'
import { TIMEOUT_MS } from '../../outbound/outbound.ts'
import { type Classification, noResponse, permanent, transient } from '../outcome.ts'

const MAX_REPLY = 2_048

/** The reply of the server, as one line. Secrets are masked before it is cut or joined. */
function replyText({ response, message }: SmtpError, mask: Mask): string {
  const reply = maskedBeginning(mask, response ?? message ?? '', MAX_REPLY)
  return storable(reply.replaceAll(/\s+/g, ' ').trim().slice(0, 300))
}

const isPermanent = ({ permanent = false, responseCode = 0 }: SmtpError): boolean => permanent || responseCode >= 500

const CERTIFICATE = /certificate|altname|self.signed|unable to verify|wrong version|CERT_/i
/** nodemailer replaces the TLS error code with its own; only some error messages still contain it. */
const tlsCodeOf = ({ code = '', message = '' }: SmtpError): string | null =>
  /\bERR_(?:SSL|TLS)_\w+/.exec(`${code} ${message}`)?.[0] ?? /OPENSSL_internal:(\w+)/.exec(message)?.[1] ?? null
const STAGES: Record<string, string> = {
  EAUTH: 'auth_failed',
  EENVELOPE: 'sender_rejected',
  EMESSAGE: 'message_rejected',
  ETLS: 'tls_error',
}

function classifyError(error: SmtpError, mask: Mask): Classification {
  const { code = '', responseCode } = error
  const reply = replyText(error, mask)
  const detail = responseCode === undefined ? reply : `The mail server answered: ${reply}`
  // The reply code comes first: after a 421 the server closes the connection, which looks like a connection error.
  if (responseCode !== undefined && responseCode >= 400 && responseCode < 500) return transient('smtp_error', detail)
  // A reply that does not fit the command.
  if (responseCode !== undefined && responseCode < 400) return transient('smtp_error', reply)
  if (isPermanent(error)) {
    // 552: the message is larger than the server accepts.
    return permanent(STAGES[code] ?? 'smtp_error', detail, !(code === 'EMESSAGE' && responseCode === 552))
  }
  const tlsCode = tlsCodeOf(error)
  if (tlsCode !== null) return permanent('tls_error', explainTls(tlsCode))
  if (CERTIFICATE.test(`${error.message} ${code}`)) return permanent('tls_error', `The TLS handshake failed: ${reply}`)
  if (code === 'EAUTH') return permanent('auth_failed', reply)
  if (code === 'ETIMEDOUT')
    return transient('timeout', `${reply}. Only port 465 uses TLS from the start; on other ports TLS starts with STARTTLS.`)
  return transient('connection_failed', `The connection failed: ${reply}`)
}

/** @param expired whether the deadline had expired, so that we closed the connection */
export function classifySmtp(
  thrown: unknown,
  expired: boolean,
  mask: Mask,
): { classification: Classification; response_status: number | null } {
  const error = (thrown ?? {}) as SmtpError
  const response_status = error.responseCode ?? null
  if (error.code === 'blocked_address' || error.code === 'dns_failure') {
    return { classification: noResponse(thrown as OutboundError), response_status }
  }
  if (expired && response_status === null) {
    const detail = `The mail server took longer than ${TIMEOUT_MS / 1000} seconds.`
    return { classification: transient('timeout', detail), response_status }
  }
  return { classification: classifyError(error, mask), response_status }
}

interface Recipients {
  total: number
  /** How many of them got the message, in this or an earlier attempt. */
  reached: number
  /** Addresses that were refused for good in earlier attempts, with the reply codes. */
  refusedBefore: Record<string, string>
  refusedNow: SmtpError[]
}

/**
 * The classification for a message with several recipients. It is retried for the recipients that may still get it. If the server
 * refused a recipient for good, the message fails in the end.
 */
export function classifyRecipients({ total, reached, refusedBefore, refusedNow }: Recipients, mask: Mask): Classification {
  const list = [
    ...refusedNow.map((each) => `${each.recipient ?? 'an address'} (${replyText(each, mask)})`),
    ...Object.entries(refusedBefore).map(([address, code]) => `${address} (${code})`),
  ]
  if (list.length === 0) return { kind: 'delivered' }
  const detail = storable(`${list.length} of ${total} addresses were refused: ${list.join(', ')}`.slice(0, 1000))
  if (!refusedNow.every(isPermanent)) return transient('recipient_rejected', detail)
  // If any recipient got it, the channel works.
  return permanent('recipient_rejected', detail, reached === 0)
}

/** The code of a refusal without its text: `550 5.1.1`. */
const codeOf = ({ response = '', message = '' }: SmtpError): string =>
  /^\d{3}(?:[ -]\d\.\d{1,3}\.\d{1,3})?/.exec(response)?.[0] ?? message

/** The canonical form of an address; an SMTP error may spell it differently. */
export const mailboxOf = (recipient = ''): string => canonicalAddress(recipient) ?? recipient

/** Addresses that were refused for good, with the reply codes. */
export const refusedForGood = (refused: SmtpError[]): Record<string, string> =>
  Object.fromEntries(refused.filter(isPermanent).map((each) => [mailboxOf(each.recipient), codeOf(each)]))
