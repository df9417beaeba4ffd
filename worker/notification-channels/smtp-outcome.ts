/** What a mail server's answers mean: 4xx passes, 5xx stays, the reverse of HTTP. */
import type { Mask } from '../../core/masking.ts'
import { TIMEOUT_MS } from '../../core/outbound.ts'
import type { OutboundError } from '../../core/outbound-errors.ts'
import { storable } from '../../core/plain-text.ts'
import { explainTls } from '../../core/tls-faults.ts'
import { permanent, transient, unanswered, type Verdict } from './outcome.ts'

/** What the mail library says of a failure; every field may be missing. */
interface SmtpError {
  code?: string
  command?: string
  responseCode?: number
  response?: string
  message?: string
  rejectedErrors?: SmtpError[]
  recipient?: string
}

/** One line of what the server said. A secret is taken out before anything is cut or put together. */
const said = ({ response, message }: SmtpError, mask: Mask): string =>
  storable(
    mask(response ?? message ?? '')
      .replaceAll(/\s+/g, ' ')
      .trim(),
  ).slice(0, 300)

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
  const { code = '', command = '', responseCode } = error
  const detail = `The mail server answered: ${said(error, mask)}`
  // What it answered comes first: a 421 closes connections, and looks like a broken one.
  if (responseCode !== undefined && responseCode >= 400 && responseCode < 500) return transient('smtp_error', detail)
  if (responseCode !== undefined && responseCode >= 500) {
    if (command === 'RCPT TO') return judgeRefusals(error.rejectedErrors ?? [error], error.rejectedErrors?.length ?? 1, mask)
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

/**
 * Some addresses, or all, were refused. The others have the message; while one of those left may still get it, it is
 * tried again, for them alone.
 */
export function judgeRefusals(refused: SmtpError[], all: number, mask: Mask): Verdict {
  const list = refused.map((each) => `${each.recipient ?? 'an address'} (${said(each, mask)})`).join(', ')
  const detail = `${refused.length} of ${all} addresses were refused: ${list}`.slice(0, 1000)
  if (refused.some(({ responseCode = 400 }) => responseCode < 500)) return transient('recipient_rejected', detail)
  // Where somebody got it, the channel works.
  return permanent('recipient_rejected', detail, refused.length === all)
}
