/** Mail goes out here. */
import type { SendMailOptions } from 'nodemailer'
import { monotonicMs } from '../../core/platform/clock.ts'
import { config } from '../../core/platform/config.ts'
import { log } from '../../core/platform/log.ts'
import { line } from '../../core/values/plain-text.ts'
import { maskOf, secretsOfMail } from '../outbound/masking.ts'
import { OFFERED_AUTH } from './auth-plain.ts'
import { createMailer, type SmtpError } from './smtp.ts'

const transport = config.SMTP_URL
  ? createMailer({
      url: config.SMTP_URL,
      customAuth: OFFERED_AUTH,
      connectionTimeout: 10_000,
      socketTimeout: 15_000,
    })
  : null

const mask = maskOf(config.SMTP_URL ? secretsOfMailUrl(config.SMTP_URL) : [])

function secretsOfMailUrl(url: string): string[] {
  const { username, password } = new URL(url)
  return password === '' ? [] : secretsOfMail(decodeURIComponent(username), decodeURIComponent(password))
}

/** What the server said may repeat our password, and goes to the log and to the record of the job. */
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

/** One mail to one person. */
export interface Mail {
  to: { name: string; address: string }
  subject: string
  text: string
  html?: string
  /** The same in every try, where a repeat should be seen as one. */
  messageId?: string
  headers?: Record<string, string>
}

/** The server refused this address or this mail for good. A refusal of ours, of the sender or of the password, an operator can mend. */
const isFinal = (error: unknown): boolean => {
  const { code, command, responseCode = 0, permanent = false } = error as SmtpError
  return (permanent || responseCode >= 500) && (code === 'EMESSAGE' || (code === 'EENVELOPE' && command === 'RCPT TO'))
}

/** A failure that took so long, without a word of the server, kept a place for jobs from others. */
const SLOW_MS = 5_000
/** While the server is silent, one mail in so long finds out whether it still is; longer than any takes to. */
const REST_MS = 20_000
let silent = false
let triedAt = 0

class MailServerSilent extends Error {
  override name = 'MailServerSilent'
  override message = 'The mail server of SMTP_URL did not answer a moment ago; it is asked again soon'
}

/** @throws {MailServerSilent} at once where the server is silent, and it is another mail's turn to find out */
async function sendUnlessSilent(mail: SendMailOptions): Promise<void> {
  const begun = monotonicMs()
  if (silent && begun - triedAt < REST_MS) throw new MailServerSilent()
  triedAt = begun
  try {
    await transport?.sendMail(mail)
    silent = false
  } catch (error) {
    const said = (error as { responseCode?: number }).responseCode !== undefined
    silent = !said && (silent || monotonicMs() - begun > SLOW_MS)
    throw error
  }
}

/**
 * Sends a mail; without SMTP_URL it says in the log that there is none. One that is refused for good is given up, with a
 * line in the log: asking again would be refused again.
 *
 * @throws whatever else went wrong: the job is then tried again
 */
export async function sendMail({ to, subject, text, html, messageId, headers }: Mail): Promise<void> {
  if (!transport) {
    log.warn({ subject }, 'a mail was not sent: SMTP_URL is not set')
    return
  }
  try {
    await sendUnlessSilent({
      from: config.MAIL_FROM,
      to: { name: line(to.name, 120), address: to.address },
      // A name in a subject must not begin a header of its own.
      subject: line(subject, 200),
      text,
      ...(html ? { html } : {}),
      ...(messageId ? { messageId } : {}),
      headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'OOF, AutoReply', ...headers },
    })
  } catch (error) {
    if (!isFinal(error)) throw withoutPassword(error)
    log.warn({ error: withoutPassword(error), subject }, 'the mail server refused a mail for good')
  }
}
