import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import type { Actor, Box, Site } from '../support/signalbox.ts'
import { MailingBox, newAddress, refused } from './mailing-box.ts'

let mailbox: MailingBox
let box: Box
let owner: Actor
let admin: Actor
let member: Actor
let site: Site
let path: string

beforeAll(async () => {
  mailbox = await MailingBox.open({}, 0)
  box = mailbox.box
  owner = await box.user('Owner')
  admin = await box.user('Admin')
  member = await box.user('Member')
})
afterAll(() => mailbox.close())

beforeEach(async () => {
  site = await box.site(owner, 'Inviting')
  path = `/api/v1/organizations/${site.organization.id}`
  await box.join(admin, site, 'admin')
  await box.join(member, site, 'member')
})

const invite = (by: Actor, email: string, role?: string) => by.post(`${path}/members`, { email, role })
const list = async (by = owner) => (await by.get(`${path}/invitations`)).body
const mailJobs = async (id: string) =>
  box.sql`
    select from graphile_worker._private_jobs as job
    where job.payload ->> 'invitation_id' = ${id}
  `

test('an unknown address is invited: 202, listed, a mail is queued, and no member is added', async () => {
  const email = newAddress()
  const { status, headers, body } = await invite(admin, email)
  expect([status, headers.get('location'), body.status, body.role]).toEqual([
    202,
    `${path}/invitations/${body.id}`,
    'pending',
    'member',
  ])
  expect(await list()).toEqual([body])
  expect(await mailJobs(body.id)).toHaveLength(1)
  expect((await owner.get(path)).body.member_count).toBe(3)
  expect(await box.sql`select from outbox where organization_id = ${site.organization.id}`).toHaveLength(0)
})

test('an unverified account is invited, and a verified one becomes a member', async () => {
  const ghost = await box.register('Ghost')
  expect((await invite(owner, ghost.email)).status).toBe(202)
  const known = await box.user('Known')
  expect((await invite(owner, known.email.toUpperCase())).status).toBe(201)
  expect((await owner.get(`${path}/members?query=${encodeURIComponent(ghost.email)}`)).body).toEqual([])
})

test('inviting an address again renews the invitation, with another role if requested', async () => {
  const email = newAddress()
  const first = (await invite(admin, email)).body
  await box.sql`update invitations set expires_at = now() + interval '1 hour' where id = ${first.id}`
  const again = await invite(owner, email.toUpperCase(), 'admin')
  const actor = { type: 'user', id: owner.id, name: owner.name }
  expect([again.status, again.body]).toEqual([
    202,
    { ...first, role: 'admin', invited_by: owner.id, actor, expires_at: expect.any(String) },
  ])
  expect(again.body.expires_at >= first.expires_at).toBeTrue()
  expect(await list()).toEqual([again.body])
  expect(await mailJobs(first.id)).toHaveLength(2)
})

test('fifty concurrent invitations of an address create one', async () => {
  const email = newAddress()
  const answers = await Promise.all(Array.from({ length: 50 }, (_, index) => invite(index % 2 ? owner : admin, email)))
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([202]))
  expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1)
  expect(await list()).toHaveLength(1)
})

test('the list is paginated, newest first', async () => {
  const created: string[] = []
  for (let count = 0; count < 3; count++) created.unshift((await invite(owner, newAddress())).body.id)
  const first = await owner.get(`${path}/invitations?limit=2`)
  const [, next = ''] = /<([^>]+)>; rel="next"/.exec(first.headers.get('link') ?? '') ?? []
  const rest = await owner.get(next)
  const ids = (answer: { id: string }[]) => answer.map(({ id }) => id)
  expect([...ids(first.body), ...ids(rest.body)]).toEqual(created)
})

describe('Permissions:', () => {
  test('admins invite and list; only the owner invites admins or changes such invitations', async () => {
    const email = newAddress()
    expect((await invite(member, email)).status).toBe(403)
    expect((await member.get(`${path}/invitations`)).status).toBe(403)
    expect((await invite(admin, email, 'admin')).status).toBe(403)
    expect((await invite(owner, email, 'owner')).status).toBe(422)
    const { id } = (await invite(owner, email, 'admin')).body
    expect((await invite(admin, email)).status).toBe(403)
    expect((await admin.post(`${path}/invitations/${id}/resend`)).status).toBe(403)
    expect((await admin.delete(`${path}/invitations/${id}`)).status).toBe(403)
    expect(await list(admin)).toEqual([expect.objectContaining({ id, role: 'admin', status: 'pending' })])
  })

  test('other organizations have no access, by any path', async () => {
    const stranger = await box.user('Stranger')
    const foreign = await box.site(stranger, 'Foreign')
    const { id } = (await invite(owner, newAddress())).body
    const elsewhere = `/api/v1/organizations/${foreign.organization.id}/invitations/${id}`
    expect(await stranger.delete(elsewhere)).toMatchObject(refused)
    expect(await stranger.post(`${elsewhere}/resend`)).toMatchObject(refused)
    expect(await stranger.delete(`${path}/invitations/${id}`)).toMatchObject({ status: 404, body: { code: 'not_found' } })
    expect((await stranger.get(`${path}/invitations`)).status).toBe(404)
    expect(await owner.delete(`${path}/invitations/${crypto.randomUUID()}`)).toMatchObject(refused)
    expect((await owner.delete(`${path}/invitations/mine`)).status).toBe(422)
    expect(await list()).toHaveLength(1)
  })
})

test('revoking and resending are audited, and respect If-Match', async () => {
  const made = await invite(owner, newAddress())
  const one = `${path}/invitations/${made.body.id}`
  const tag = { 'If-Match': made.headers.get('etag') ?? '' }
  await box.sql`update invitations set expires_at = seconds_after(expires_at, -3600) where id = ${made.body.id}`
  const resent = await owner.post(`${one}/resend`)
  expect([resent.status, resent.body]).toEqual([202, { ...made.body, expires_at: expect.any(String) }])
  expect((await owner.delete(one, tag)).status).toBe(412)
  expect((await owner.delete(one, { 'If-Match': resent.headers.get('etag') ?? '' })).status).toBe(204)
  const entries = await box.sql<{ action: string }[]>`
    select action from audit_log_entries where resource_id = ${made.body.id} order by id
  `
  expect(entries.map(({ action }) => action)).toEqual(['invitation.created', 'invitation.resent', 'invitation.revoked'])
  expect(await list()).toEqual([])
})
