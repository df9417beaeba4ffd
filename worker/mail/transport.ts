/** Sends mail through the server of SMTP_URL. */
import type { SendMailOptions } from 'nodemailer'
import { monotonicMs } from '../../core/platform/clock.ts'
import { config } from '../../core/platform/config.ts'
import { log } from '../../core/platform/log.ts'
import { maskOf } from '../../core/security/masking.ts'
import { secretsOfMail } from '../../core/security/secret-forms.ts'
import { line } from '../../core/values/plain-text.ts'
import { createMailer, OFFERED_AUTH, type SmtpError } from './smtp.ts'

const transport = config.SMTP_URL
  ? createMailer({ url: config.SMTP_URL, customAuth: OFFERED_AUTH, connectionTimeout: 10_000, socketTimeout: 15_000 })
  : null

const mask = maskOf(config.SMTP_URL ? secretsOfMailUrl(config.SMTP_URL) : [])

function secretsOfMailUrl(url: string): string[] {
  const { username, password } = new URL(url)
  return password === '' ? [] : secretsOfMail(decodeURIComponent(username), decodeURIComponent(password))
}

/** Masks the password in an error: the server may repeat it, and the error is logged and stored with the job. */
function withoutPassword(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  const fields = error as Error & SmtpError
  for (const name of ['message', 'stack', 'response'] as const) {
    const text = fields[name]
    if (typeof text === 'string') fields[name] = mask(text)
  }
  fields.rejectedErrors?.forEach(withoutPassword)
  return error
}

interface Mail {
  to: { name: string; address: string }
  subject: string
  text: string
  html?: string
  /** The same in every attempt, so that mail servers can detect duplicates. */
  messageId?: string
  headers?: Record<string, string>
}

/** Whether the server refused the recipient or the content for good. A refused sender or password, the operator can correct. */
const isPermanent = (error: unknown): boolean => {
  const { code, command, responseCode = 0, permanent = false } = error as SmtpError
  return (permanent || responseCode >= 500) && (code === 'EMESSAGE' || (code === 'EENVELOPE' && command === 'RCPT TO'))
}

// A circuit breaker: mails to a server that does not respond would occupy job slots.

/** A failure without a response after this time opens the circuit. */
const SLOW_MS = 5_000
/** While the circuit is open, one mail per interval tries the server. Longer than any attempt takes. */
const RETRY_INTERVAL_MS = 20_000
let isUnresponsive = false
let triedAt = 0

class MailServerUnresponsive extends Error {
  override name = 'MailServerUnresponsive'
  override message = 'The mail server of SMTP_URL did not respond recently; retrying later'
}

/** @throws {MailServerUnresponsive} without trying, if the server did not respond to a recent mail */
async function sendUnlessUnresponsive(mail: SendMailOptions): Promise<void> {
  const start = monotonicMs()
  if (isUnresponsive && start - triedAt < RETRY_INTERVAL_MS) throw new MailServerUnresponsive()
  triedAt = start
  try {
    await transport?.sendMail(mail)
    isUnresponsive = false
  } catch (error) {
    const hasResponded = (error as { responseCode?: number }).responseCode !== undefined
    isUnresponsive = !hasResponded && (isUnresponsive || monotonicMs() - start > SLOW_MS)
    throw error
  }
}

/** Without SMTP_URL it only logs a warning. A mail that is refused for good is logged and dropped. @throws any other error */
export async function sendMail({ to, subject, text, html, messageId, headers }: Mail): Promise<void> {
  if (!transport) {
    log.warn({ subject }, 'mail not sent: SMTP_URL is not set')
    return
  }
  try {
    await sendUnlessUnresponsive({
      from: config.MAIL_FROM,
      to: { name: line(to.name, 120), address: to.address },
      // On one line, so that a name in a subject cannot inject headers.
      subject: line(subject, 200),
      text,
      ...(html ? { html } : {}),
      ...(messageId ? { messageId } : {}),
      headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'OOF, AutoReply', ...headers },
    })
  } catch (error) {
    if (!isPermanent(error)) throw withoutPassword(error)
    log.warn({ error: withoutPassword(error), subject }, 'mail refused permanently by the mail server')
  }
}
