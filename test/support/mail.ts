/** The mail catcher that all files of this test process share, and the settings of boxes that send to it. */
import { type MailCatcher, startMailCatcher } from '../../bin/support/mail-catcher.ts'
import { freePort } from '../../bin/support/ports.ts'
import { beforeEnd } from './server.ts'

export const PUBLIC_URL = 'https://signalbox.example.com'

let catcher: Promise<MailCatcher> | undefined

async function start(): Promise<MailCatcher> {
  const started = await startMailCatcher({ smtpPort: await freePort('127.0.0.1'), webPort: await freePort('127.0.0.1') })
  beforeEnd.push(() => started.stop())
  return started
}

/** Contains the messages of all files: select by an address that only one test uses. */
export function mailCatcher(): Promise<MailCatcher> {
  catcher ??= start()
  return catcher
}

/** Settings of a box that sends its mail to the catcher, and requires verified addresses. */
export const mailSettings = ({ smtpUrl }: MailCatcher): Record<string, string> => ({
  SMTP_URL: smtpUrl,
  MAIL_FROM: 'Signalbox <post@signalbox.example.com>',
  PUBLIC_URL,
  EMAIL_VERIFICATION: 'required',
  LOG_LEVEL: 'trace',
})
