import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { type Actor, type Box, type Site, signalbox } from '../support/signalbox.ts'

let box: Box
let owner: Actor
let lead: Actor
let member: Actor
let colleague: Actor
let stranger: Actor
let site: Site
let path: string

beforeAll(async () => {
  box = await signalbox({ workers: 0 })
  ;[owner, lead, member, colleague, stranger] = (await Promise.all(
    ['Owner', 'Lead', 'Member', 'Colleague', 'Stranger'].map((name) => box.user(name)),
  )) as [Actor, Actor, Actor, Actor, Actor]
})
afterAll(() => box.close())

beforeEach(async () => {
  site = await box.site(owner, 'Workshop')
  path = `/api/v1/workspaces/${site.workspace.id}/members`
  await box.join(lead, site, 'member', 'admin')
  await box.join(member, site, 'member', 'member')
  await box.join(colleague, site, 'member')
})

const shown = (actor: Actor, role: string) => ({
  workspace_id: site.workspace.id,
  organization_id: site.organization.id,
  user_id: actor.id,
  role,
  user_name: actor.name,
  user_email: actor.email,
  user_avatar_url: `/api/v1/users/${actor.id}/avatar`,
  joined_at: expect.stringMatching(/Z$/),
})

const trail = async () =>
  (
    await box.sql<{ action: string; resource_id: string; workspace_id: string }[]>`
      select action, resource_type, resource_id, workspace_id
      from audit_log_entries
      where organization_id = ${site.organization.id} and action like 'workspace_member.%'
      order by id
    `
  ).map((entry) => ({ ...entry }))

test('the list shows everyone with a role, newest first, with pagination', async () => {
  // Two joins can fall into one millisecond.
  for (const [index, { id }] of [lead, owner].entries())
    await box.sql`
      update workspace_members
      set joined_at = ${new Date(Date.now() - 1_000 * (index + 1))}
      where organization_id = ${site.organization.id}
        and user_id = ${id}
    `
  const { status, body } = await member.get(path)
  expect([status, body]).toEqual([200, [shown(member, 'member'), shown(lead, 'admin'), shown(owner, 'admin')]])
  const first = await member.get(`${path}?limit=2`)
  const [, next = ''] = /<([^>]+)>; rel="next"/.exec(first.headers.get('link') ?? '') ?? []
  expect((await member.get(next)).body).toEqual([shown(owner, 'admin')])
  expect((await member.get(`${path}?query=LEAD`)).body).toEqual([shown(lead, 'admin')])
  for (const outside of [colleague, stranger]) expect((await outside.get(path)).status).toBe(404)
})

test('roles can be added, changed and removed at once, with audit entries and without events', async () => {
  const added = await lead.post(path, { user_id: colleague.id })
  expect([added.status, added.headers.get('location'), added.body]).toEqual([
    201,
    `${path}/${colleague.id}`,
    shown(colleague, 'member'),
  ])
  expect((await colleague.put(`/api/v1/workspaces/${site.workspace.id}`, { name: 'Mine' })).status).toBe(403)
  const changed = await lead.put(`${path}/${colleague.id}`, { role: 'admin' })
  expect([changed.status, changed.body]).toEqual([200, shown(colleague, 'admin')])
  expect((await colleague.put(`/api/v1/workspaces/${site.workspace.id}`, { name: 'Ours' })).status).toBe(200)
  expect((await lead.put(`${path}/${colleague.id}`, { role: 'admin' })).status).toBe(200)
  expect((await lead.delete(`${path}/${colleague.id}`)).status).toBe(204)
  expect((await colleague.get(path)).status).toBe(404)
  const entry = { resource_type: 'workspace_member', resource_id: colleague.id, workspace_id: site.workspace.id }
  expect(await trail()).toEqual([
    { action: 'workspace_member.added', ...entry },
    { action: 'workspace_member.updated', ...entry },
    { action: 'workspace_member.removed', ...entry },
  ])
  expect(await box.sql`select from outbox where organization_id = ${site.organization.id}`).toHaveLength(0)
})

test('an admin of the organization can add roles without having one', async () => {
  const admin = await box.user('Admin')
  await box.join(admin, site, 'admin')
  expect((await admin.post(path, { user_id: colleague.id, role: 'admin' })).body).toEqual(shown(colleague, 'admin'))
})

describe('Refused are', () => {
  test('users who are not members of the organization', async () => {
    for (const user_id of [stranger.id, crypto.randomUUID()]) {
      const { status, body } = await owner.post(path, { user_id })
      expect([status, body.code, body.errors[0]]).toEqual([
        422,
        'not_a_member',
        { pointer: '/user_id', code: 'not_a_member', detail: expect.any(String) },
      ])
    }
  })

  test('a second role, the role owner, and unknown fields', async () => {
    expect(await lead.post(path, { user_id: member.id })).toMatchObject({ status: 409, body: { code: 'already_member' } })
    const pointers = async (body: object) => (await lead.post(path, body)).body.errors[0].pointer
    expect(await pointers({ user_id: colleague.id, role: 'owner' })).toBe('/role')
    expect(await pointers({ role: 'member' })).toBe('/user_id')
    expect(await pointers({ user_id: colleague.id, email: colleague.email })).toBe('/email')
    expect((await lead.put(`${path}/${colleague.id}`, { role: 'admin' })).status).toBe(404)
    expect((await lead.delete(`${path}/${colleague.id}`)).status).toBe(404)
  })

  test('changes by members, and any access by strangers', async () => {
    expect((await member.post(path, { user_id: colleague.id })).status).toBe(403)
    expect((await member.put(`${path}/${member.id}`, { role: 'admin' })).status).toBe(403)
    expect((await member.delete(`${path}/${lead.id}`)).status).toBe(403)
    await box.site(stranger, 'Foreign')
    for (const outside of [stranger, colleague]) {
      expect((await outside.post(path, { user_id: outside.id })).status).toBe(404)
      expect((await outside.put(`${path}/${lead.id}`, { role: 'member' })).status).toBe(404)
      expect((await outside.delete(`${path}/${lead.id}`)).status).toBe(404)
    }
  })

  test('updates with a stale ETag', async () => {
    const tag = { 'If-Match': (await lead.put(`${path}/${member.id}`, { role: 'admin' })).headers.get('etag') ?? '' }
    await lead.put(`${path}/${member.id}`, { role: 'member' })
    expect((await lead.put(`${path}/${member.id}`, { role: 'admin' }, tag)).status).toBe(412)
    expect((await lead.delete(`${path}/${member.id}`, tag)).status).toBe(412)
  })
})

test('everyone may leave, and owned workspaces pass to the owner of the organization', async () => {
  expect((await member.delete(`${path}/${member.id}`)).status).toBe(204)
  expect((await member.get(path)).status).toBe(404)
  expect((await member.get(`/api/v1/organizations/${site.organization.id}`)).status).toBe(200)
  const mine = await lead.make(`/api/v1/organizations/${site.organization.id}/workspaces`, { name: 'Mine' })
  expect((await lead.delete(`/api/v1/workspaces/${mine.id}/members/${lead.id}`)).status).toBe(204)
  expect((await owner.get(`/api/v1/workspaces/${mine.id}`)).body.owner_id).toBe(owner.id)
})

test('of fifty concurrent additions one succeeds, and removal from the organization removes the role', async () => {
  const answers = await Promise.all(Array.from({ length: 50 }, () => lead.post(path, { user_id: colleague.id })))
  expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array.from({ length: 49 }, () => 409)])
  await lead.delete(`${path}/${colleague.id}`)
  const membership = `/api/v1/organizations/${site.organization.id}/members/${colleague.id}`
  const both = await Promise.all([
    ...Array.from({ length: 20 }, () => lead.post(path, { user_id: colleague.id })),
    owner.delete(membership),
  ])
  expect(both.at(-1)?.status).toBe(204)
  expect(both.slice(0, -1).every(({ status }) => [201, 409, 422].includes(status))).toBeTrue()
  expect(
    await box.sql`select from workspace_members where user_id = ${colleague.id} and workspace_id = ${site.workspace.id}`,
  ).toHaveLength(0)
})
