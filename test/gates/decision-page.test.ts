/** The page behind the mailed link of a gate: what it shows, and to whom. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { PageClient } from '../support/page-client.ts'
import type { Committee } from './committee.ts'
import { LinkMails } from './link-mails.ts'

let mails: LinkMails
let committee: Committee
/** A browser without cookies. */
let visitor: PageClient

beforeAll(async () => {
  mails = await LinkMails.open()
  committee = mails.committee
  visitor = new PageClient(committee.box)
})
afterAll(() => committee.close())

test('the page asks the question, and shows nothing that was written since to anyone who opens the link', async () => {
  const { gate, link } = await mails.openedWithLink({ required_approvals: 3 })
  await committee.ada.make(`/api/v1/gates/${gate.id}/approve`, { comment: 'Between us admins' })
  const page = await visitor.open(link)
  expect(page.text).toContain('1 of 3')
  for (const text of ['Between us admins', 'Started by', 'Cost']) expect(page.text).not.toContain(text)
  expect(page.document.querySelector('a[href*="/app/executions/"]')).toBeNull()
})

test('the first button decides nothing, and leads to the page of the gate', async () => {
  const { gate, link } = await mails.openedWithLink()
  const later = await visitor.press(await visitor.open(link), 'Decide later')
  expect(later.path).toBe(`/sign-in?next=${encodeURIComponent(`/app/gates/${gate.id}`)}`)
  expect(await committee.gateOf(gate)).toMatchObject({ status: 'pending', approvals: [] })
  expect((await visitor.post(link, { decision: 'approve' })).status).toBe(200)
})

test('the page leaves the session that is there alone', async () => {
  const { link } = await mails.openedWithLink()
  const other = await PageClient.signedIn(committee.box, committee.member)
  await committee.box.sql`update sessions set last_used_at = now() - interval '2 days' where user_id = ${committee.member.id}`
  const before = [...other.cookies]
  const page = await other.open(link)
  expect([page.headers.getSetCookie(), page.text.includes(committee.member.name)]).toEqual([[], false])
  const done = await other.press(page, 'Approve')
  expect([done.status, done.headers.getSetCookie()]).toEqual([200, []])
  expect([...other.cookies]).toEqual(before)
  const [{ recent }] = await committee.box.sql<[{ recent: boolean }]>`
    select bool_or(last_used_at > now() - interval '1 day') as recent from sessions where user_id = ${committee.member.id}
  `
  expect(recent).toBe(false)
})
