import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Actor, Box, Site } from '../support/signalbox.ts'
import { MailingBox, newAddress } from './mailing-box.ts'

let mailbox: MailingBox
let box: Box

// Rate limits are enabled, and wide enough for everything except invitations.
beforeAll(async () => {
  mailbox = await MailingBox.open({ RATE_LIMIT: '100000', INVITATIONS_PER_DAY: '12' }, 0)
  box = mailbox.box
})
afterAll(() => mailbox.close())

const invite = (by: Actor, { organization }: Site, email = newAddress()) =>
  by.post(`/api/v1/organizations/${organization.id}/members`, { email })
const codes = (answers: { status: number; body: { code?: string } }[]) =>
  answers.map(({ status, body: { code } }) => [status, code].filter(Boolean).join(' ')).sort()
const LIMITED = '429 invitation_limit_reached'

test('an account can send a number of invitations a day, whatever the organizations, requests and their concurrency', async () => {
  const [owner, admin] = [await box.user('Owner'), await box.user('Admin')]
  const [site, other] = [await box.site(owner, 'Busy'), await box.site(owner, 'Quiet')]
  await box.join(admin, site, 'admin')
  const answers = await Promise.all(Array.from({ length: 16 }, (_, index) => invite(owner, index % 2 ? site : other)))
  expect(codes(answers)).toEqual([...Array(12).fill('202'), ...Array(4).fill(LIMITED)])
  const [refused] = answers.filter(({ status }) => status === 429)
  expect(Number(refused?.headers.get('retry-after'))).toBeWithin(86_000, 86_401)
  const [pending] = (await owner.get(`/api/v1/organizations/${other.organization.id}/invitations`)).body
  const again = `/api/v1/organizations/${other.organization.id}/invitations/${pending.id}/resend`
  expect(codes([await owner.post(again)])).toEqual([LIMITED])
  // Another account has its own limit, and so has adding known users.
  expect((await invite(admin, site)).status).toBe(202)
  const known = await box.user('Known')
  expect((await invite(owner, site, known.email)).status).toBe(201)
  const [{ count }] = await box.sql<[{ count: number }]>`
    select count(*) as count from graphile_worker.jobs where task_identifier = 'mail_invitation'
  `
  expect(count).toBe(13)
  await box.sql`
    update recent_uses
    set moments = array(select seconds_after(moment, -86400) from unnest(moments) as moment)
  `
  expect((await invite(owner, site)).status).toBe(202)
})

test('an address gets three invitations a day, no matter who sends them and how it is written', async () => {
  const email = newAddress()
  const inviters = await Promise.all([1, 2, 3, 4].map(() => box.user('Inviter')))
  const answers = []
  for (const [index, inviter] of inviters.entries()) {
    answers.push(await invite(inviter, await box.site(inviter), index % 2 ? email.toUpperCase() : email))
  }
  expect(answers.map(({ status }) => status)).toEqual([202, 202, 202, 429])
  const [first] = inviters as [Actor]
  expect((await invite(first, await box.site(first))).status).toBe(202)
})

test('adding a known user, who is notified by mail, has limits as well: by account, and for each person', async () => {
  const [owner, popular] = [await box.user('Owner'), await box.user('Popular')]
  const site = await box.site(owner)
  const known = await Promise.all(Array.from({ length: 13 }, () => box.user('Known')))
  const answers = []
  for (const { email } of known) answers.push(await invite(owner, site, email))
  expect(codes(answers)).toEqual([...Array(12).fill('201'), LIMITED])
  const others = await Promise.all([1, 2, 3, 4].map(() => box.user('Stranger')))
  const additions = []
  for (const stranger of others) {
    const { organization } = await box.site(stranger)
    additions.push(await stranger.post(`/api/v1/organizations/${organization.id}/members`, { user_id: popular.id }))
  }
  expect(codes(additions)).toEqual(['201', '201', '201', LIMITED])
  expect(Number(additions[3]?.headers.get('retry-after'))).toBeWithin(86_000, 86_401)
  expect(await box.sql`select from organization_members where user_id = ${popular.id}`).toHaveLength(3)
})

test('who has no proven address invites and adds no one', async () => {
  const [unproven, known] = [await box.register('Unproven'), await box.user('Known')]
  const site = await box.site(unproven)
  const refused = { status: 403, body: { code: 'address_not_verified' } }
  expect(await invite(unproven, site)).toMatchObject(refused)
  expect(await invite(unproven, site, known.email)).toMatchObject(refused)
  const byId = await unproven.post(`/api/v1/organizations/${site.organization.id}/members`, { user_id: known.id })
  expect(byId).toMatchObject(refused)
  expect(await box.sql`select from notifications where user_id = ${known.id}`).toHaveLength(0)
  await box.sql`update users set email_verified = true where id = ${unproven.id}`
  expect((await invite(unproven, site)).status).toBe(202)
})
