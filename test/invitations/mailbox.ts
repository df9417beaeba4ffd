/** A Signalbox that requires verified addresses, and the mail that it sends. */
import { type CapturedMail, type MailCatcher, startMailCatcher } from '../../bin/support/mail-catcher.ts'
import { freePort } from '../../bin/support/ports.ts'
import { type Actor, type Box, signalbox } from '../support/signalbox.ts'

export class Mailbox {
  private constructor(
    readonly box: Box,
    readonly mail: MailCatcher,
  ) {}

  static async open(environment: Record<string, string> = {}, workers = 1): Promise<Mailbox> {
    const mail = await startMailCatcher({ smtpPort: await freePort('127.0.0.1'), webPort: await freePort('127.0.0.1') })
    const box = await signalbox({
      workers,
      environment: {
        EMAIL_VERIFICATION: 'required',
        SMTP_URL: mail.smtpUrl,
        PUBLIC_URL: 'https://signalbox.example.com',
        LOG_LEVEL: 'trace',
        ...environment,
      },
    })
    return new Mailbox(box, mail)
  }

  async close(): Promise<void> {
    // A worker killed while it sends a mail would leave a hanging connection.
    await this.box.until('no mail is being sent', async () => {
      const [{ mails }] = await this.box.sql<[{ mails: number }]>`
        select count(*) as mails
        from graphile_worker.jobs
        where starts_with(task_identifier, 'mail_')
          and locked_at is not null
      `
      return mails === 0
    })
    await this.box.close()
    await this.mail.stop()
  }

  /** A user with a verified address. */
  async verifiedUser(name: string): Promise<Actor> {
    const actor = await this.box.user(name)
    await this.box.sql`update users set email_verified = true where id = ${actor.id}`
    return actor
  }

  /** Waits for a number of invitations to an address; returns them newest first. */
  async invitationsTo(email: string, count = 1): Promise<CapturedMail[]> {
    const found = () =>
      this.mail.messages.filter(
        ({ to, text }) =>
          to.some((address) => address.toLowerCase() === email.toLowerCase()) && text.includes('/invitations?token='),
      )
    await this.box.until(`${count} invitations came to ${email}`, async () => found().length >= count)
    return found()
  }

  /** Waits for a number of invitations; returns the token of the newest one. */
  async tokenFor(email: string, count = 1): Promise<string> {
    const [newest] = await this.invitationsTo(email, count)
    const [, token] = /https:\/\/signalbox\.example\.com\/invitations\?token=([\w-]+)\s/.exec(newest?.text ?? '') ?? []
    if (!token) throw new Error(`There is no link in ${newest?.text}`)
    return token
  }
}

let addresses = 0

/** A new, unused address. */
export const newAddress = (): string => `somebody.${++addresses}@example.com`

/** The response to any invitation that cannot be used. */
export const refused = { status: 404, body: { code: 'invitation_not_found' } }
