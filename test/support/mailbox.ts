/** Mail that boxes send to the catcher of this test process. */
import type { CapturedMail, MailCatcher } from '../../bin/support/mail-catcher.ts'
import { mailCatcher, mailSettings, PUBLIC_URL } from './mail.ts'
import type { Box } from './signalbox.ts'

export { PUBLIC_URL }

export class Mailbox {
  private constructor(private readonly catcher: MailCatcher) {}

  static async open(): Promise<Mailbox> {
    return new Mailbox(await mailCatcher())
  }

  /** The settings of a box that sends its mail here. */
  get environment(): Record<string, string> {
    return mailSettings(this.catcher)
  }

  /** The mails to an address, newest first. */
  to(email: string): CapturedMail[] {
    return this.catcher.messages.filter(({ to }) => to.some((address) => address.toLowerCase() === email.toLowerCase()))
  }

  /** Waits for a number of mails with a subject to an address, and returns the newest. */
  async newest(box: Box, email: string, subject: string, count = 1): Promise<CapturedMail> {
    const found = () => this.to(email).filter((mail) => mail.subject === subject)
    await box.until(`${count} × "${subject}" to ${email}`, async () => found().length >= count)
    return found()[0] as CapturedMail
  }

  /** The token of the newest link to a page that was mailed to an address. */
  async token(box: Box, email: string, page: 'verify-email' | 'reset-password', count = 1): Promise<string> {
    const subject = page === 'verify-email' ? 'Verify your e-mail address' : 'Set a new password'
    const { text } = await this.newest(box, email, subject, count)
    const [, token] = new RegExp(`${PUBLIC_URL}/${page}\\?token=([\\w-]+)\\s`).exec(text) ?? []
    if (!token) throw new Error(`There is no link in ${text}`)
    return token
  }

  /** Forgets all mails, for a file that registers the same addresses again. */
  clear(): void {
    ;(this.catcher.messages as CapturedMail[]).length = 0
  }

  /** Resolves when no mail job is left. */
  async quiet(box: Box): Promise<void> {
    await box.until('no job is left', async () => (await box.sql`select from graphile_worker.jobs`).length === 0)
  }
}
