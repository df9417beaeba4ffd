import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Actor, Box, Site } from '../support/signalbox.ts'
import { Mailbox, somebody } from './mailbox.ts'

let mailbox: Mailbox
let box: Box
let owner: Actor

// The limits are on, and wide enough for everything but invitations.
beforeAll(async () => {
  mailbox = await Mailbox.open({ RATE_LIMIT: '100000' }, 0)
  box = mailbox.box
  owner = await mailbox.proven('Owner')
})
afterAll(() => mailbox.close())

const pathOf = ({ organization }: Site) => `/api/v1/organizations/${organization.id}`

test('an organization invites fifty times a day, however it asks and however many at once', async () => {
  const [site, other] = [await box.site(owner, 'Busy'), await box.site(owner, 'Quiet')]
  const first = (await owner.post(`${pathOf(site)}/members`, { email: somebody() })).body
  const answers = await Promise.all(
    Array.from({ length: 60 }, (_, index) =>
      index % 3
        ? owner.post(`${pathOf(site)}/members`, { email: somebody() })
        : owner.post(`${pathOf(site)}/invitations/${first.id}/resend`),
    ),
  )
  expect(answers.filter(({ status }) => status === 202)).toHaveLength(49)
  for (const { status, body } of answers.filter(({ status }) => status !== 202)) {
    expect([status, body.code]).toEqual([409, 'invitation_limit_reached'])
  }
  // Another organization has its own fifty, and members who are known need no mail.
  expect((await owner.post(`${pathOf(other)}/members`, { email: somebody() })).status).toBe(202)
  const known = await mailbox.proven('Known')
  expect((await owner.post(`${pathOf(site)}/members`, { email: known.email })).status).toBe(201)

  await box.sql`update invitation_mails set asked_at = asked_at - interval '1 day' where organization_id = ${site.organization.id}`
  expect((await owner.post(`${pathOf(site)}/members`, { email: somebody() })).status).toBe(202)
})
