/** A Signalbox that requires verified addresses, and the mail that it sends. */
import type { CapturedMail, MailCatcher } from '../../bin/support/mail-catcher.ts'
import { mailCatcher, mailSettings } from '../support/mail.ts'
import { type Box, signalbox } from '../support/signalbox.ts'

export class MailingBox {
  private constructor(
    readonly box: Box,
    readonly mail: MailCatcher,
  ) {}

  static async open(environment: Record<string, string> = {}, workers = 1): Promise<MailingBox> {
    const mail = await mailCatcher()
    const box = await signalbox({
      workers,
      environment: {
        ...mailSettings(mail),
        ...environment,
      },
    })
    return new MailingBox(box, mail)
  }

  close(): Promise<void> {
    return this.box.close()
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
export const newAddress = (): string => `someone.${++addresses}@example.com`

/** The response to any invitation that cannot be used. */
export const refused = { status: 404, body: { code: 'invitation_not_found' } }
