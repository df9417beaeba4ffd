/** Mail goes out here. */
import nodemailer from 'nodemailer'
import { config } from '../../core/config.ts'
import { log } from '../../core/log.ts'

const transport = config.SMTP_URL
  ? nodemailer.createTransport({
      url: config.SMTP_URL,
      disableFileAccess: true,
      disableUrlAccess: true,
      connectionTimeout: 10_000,
      socketTimeout: 15_000,
    })
  : null

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

/**
 * Sends a mail; without SMTP_URL it says in the log that there is none.
 *
 * @throws whatever the server refused it with: the job is then tried again
 */
export async function sendMail({ to, subject, text, html, messageId, headers }: Mail): Promise<void> {
  if (!transport) {
    log.warn({ subject }, 'a mail was not sent: SMTP_URL is not set')
    return
  }
  await transport.sendMail({
    from: config.MAIL_FROM,
    to,
    // A name in a subject must not begin a header of its own.
    subject: subject.replaceAll(/[\r\n]+/g, ' '),
    text,
    ...(html ? { html } : {}),
    ...(messageId ? { messageId } : {}),
    headers: { 'Auto-Submitted': 'auto-generated', ...headers },
  })
}
