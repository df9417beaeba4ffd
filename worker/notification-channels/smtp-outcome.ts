/** What a mail server's answers mean: 4xx passes, 5xx stays, the reverse of HTTP. */
import { canonicalAddress } from '../../core/values/email-addresses.ts'
import { storable } from '../../core/values/plain-text.ts'
import type { SmtpError } from '../mail/smtp.ts'
import type { OutboundError } from '../outbound/errors.ts'
import { type Mask, maskedBeginning } from '../outbound/masking.ts'
import { TIMEOUT_MS } from '../outbound/outbound.ts'
import { explainTls } from '../outbound/tls-errors.ts'
import { permanent, transient, unanswered, type Verdict } from './outcome.ts'

/** Characters of a reply that are read. */
const MOST_SAID = 2_048

/** One line of what the server said. A secret is taken out before anything is cut or put together. */
const said = ({ response, message }: SmtpError, mask: Mask): string =>
  storable(
    maskedBeginning(mask, response ?? message ?? '', MOST_SAID)
      .replaceAll(/\s+/g, ' ')
      .trim()
      .slice(0, 300),
  )

/** Whether asking again would be answered the same. */
const isFinal = ({ permanent = false, responseCode = 0 }: SmtpError): boolean => permanent || responseCode >= 500

const CERTIFICATE = /certificate|altname|self.signed|unable to verify|wrong version|CERT_/i
/** The library puts its own code in place of that of TLS, which is left in the message of some errors alone. */
const tlsCodeOf = ({ code = '', message = '' }: SmtpError): string | null =>
  /\bERR_(?:SSL|TLS)_\w+/.exec(`${code} ${message}`)?.[0] ?? /OPENSSL_internal:(\w+)/.exec(message)?.[1] ?? null
const STAGES: Record<string, string> = {
  EAUTH: 'auth_failed',
  EENVELOPE: 'sender_rejected',
  EMESSAGE: 'message_rejected',
  ETLS: 'tls_error',
}

/** A failure of the whole conversation. */
function judged(error: SmtpError, mask: Mask): Verdict {
  const { code = '', responseCode } = error
  const detail = responseCode === undefined ? said(error, mask) : `The mail server answered: ${said(error, mask)}`
  // What it answered comes first: a 421 closes connections, and looks like a broken one.
  if (responseCode !== undefined && responseCode >= 400 && responseCode < 500) return transient('smtp_error', detail)
  if (isFinal(error)) {
    // 552: the message is larger than the server takes.
    return permanent(STAGES[code] ?? 'smtp_error', detail, !(code === 'EMESSAGE' && responseCode === 552))
  }
  const tlsCode = tlsCodeOf(error)
  if (tlsCode !== null) return permanent('tls_error', explainTls(tlsCode))
  if (CERTIFICATE.test(`${error.message} ${code}`)) return permanent('tls_error', `TLS was refused: ${said(error, mask)}`)
  if (code === 'EAUTH') return permanent('auth_failed', said(error, mask))
  if (code === 'ETIMEDOUT')
    return transient('timeout', `${said(error, mask)}. Port 465 speaks TLS from the first byte, others do not.`)
  return transient('connection_failed', `The connection failed: ${said(error, mask)}`)
}

/**
 * @param expired whether the deadline was over; a connection that is cut then was cut by us
 * @returns the verdict, and the code that the server answered with
 */
export function judgeSmtp(thrown: unknown, expired: boolean, mask: Mask): { verdict: Verdict; response_status: number | null } {
  const error = (thrown ?? {}) as SmtpError
  const response_status = error.responseCode ?? null
  if (error.code === 'blocked_address' || error.code === 'dns_failure') {
    return { verdict: unanswered(thrown as OutboundError), response_status }
  }
  if (expired && response_status === null) {
    return { verdict: transient('timeout', `The mail server took longer than ${TIMEOUT_MS / 1000} seconds.`), response_status }
  }
  return { verdict: judged(error, mask), response_status }
}

/** What is known of the recipients of a message after an attempt. */
interface Recipients {
  total: number
  /** How many of them have the message, from this attempt or an earlier one. */
  reached: number
  /** Addresses that earlier attempts were refused for good, with their codes. */
  refusedBefore: Record<string, string>
  refusedNow: SmtpError[]
}

/**
 * Whether a message is through. While an address may still get it, it is tried again, for those addresses alone; one
 * that was refused for good makes it failed in the end.
 */
export function judgeRecipients({ total, reached, refusedBefore, refusedNow }: Recipients, mask: Mask): Verdict {
  const list = [
    ...refusedNow.map((each) => `${each.recipient ?? 'an address'} (${said(each, mask)})`),
    ...Object.entries(refusedBefore).map(([address, code]) => `${address} (${code})`),
  ]
  if (list.length === 0) return { kind: 'delivered' }
  const detail = storable(`${list.length} of ${total} addresses were refused: ${list.join(', ')}`.slice(0, 1000))
  if (!refusedNow.every(isFinal)) return transient('recipient_rejected', detail)
  // Where somebody got it, the channel works.
  return permanent('recipient_rejected', detail, reached === 0)
}

/** The code of a refusal, without the words of the server: `550 5.1.1`. */
const codeOf = ({ response = '', message = '' }: SmtpError): string =>
  /^\d{3}(?:[ -]\d\.\d{1,3}\.\d{1,3})?/.exec(response)?.[0] ?? message

/** Mailboxes as a message keeps them; an envelope may name them in another spelling. */
export const mailboxOf = (recipient = ''): string => canonicalAddress(recipient) ?? recipient

/** Mailboxes that were refused for good, each with its code. */
export const refusedForGood = (refused: SmtpError[]): Record<string, string> =>
  Object.fromEntries(refused.filter(isFinal).map((each) => [mailboxOf(each.recipient), codeOf(each)]))
