import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Box } from '../support/signalbox.ts'
import { MailingBox, newAddress } from './mailing-box.ts'

let mailbox: MailingBox
let box: Box
let path: string
let token: string

beforeAll(async () => {
  mailbox = await MailingBox.open()
  box = mailbox.box
  const owner = await mailbox.box.user('Owner')
  const site = await box.site(owner, 'Inviting')
  const email = newAddress()
  await owner.post(`/api/v1/organizations/${site.organization.id}/members`, { email })
  token = await mailbox.tokenFor(email)
  path = `/invitations?token=${token}`
})
afterAll(() => mailbox.close())

test('the invitation page runs only its own script, and opening it has no effect', async () => {
  const before = await box.sql`select * from invitations`
  const page = await fetch(box.base + path)
  expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
  const policy = page.headers.get('content-security-policy') ?? ''
  expect(policy).toContain("default-src 'none'")
  expect(policy).not.toContain('unsafe')
  expect([page.headers.get('referrer-policy'), page.headers.get('cache-control')]).toEqual(['same-origin', 'no-store'])
  const html = await page.text()
  // The page does not repeat the token, which could be used to inject content: its form posts to the URL of the page.
  expect(html).not.toContain(token)
  expect(await (await fetch(`${box.base}/invitations?token=anything`)).text()).not.toContain('anything')
  expect(html).not.toMatch(/ on\w+=| style=|<script>|https?:/)
  const loaded = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, path = '']) => path)
  expect(loaded).not.toBeEmpty()
  for (const path of loaded) expect([path, (await fetch(box.base + path)).status]).toEqual([path, 200])
  expect(await box.sql`select * from invitations`).toEqual(before)
})

test('the page works with keyboard and screen reader: fields have labels, and changes are announced', async () => {
  const html = await (await fetch(box.base + path)).text()
  expect(html).toContain('<html lang="en">')
  expect(html).toContain('role="status"')
  expect(html).toContain('<legend>')
  for (const [, id = ''] of html.matchAll(/<input id="(\w+)"/g)) expect(html).toContain(`<label for="${id}">`)
  expect(html.match(/<input id="(\w+)"/g)).toHaveLength(3)
  expect(html.match(/<label><input type="radio"/g)).toHaveLength(2)
})
