import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import { type Actor, type Box, PASSWORD, type Site, signalbox } from '../support/signalbox.ts'

let box: Box
let owner: Actor
let leaver: Actor
const ME = '/api/v1/users/me'

beforeAll(async () => {
  box = await signalbox({ workers: 0 })
  owner = await box.user('Owner')
})
afterAll(() => box.close())

beforeEach(async () => {
  leaver = await box.user('Lea Leaver')
})

const remove = (actor: Actor, current_password: unknown = PASSWORD) => actor.request('DELETE', ME, { current_password })
const pathOf = ({ organization }: Site) => `/api/v1/organizations/${organization.id}`

test('a deleted account is signed out everywhere, and its address is free', async () => {
  const login = () => box.request('POST', '/api/v1/auth/login', { email: leaver.email, password: PASSWORD })
  const second = (await login()).body
  const { token } = await leaver.make('/api/v1/auth/tokens', { name: 'Script' })
  const byToken = { Authorization: `Bearer ${token}` }
  // A token cannot delete the account.
  expect(await box.request('DELETE', ME, { current_password: PASSWORD }, byToken)).toMatchObject({
    status: 403,
    body: { code: 'session_required' },
  })
  await box.sql`insert into user_avatars (user_id, content_type, bytes) values (${leaver.id}, 'image/png', '\\x00')`
  const deleted = await remove(leaver)
  expect([deleted.status, deleted.body]).toEqual([204, null])
  expect((await leaver.get(ME)).status).toBe(401)
  expect((await box.request('GET', ME, undefined, { Authorization: `Bearer ${second.access_token}` })).status).toBe(401)
  expect((await box.request('GET', ME, undefined, byToken)).status).toBe(401)
  for (const table of ['sessions', 'personal_tokens', 'user_avatars', 'security_log_entries', 'email_verifications']) {
    expect([table, (await box.sql`select from ${box.sql(table)} where user_id = ${leaver.id}`).length]).toEqual([table, 0])
  }
  for (const refresh_token of [leaver.refreshToken, second.refresh_token]) {
    expect((await box.request('POST', '/api/v1/auth/refresh', { refresh_token })).status).toBe(401)
  }
  expect((await login()).status).toBe(401)
  const tombstone = { email: `${leaver.id}@deleted.invalid`, password: '' }
  expect((await box.request('POST', '/api/v1/auth/login', tombstone)).status).toBe(422)
  const again = { email: leaver.email, name: 'Another', password: PASSWORD }
  const { status, body } = await box.request('POST', '/api/v1/auth/register', again)
  expect(status).toBe(201)
  expect(body.user.id).not.toBe(leaver.id)
})

test('it leaves every organization with events and audit entries, and its name stays in them', async () => {
  const sites = await Promise.all(Array.from({ length: 5 }, (_, index) => box.site(owner, `Left Behind ${index}`)))
  for (const [index, site] of sites.entries()) await box.join(leaver, site, index % 2 ? 'admin' : 'member', 'member')
  const [site] = sites as [Site]
  const mine = await leaver.make(`${pathOf(site)}/workspaces`, { name: 'Mine' })
  const invited = await (async () => {
    await owner.put(`${pathOf(site)}/members/${leaver.id}`, { role: 'admin' })
    return leaver.make(`${pathOf(site)}/members`, { email: 'invited@example.com' })
  })()

  expect((await remove(leaver)).status).toBe(204)
  for (const each of sites) {
    const { body } = await owner.get(pathOf(each))
    expect(body.member_count).toBe(1)
    const [event] = await box.sql`
      select data from outbox where organization_id = ${each.organization.id} and name = 'member.removed'
    `
    expect(event?.data.member).toMatchObject({ user_id: leaver.id, user_name: 'Lea Leaver', user_email: leaver.email })
    const [entry] = await box.sql`
      select actor_id, actor_name, detail
      from audit_log_entries
      where organization_id = ${each.organization.id} and action = 'member.removed'
    `
    expect(entry).toMatchObject({ actor_id: leaver.id, actor_name: 'Lea Leaver' })
    expect(entry?.detail).toBe(`Lea Leaver deleted their account and left the organization ${each.organization.name}.`)
  }
  expect((await owner.get(`/api/v1/workspaces/${mine.id}`)).body.owner_id).toBe(owner.id)
  expect((await owner.get(`${pathOf(site)}/invitations`)).body).toEqual([invited])
  expect(await box.sql`select from workspace_members where user_id = ${leaver.id}`).toHaveLength(0)
  const [user] = await box.sql`select name, email_verified, password_hash from users where id = ${leaver.id}`
  expect({ ...user }).toEqual({ name: 'Lea Leaver', email_verified: false, password_hash: '' })

  // A deleted account cannot be added again.
  const back = await owner.post(`${pathOf(site)}/members`, { user_id: leaver.id })
  expect([back.status, back.body.errors[0].pointer]).toEqual([422, '/user_id'])
  expect((await owner.post(`${pathOf(site)}/members`, { email: leaver.email })).status).toBe(202)
})

test('the owner of an organization is refused until it is transferred or deleted', async () => {
  const [kept, doomed] = [await box.site(leaver, 'Kept by Another'), await box.site(leaver, 'Doomed')]
  const refused = await remove(leaver)
  expect([refused.status, refused.body.code]).toEqual([409, 'owns_organizations'])
  expect(refused.body.detail).toContain('Kept by Another')
  await box.join(owner, kept, 'member')
  await leaver.make(`${pathOf(kept)}/transfer-ownership`, { new_owner_id: owner.id })
  expect((await remove(leaver)).status).toBe(409)
  await leaver.delete(pathOf(doomed))
  expect((await remove(leaver)).status).toBe(204)
  expect((await owner.get(pathOf(kept))).body).toMatchObject({ owner_id: owner.id, member_count: 1 })
})

test('it requires the password', async () => {
  for (const wrong of ['wrong horse battery staple', '', null, 7]) {
    const { status, body } = await remove(leaver, wrong)
    expect([status, body.errors[0].pointer]).toEqual([422, '/current_password'])
  }
  expect((await leaver.request('DELETE', ME)).status).toBe(422)
  expect((await box.request('DELETE', ME, { current_password: PASSWORD })).status).toBe(401)
  expect((await leaver.get(ME)).status).toBe(200)
})

test('concurrent with an addition or a transfer, it leaves no partial membership', async () => {
  for (let round = 0; round < 5; round++) {
    const site = await box.site(owner, 'At Once')
    const guest = await box.user('Guest')
    const heir = await box.user('Heir')
    await box.join(heir, site, 'member')
    const [gone, added, left, transferred] = await Promise.all([
      remove(guest),
      owner.post(`${pathOf(site)}/members`, { user_id: guest.id }),
      remove(heir),
      owner.post(`${pathOf(site)}/transfer-ownership`, { new_owner_id: heir.id }),
    ])
    expect(gone.status).toBe(204)
    // By then the owner may be the heir, and the former owner an admin.
    expect([201, 422]).toContain(added.status)
    expect([left.status, transferred.status]).toBeOneOf([
      [204, 422],
      [409, 200],
    ])
    const members = await box.sql<{ user_id: string }[]>`
      select user_id from organization_members where organization_id = ${site.organization.id}
    `
    expect(members.map(({ user_id }) => user_id)).not.toContain(guest.id)
    const [{ member_count }] = await box.sql<[{ member_count: number }]>`
      select member_count from organizations where id = ${site.organization.id}
    `
    expect(member_count).toBe(members.length)
  }
})
