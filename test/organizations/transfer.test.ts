import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import { type Actor, type Box, type Site, signalbox } from '../support/signalbox.ts'

let box: Box
let ada: Actor
let bob: Actor
let site: Site
let path: string

beforeAll(async () => {
  box = await signalbox({ workers: 0 })
  ada = await box.user('Ada')
  bob = await box.user('Bob')
})
afterAll(() => box.close())

beforeEach(async () => {
  site = await box.site(ada, 'Handed On')
  path = `/api/v1/organizations/${site.organization.id}`
  await box.join(bob, site, 'member')
})

const transfer = (by: Actor, new_owner_id: unknown) => by.post(`${path}/transfer-ownership`, { new_owner_id })

/** The members with the role owner, and the owner_id of the organization. */
async function owners() {
  const members = await box.sql<{ user_id: string }[]>`
    select user_id from organization_members where organization_id = ${site.organization.id} and role = 'owner'
  `
  const [named] = await box.sql<{ owner_id: string }[]>`select owner_id from organizations where id = ${site.organization.id}`
  return { roles: members.map(({ user_id }) => user_id), named: named?.owner_id }
}

test('the new owner becomes owner and the old one admin, with events and audit entries', async () => {
  const { status, body } = await transfer(ada, bob.id)
  expect([status, body]).toEqual([
    200,
    { ...site.organization, owner_id: bob.id, member_count: 2, workspace_count: 1, updated_at: expect.any(String) },
  ])
  expect((await ada.get(`${path}/my-role`)).body).toEqual({ role: 'admin' })
  expect((await bob.get(`${path}/my-role`)).body).toEqual({ role: 'owner' })
  expect(await owners()).toEqual({ roles: [bob.id], named: bob.id })
  const events = await box.sql<{ name: string; data: { member: { user_id: string }; from: string; to: string } }[]>`
    select name, data from outbox where organization_id = ${site.organization.id} order by id
  `
  expect(events.map(({ name, data }) => [name, data.member.user_id, data.from, data.to])).toEqual([
    ['member.role_changed', ada.id, 'owner', 'admin'],
    ['member.role_changed', bob.id, 'member', 'owner'],
  ])
  const entries = await box.sql<{ action: string; actor_id: string }[]>`
    select action, actor_id from audit_log_entries where organization_id = ${site.organization.id} order by id
  `
  expect(entries.slice(-3).map(({ action, actor_id }) => [action, actor_id])).toEqual([
    ['member.role_changed', ada.id],
    ['member.role_changed', ada.id],
    ['organization.transferred', ada.id],
  ])
  // The former owner no longer has the rights of an owner.
  expect((await transfer(ada, ada.id)).status).toBe(403)
  expect((await ada.delete(path)).status).toBe(403)
})

test('ownership can only be transferred to another member', async () => {
  const stranger = await box.user('Stranger')
  for (const nobody of [stranger.id, crypto.randomUUID()]) {
    const { status, body } = await transfer(ada, nobody)
    expect([status, body.code, body.errors]).toEqual([
      422,
      'not_a_member',
      [{ pointer: '/new_owner_id', code: 'not_a_member', detail: expect.any(String) }],
    ])
  }
  expect(await transfer(ada, ada.id)).toMatchObject({ status: 409, body: { code: 'already_owner' } })
  expect(await transfer(ada, ada.id.toUpperCase())).toMatchObject({ status: 409 })
  for (const wrong of ['nobody', '', null, 7, [bob.id]]) expect((await transfer(ada, wrong)).status).toBe(422)
  expect((await ada.post(`${path}/transfer-ownership`, {})).body.errors[0].pointer).toBe('/new_owner_id')
  expect(await owners()).toEqual({ roles: [ada.id], named: ada.id })
})

test('fifty concurrent transfers between three users leave exactly one owner at any time', async () => {
  const cleo = await box.user('Cleo')
  await box.join(cleo, site, 'admin')
  let running = true
  const seen = new Set<string>()
  const watching = (async () => {
    while (running) {
      const { roles, named } = await owners()
      expect(roles).toHaveLength(1)
      expect(named).toBeOneOf([ada.id, bob.id, cleo.id])
      seen.add(roles[0] ?? '')
    }
  })()
  const pairs: [Actor, Actor][] = [
    [ada, bob],
    [bob, cleo],
    [cleo, ada],
    [bob, ada],
    [ada, cleo],
  ]
  const answers = await Promise.all(
    Array.from({ length: 50 }, (_, index) => {
      const [from, to] = pairs[index % pairs.length] as [Actor, Actor]
      return transfer(from, to.id)
    }),
  )
  running = false
  await watching
  const done = answers.filter(({ status }) => status === 200)
  expect(done.length).toBeGreaterThanOrEqual(1)
  // Callers who are no longer owner when their request is processed get 403.
  expect(answers.every(({ status }) => [200, 403].includes(status))).toBeTrue()
  const { roles, named } = await owners()
  expect(roles).toEqual([named as string])
  expect((await ada.get(path)).body).toMatchObject({ owner_id: named, member_count: 3 })
})

test('of two concurrent transfers one succeeds', async () => {
  const cleo = await box.user('Cleo')
  await box.join(cleo, site, 'member')
  const answers = await Promise.all([transfer(ada, bob.id), transfer(ada, cleo.id)])
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 403])
  const winner = answers.find(({ status }) => status === 200)?.body.owner_id
  expect(await owners()).toEqual({ roles: [winner], named: winner })
})

test('a second request with the same Idempotency-Key is the same transfer', async () => {
  const once = await ada.post(`${path}/transfer-ownership`, { new_owner_id: bob.id }, { 'Idempotency-Key': `t-${path}` })
  expect(once.status).toBe(200)
  await bob.make(`${path}/transfer-ownership`, { new_owner_id: ada.id })
  const again = await ada.post(`${path}/transfer-ownership`, { new_owner_id: bob.id }, { 'Idempotency-Key': `t-${path}` })
  expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([200, 'true'])
  expect(again.body).toEqual(once.body)
  expect(await owners()).toEqual({ roles: [ada.id], named: ada.id })
})
