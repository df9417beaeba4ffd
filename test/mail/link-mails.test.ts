import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { CapturedMail, MailCatcher } from '../../bin/support/mail-catcher.ts'
import { mailCatcher, mailSettings } from '../support/mail.ts'
import { type Actor, type Box, signalbox } from '../support/signalbox.ts'

let box: Box
let mail: MailCatcher
let ada: Actor

beforeAll(async () => {
  mail = await mailCatcher()
  box = await signalbox({
    environment: mailSettings(mail),
  })
  ada = await box.register('Ada <b> Lovelace')
})
afterAll(() => box.close())

async function mailTo(address: string, path: string): Promise<CapturedMail> {
  const found = () => mail.messages.find(({ to, text }) => to.includes(address) && text.includes(`/${path}?token=`))
  await box.until(`a mail with a link to ${path} came`, async () => found() !== undefined)
  return found() as CapturedMail
}

/** Text and HTML link to the same URL, and the HTML loads nothing. */
function expectOneLink({ text, html }: CapturedMail, path: string): void {
  const [url = ''] = /https:\S+/.exec(text) ?? []
  expect(url).toStartWith(`https://signalbox.example.com/${path}?token=`)
  const links = [...(html ?? '').matchAll(/href="([^"]+)"/g)].map(([, link]) => link)
  expect(links).toEqual([url, url])
  expect(html).not.toMatch(/<img|<script|<link|src=/)
  // Not "within 24 hours": nobody knows when it is read.
  for (const part of [text, html ?? '']) expect(part).toMatch(/open this link before \d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC:/i)
}

test('verification, password reset and invitation have text and HTML with the same link', async () => {
  expectOneLink(await mailTo(ada.email, 'verify-email'), 'verify-email')
  await box.sql`update users set email_verified = true where id = ${ada.id}`
  await box.request('POST', '/api/v1/auth/password-reset', { email: ada.email })
  expectOneLink(await mailTo(ada.email, 'reset-password'), 'reset-password')
  const { organization } = await box.site(ada, 'Acme & <i>Sons</i>')
  await ada.make(`/api/v1/organizations/${organization.id}/members`, { email: 'grace@example.com', role: 'member' })
  const invitation = await mailTo('grace@example.com', 'invitations')
  expectOneLink(invitation, 'invitations')
  expect(invitation.text).toContain('“Ada <b> Lovelace” invites you to join the organization “Acme & <i>Sons</i>”')
  expect(invitation.html).toContain('“Ada &lt;b> Lovelace” invites you to join the organization “Acme &amp; &lt;i>Sons&lt;/i>”')
})

// What mail programs turn into links: addresses with a scheme or `www.`, and bare ones of pages and mailboxes.
const ADDRESS = /[a-z]+:\/\/|www\.\p{L}|[\w-]+[.。．]\p{L}{2,}|\S@\p{L}/iu

test('names of strangers stand in quotation marks, shortened, and addresses in them are no links', async () => {
  const scam = 'Win” a prize at http://evil.example, www.evil.example or mail evil@evil。example now'
  const olga = await box.user('Olga')
  await olga.put('/api/v1/users/me', { name: scam })
  const { organization } = await box.site(olga, `Your account is locked: evil.example/login ${'!'.repeat(60)}`)
  const [known, newcomer] = [await box.user('Known'), 'newcomer@example.com']
  const members = `/api/v1/organizations/${organization.id}/members`
  await olga.make(members, { email: newcomer })
  await olga.make(members, { email: known.email })
  const invitation = await mailTo(newcomer, 'invitations')
  const added = await mailTo(known.email, 'unsubscribe')
  for (const { subject, text, html: markup } of [invitation, added]) {
    const html = markup ?? ''
    const ours = /https:\/\/signalbox\.example\.com\/\S*/g
    expect(subject).not.toMatch(ADDRESS)
    expect(text.replaceAll(ours, '')).not.toMatch(ADDRESS)
    const shown = html.replaceAll(/<style>.*<\/style>|<[^>]*>/gs, ' ')
    expect(shown.replaceAll(ours, '')).not.toMatch(ADDRESS)
    expect(html.match(/href="(?!https:\/\/signalbox\.example\.com\/)/g)).toBeNull()
    for (const each of [subject, text, html]) expect(each).not.toContain('!'.repeat(40))
  }
  const [name, place] = invitation.subject.replaceAll('\u200b', '').split(' invites you to ')
  expect(name).toBe("“Win' a prize at http://evil.example, www.evil.example or ma…”")
  expect(place).toMatch(/^“Your account is locked: evil\.example\/login !+…”$/)
  expect(added.subject.replaceAll('\u200b', '')).toBe(`You are now a member of ${place}`)
})
