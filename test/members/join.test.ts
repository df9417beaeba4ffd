import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import { type Actor, type Box, type Site, signalbox } from '../support/signalbox.ts'

let box: Box
let owner: Actor
let guest: Actor
let site: Site
let path: string

beforeAll(async () => {
  box = await signalbox({ workers: 0 })
  owner = await box.user('Owner')
})
afterAll(() => box.close())

beforeEach(async () => {
  guest = await box.user('Guest')
  site = await box.site(owner, 'Public House')
  path = `/api/v1/organizations/${site.organization.id}`
})

const open = () => owner.put(path, { registration_mode: 'open' })

test('a stranger can see the summary of an open organization, and join as a member', async () => {
  await open()
  const { id, name, org_key, slug, owner_id, member_count, created_at } = site.organization
  const seen = await guest.get(`${path}/join`)
  expect(seen).toMatchObject({ status: 200 })
  expect(seen.body).toEqual({ id, name, org_key, slug, owner_id, member_count, workspace_count: 1, created_at })
  expect((await guest.get(path)).status).toBe(404)

  const joined = await guest.post(`${path}/join`)
  expect([joined.status, joined.headers.get('location')]).toEqual([201, `${path}/members/${guest.id}`])
  expect(joined.body).toMatchObject({ organization_id: id, user_id: guest.id, role: 'member', user_name: 'Guest' })
  expect((await guest.get(path)).body.member_count).toBe(2)
  const [event] = await box.sql`select name, data from outbox where organization_id = ${id}`
  expect({ ...event }).toEqual({ name: 'member.added', data: { member: joined.body } })
  const [entry] = await box.sql`
    select actor_id, detail from audit_log_entries where organization_id = ${id} and action = 'member.added'
  `
  expect({ ...entry }).toEqual({ actor_id: guest.id, detail: 'Guest joined the organization Public House as member.' })
  expect(await guest.post(`${path}/join`)).toMatchObject({ status: 409, body: { code: 'already_member' } })
  expect((await owner.post(`${path}/join`)).status).toBe(409)
})

test('an invite-only organization is indistinguishable from an absent one', async () => {
  const nowhere = `/api/v1/organizations/${crypto.randomUUID()}`
  for (const actor of [guest, owner]) {
    for (const each of [path, nowhere]) {
      const [seen, joined] = [await actor.get(`${each}/join`), await actor.post(`${each}/join`)]
      for (const { status, body } of [seen, joined]) {
        expect([status, body.code, body.detail]).toEqual([
          404,
          'not_found',
          expect.stringContaining('organization does not exist'),
        ])
      }
    }
  }
  await open()
  expect((await guest.get(`${path}/join`)).status).toBe(200)
  await owner.put(path, { registration_mode: 'invite-only' })
  expect((await guest.post(`${path}/join`)).status).toBe(404)
})

test('malformed ids, unexpected bodies, and joining a full organization are refused', async () => {
  await open()
  expect((await guest.get('/api/v1/organizations/open/join')).status).toBe(422)
  expect((await guest.post('/api/v1/organizations/open/join')).status).toBe(422)
  expect((await guest.post(`${path}/join`, { role: 'admin' })).body.errors[0].pointer).toBe('/role')
  expect((await box.request('POST', `${path}/join`)).status).toBe(401)
  await owner.put(path, { max_members: 1 })
  expect((await guest.post(`${path}/join`)).body.code).toBe('member_limit_reached')
})
