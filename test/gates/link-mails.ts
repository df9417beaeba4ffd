/** A committee whose members get mails about gates, with links that decide them. */
import { expect } from 'bun:test'
import type { CapturedMail, MailCatcher } from '../../bin/support/mail-catcher.ts'
import { mailCatcher, mailSettings } from '../support/mail.ts'
import type { Actor, Answer } from '../support/signalbox.ts'
import { Committee } from './committee.ts'

export const LINK = /https:\/\/signalbox\.example\.com(\/decide\?token=[\w.-]+)/

export type Gate = Answer['body']

interface LinkRow {
  user_id: string
  hash: Uint8Array
  /** Seconds until it expires. */
  seconds: number
}

export class LinkMails {
  private constructor(
    readonly committee: Committee,
    private readonly catcher: MailCatcher,
  ) {}

  static async open(): Promise<LinkMails> {
    const catcher = await mailCatcher()
    return new LinkMails(await Committee.meet({ workers: 1, environment: mailSettings(catcher) }), catcher)
  }

  /** The mails about a gate to a person, newest first. */
  about({ id }: Gate, { email }: Actor): CapturedMail[] {
    return this.catcher.messages.filter(({ to, text }) => to.includes(email) && text.includes(id))
  }

  /** Waits for the mails about a gate to a person; returns the path of the newest link. */
  async linkOf(gate: Gate, to: Actor, count = 1): Promise<string> {
    const found = () => this.about(gate, to)
    await this.committee.box.until(`${count} mails about the gate came to ${to.name}`, async () => found().length >= count)
    const [, path] = LINK.exec(found()[0]?.text ?? '') ?? []
    if (!path) throw new Error(`There is no link in ${found()[0]?.text}`)
    return path
  }

  /** A new gate, and the link that was mailed to Grace. */
  async openedWithLink(input: object = {}): Promise<{ gate: Gate; link: string }> {
    const gate = await this.committee.opened(input)
    return { gate, link: await this.linkOf(gate, this.committee.grace) }
  }

  /** The stored links of a gate, of one person if one is given. */
  async rowsOf({ id }: Gate, person?: Actor): Promise<LinkRow[]> {
    const rows = await this.committee.box.sql<LinkRow[]>`
      select user_id, hash, extract(epoch from expires_at - now())::float8 as seconds from decision_links where gate_id = ${id}
    `
    return rows.filter(({ user_id }) => person === undefined || user_id === person.id)
  }
}

/** Expects that a link lasts this long, counted at the earliest from when its gate was opened. */
export function expectToLast(link: LinkRow | undefined, seconds: number, { created_at }: Gate): void {
  const left = link?.seconds ?? 0
  expect(left).toBeLessThanOrEqual(seconds)
  expect(left + (Date.now() - Date.parse(created_at)) / 1000).toBeGreaterThanOrEqual(seconds - 0.01)
}
