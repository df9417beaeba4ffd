/** What a mail server's answers mean: 4xx passes, 5xx stays, the reverse of HTTP. */
import { type OutboundError, storable, TIMEOUT_MS } from '../../core/outbound.ts'
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

/** One line of what the server said. */
const said = ({ response, message }: SmtpError): string =>
  storable((response ?? message ?? '').replaceAll(/\s+/g, ' ').trim()).slice(0, 300)

const CERTIFICATE = /certificate|altname|self.signed|unable to verify|wrong version|CERT_/i
const STAGES: Record<string, string> = {
  EAUTH: 'auth_failed',
  EENVELOPE: 'sender_rejected',
  EMESSAGE: 'message_rejected',
  ETLS: 'tls_error',
}

/** A failure of the whole conversation. */
function judged(error: SmtpError): Verdict {
  const { code = '', command = '', responseCode } = error
  const detail = `The mail server answered: ${said(error)}`
  // What it answered comes first: a 421 closes connections, and looks like a broken one.
  if (responseCode !== undefined && responseCode >= 400 && responseCode < 500) return transient('smtp_error', detail)
  if (responseCode !== undefined && responseCode >= 500) {
    if (command === 'RCPT TO') return judgeRefusals(error.rejectedErrors ?? [error], error.rejectedErrors?.length ?? 1)
    // 552: the message is larger than the server takes.
    return permanent(STAGES[code] ?? 'smtp_error', detail, !(code === 'EMESSAGE' && responseCode === 552))
  }
  if (CERTIFICATE.test(`${error.message} ${code}`)) return permanent('tls_error', `TLS was refused: ${said(error)}`)
  if (code === 'EAUTH') return permanent('auth_failed', said(error))
  if (code === 'ETIMEDOUT') return transient('timeout', `${said(error)}. Port 465 speaks TLS from the first byte, others do not.`)
  return transient('connection_failed', `The connection failed: ${said(error)}`)
}

/**
 * @param expired whether the deadline was over; a connection that is cut then was cut by us
 * @returns the verdict, and the code that the server answered with
 */
export function judgeSmtp(thrown: unknown, expired: boolean): { verdict: Verdict; response_status: number | null } {
  const error = (thrown ?? {}) as SmtpError
  const response_status = error.responseCode ?? null
  if (error.code === 'blocked_address' || error.code === 'dns_failure') {
    return { verdict: unanswered(thrown as OutboundError), response_status }
  }
  if (expired && response_status === null) {
    return { verdict: transient('timeout', `The mail server took longer than ${TIMEOUT_MS / 1000} seconds.`), response_status }
  }
  return { verdict: judged(error), response_status }
}

/**
 * Some addresses, or all, were refused. The others have the message; while one of those left may still get it, it is
 * tried again, for them alone.
 */
export function judgeRefusals(refused: SmtpError[], all: number): Verdict {
  const list = refused.map((each) => `${each.recipient ?? 'an address'} (${said(each)})`).join(', ')
  const detail = `${refused.length} of ${all} addresses were refused: ${list}`.slice(0, 1000)
  if (refused.some(({ responseCode = 400 }) => responseCode < 500)) return transient('recipient_rejected', detail)
  // Where somebody got it, the channel works.
  return permanent('recipient_rejected', detail, refused.length === all)
}
