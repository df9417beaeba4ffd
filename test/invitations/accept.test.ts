import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { whereIs } from '../support/secrecy.ts'
import { Actor, type Box, PASSWORD, type Site } from '../support/signalbox.ts'
import { MailingBox, newAddress, refused } from './mailing-box.ts'

let mailbox: MailingBox
let box: Box
let owner: Actor
let site: Site
let path: string

beforeAll(async () => {
  mailbox = await MailingBox.open()
  box = mailbox.box
  owner = await box.user('Olga Owner')
})
afterAll(() => mailbox.close())

beforeEach(async () => {
  site = await box.site(owner, 'Inviting')
  path = `/api/v1/organizations/${site.organization.id}`
})

const invite = (email: string, role = 'member') => owner.make(`${path}/members`, { email, role })
const preview = (token: string) => box.request('POST', '/api/v1/invitations/preview', { token })
const accept = (actor: Actor, token: string) => actor.post('/api/v1/invitations/accept', { token })
const statusOf = async (id: string) =>
  (await box.sql<{ status: string }[]>`select status from invitations where id = ${id}`)[0]?.status

/** Registers an account, whose address is not verified yet. */
async function register(email: string, name = 'Nora New'): Promise<Actor> {
  const { body } = await box.request('POST', '/api/v1/auth/register', { email, name, password: PASSWORD })
  return new Actor(box, name, email, body.user.id, body.access_token, body.refresh_token)
}

describe('The mailed link', () => {
  test('takes a new user into the organization and verifies the address', async () => {
    const email = newAddress()
    const invitation = await invite(email.toUpperCase(), 'admin')
    expect(invitation).toEqual({
      id: expect.any(String),
      organization_id: site.organization.id,
      organization_name: 'Inviting',
      email,
      role: 'admin',
      status: 'pending',
      invited_by: owner.id,
      actor: { type: 'user', id: owner.id, name: owner.name },
      expires_at: expect.any(String),
      created_at: expect.any(String),
    })
    const days = (Date.parse(invitation.expires_at) - Date.parse(invitation.created_at)) / 86_400_000
    expect(days).toBeCloseTo(7, 3)
    const token = await mailbox.tokenFor(email)
    const [message] = await mailbox.invitationsTo(email)
    expect(message?.subject).toBe('“Olga Owner” invites you to “Inviting”')
    expect(message?.text).toContain('as an admin')

    expect(await preview(token)).toMatchObject({ status: 200 })
    expect((await preview(token)).body).toEqual({
      organization_name: 'Inviting',
      invited_by_name: 'Olga Owner',
      email,
      role: 'admin',
      expires_at: invitation.expires_at,
    })
    const nora = await register(email)
    expect((await nora.get('/api/v1/users/me')).body.email_verified).toBeFalse()
    const joined = await accept(nora, token)
    expect([joined.status, joined.body]).toEqual([
      200,
      expect.objectContaining({ organization_id: site.organization.id, user_id: nora.id, role: 'admin', user_email: email }),
    ])
    expect((await nora.get('/api/v1/users/me')).body.email_verified).toBeTrue()
    expect((await nora.get(path)).body.member_count).toBe(2)
    expect(await statusOf(invitation.id)).toBe('accepted')
    const events = await box.sql`select name, data from outbox where organization_id = ${site.organization.id}`
    expect([...events]).toEqual([{ name: 'member.added', data: { member: joined.body } }])
    const entries = await box.sql<{ action: string; actor_id: string; resource_type: string }[]>`
      select action, actor_id, resource_type from audit_log_entries where organization_id = ${site.organization.id} order by id
    `
    expect(entries.slice(-3).map((entry) => Object.values(entry))).toEqual([
      ['invitation.created', owner.id, 'invitation'],
      ['invitation.accepted', nora.id, 'invitation'],
      ['member.added', nora.id, 'organization_member'],
    ])

    // The link works once.
    expect(await accept(nora, token)).toMatchObject(refused)
    expect(await preview(token)).toMatchObject(refused)
    expect((await owner.get(`${path}/invitations`)).body).toEqual([])
  })

  test('only works for the account of its address', async () => {
    const email = newAddress()
    const invitation = await invite(email)
    const token = await mailbox.tokenFor(email)
    for (const other of [owner, await box.user('Other'), await box.register('Unproven')]) {
      expect(await accept(other, token)).toMatchObject(refused)
    }
    expect(await statusOf(invitation.id)).toBe('pending')
    expect((await accept(await register(email), token)).status).toBe(200)
  })

  test('that is opened fifty times concurrently adds one member', async () => {
    const email = newAddress()
    await invite(email)
    const token = await mailbox.tokenFor(email)
    const nora = await register(email)
    const answers = await Promise.all(Array.from({ length: 50 }, () => accept(nora, token)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array.from({ length: 49 }, () => 404)])
    expect((await owner.get(path)).body.member_count).toBe(2)
    expect(await box.sql`select from outbox where organization_id = ${site.organization.id}`).toHaveLength(1)
  })

  test('expires after 7 days, when it is revoked or replaced, and with the organization', async () => {
    const nora = await register(newAddress())
    const { id } = await invite(nora.email)
    const first = await mailbox.tokenFor(nora.email)
    await owner.make(`${path}/invitations/${id}/resend`)
    const second = await mailbox.tokenFor(nora.email, 2)
    expect(await accept(nora, first)).toMatchObject(refused)
    expect(await preview(first)).toMatchObject(refused)

    await box.sql`update invitations set expires_at = now() - interval '1 second' where id = ${id}`
    for (const answer of [await accept(nora, second), await preview(second)]) expect(answer).toMatchObject(refused)
    expect((await owner.get(`${path}/invitations`)).body).toEqual([])
    expect(await owner.post(`${path}/invitations/${id}/resend`)).toMatchObject(refused)
    // The expired invitation does not prevent a new one.
    const next = await invite(nora.email)
    expect(next.id).not.toBe(id)
    expect(await statusOf(id)).toBe('expired')

    const third = await mailbox.tokenFor(nora.email, 3)
    expect((await owner.delete(`${path}/invitations/${next.id}`)).status).toBe(204)
    expect(await accept(nora, third)).toMatchObject(refused)
    expect(await owner.delete(`${path}/invitations/${next.id}`)).toMatchObject(refused)

    await invite(nora.email)
    const fourth = await mailbox.tokenFor(nora.email, 4)
    await owner.delete(path)
    expect(await accept(nora, fourth)).toMatchObject(refused)
    expect((await nora.get('/api/v1/users/me')).body.email_verified).toBeFalse()
  })

  test.each(['', 'nonsense', 'x'.repeat(200)])('with the token %p is refused', async (token) => {
    const { status } = await accept(owner, token)
    expect(status).toBe(token === '' ? 422 : 404)
    expect((await preview(token)).status).toBe(status)
    expect((await box.request('POST', '/api/v1/invitations/accept', { token })).status).toBe(401)
  })

  test('has a token that appears only in the mail', async () => {
    const email = newAddress()
    await invite(email)
    const token = await mailbox.tokenFor(email)
    expect(await whereIs(box, email)).toContain('public.invitations')
    expect(await whereIs(box, token)).toEqual([])
    await accept(await register(email), token)
    expect(await whereIs(box, token)).toEqual([])
  })

  test('is refused while the organization is full, and works afterwards', async () => {
    const email = newAddress()
    const invitation = await invite(email)
    const token = await mailbox.tokenFor(email)
    const nora = await register(email)
    await owner.put(path, { max_members: 1 })
    expect(await accept(nora, token)).toMatchObject({ status: 409, body: { code: 'member_limit_reached' } })
    expect([await statusOf(invitation.id), (await nora.get('/api/v1/users/me')).body.email_verified]).toEqual(['pending', false])
    await owner.put(path, { max_members: 2 })
    expect((await accept(nora, token)).status).toBe(200)
  })
})

describe('Invited users', () => {
  test('see the invitation once their address is verified, and can accept or decline it without the link', async () => {
    const nora = await register(newAddress())
    const invitation = await invite(nora.email)
    const mine = () => nora.get('/api/v1/users/me/invitations')
    const one = `/api/v1/users/me/invitations/${invitation.id}`
    expect((await mine()).body).toEqual([])
    expect(await nora.post(`${one}/accept`)).toMatchObject(refused)
    expect(await nora.post(`${one}/decline`)).toMatchObject(refused)
    await box.sql`update users set email_verified = true where id = ${nora.id}`
    expect((await mine()).body).toEqual([invitation])
    for (const other of [owner, await box.user('Other')]) {
      expect(await other.post(`${one}/accept`)).toMatchObject(refused)
      expect(await other.post(`${one}/decline`)).toMatchObject(refused)
      expect((await other.get('/api/v1/users/me/invitations')).body).toEqual([])
    }
    expect((await nora.post(`${one}/decline`)).body).toEqual({ ...invitation, status: 'declined' })
    expect(await nora.post(`${one}/accept`)).toMatchObject(refused)
    expect((await mine()).body).toEqual([])

    // The verified address now belongs to a user, who becomes a member at once.
    expect((await owner.post(`${path}/members`, { email: nora.email })).status).toBe(201)
  })

  test('can accept it by id', async () => {
    const nora = await register(newAddress())
    const invitation = await invite(nora.email)
    await box.sql`update users set email_verified = true where id = ${nora.id}`
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => nora.post(`/api/v1/users/me/invitations/${invitation.id}/accept`)),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array.from({ length: 19 }, () => 404)])
    expect((await nora.get(`${path}/my-role`)).body.role).toBe('member')
  })

  test('who joined otherwise keep their role, and the invitation is used up', async () => {
    const nora = await register(newAddress())
    const invitation = await invite(nora.email, 'admin')
    const token = await mailbox.tokenFor(nora.email)
    await owner.put(path, { registration_mode: 'open' })
    // The address is unverified, so joining does not use up the invitation; the link verifies it and changes nothing
    // else.
    await nora.make(`${path}/join`)
    expect(await statusOf(invitation.id)).toBe('pending')
    const accepted = await accept(nora, token)
    expect([accepted.status, accepted.body.role]).toEqual([200, 'member'])
    expect((await owner.get(path)).body.member_count).toBe(2)

    const known = await register(newAddress())
    const other = await invite(known.email)
    await box.sql`update users set email_verified = true where id = ${known.id}`
    await owner.make(`${path}/members`, { user_id: known.id })
    expect(await statusOf(other.id)).toBe('accepted')
    expect((await known.get('/api/v1/users/me/invitations')).body).toEqual([])
  })
})
