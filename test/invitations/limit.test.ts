import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Actor, Box, Site } from '../support/signalbox.ts'
import { MailingBox, newAddress } from './mailing-box.ts'

let mailbox: MailingBox
let box: Box
let owner: Actor

// Rate limits are enabled, and wide enough for everything except invitations.
beforeAll(async () => {
  mailbox = await MailingBox.open({ RATE_LIMIT: '100000' }, 0)
  box = mailbox.box
  owner = await mailbox.box.user('Owner')
})
afterAll(() => mailbox.close())

const pathOf = ({ organization }: Site) => `/api/v1/organizations/${organization.id}`

test('an organization can send fifty invitation mails a day, whatever the requests and their concurrency', async () => {
  const [site, other] = [await box.site(owner, 'Busy'), await box.site(owner, 'Quiet')]
  const first = (await owner.post(`${pathOf(site)}/members`, { email: newAddress() })).body
  const answers = await Promise.all(
    Array.from({ length: 60 }, (_, index) =>
      index % 3
        ? owner.post(`${pathOf(site)}/members`, { email: newAddress() })
        : owner.post(`${pathOf(site)}/invitations/${first.id}/resend`),
    ),
  )
  expect(answers.filter(({ status }) => status === 202)).toHaveLength(49)
  for (const { status, body } of answers.filter(({ status }) => status !== 202)) {
    expect([status, body.code]).toEqual([409, 'invitation_limit_reached'])
  }
  // Another organization has its own limit, and adding a known user needs no mail.
  expect((await owner.post(`${pathOf(other)}/members`, { email: newAddress() })).status).toBe(202)
  const known = await mailbox.box.user('Known')
  expect((await owner.post(`${pathOf(site)}/members`, { email: known.email })).status).toBe(201)

  await box.sql`update invitation_mails set asked_at = seconds_after(asked_at, -86400) where organization_id = ${site.organization.id}`
  expect((await owner.post(`${pathOf(site)}/members`, { email: newAddress() })).status).toBe(202)
})
