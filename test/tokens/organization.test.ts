import { afterAll, beforeAll, expect, test } from 'bun:test'
import { onCitus } from '../support/databases.ts'
import { type Actor, type Box, type Site, signalbox } from '../support/signalbox.ts'

const TOKENS = '/api/v1/auth/tokens'

let box: Box
let owner: Actor
let member: Actor
let site: Site
let foreign: Site
let path: string

beforeAll(async () => {
  box = await signalbox({ workers: 0 })
  ;[owner, member] = await Promise.all([box.user('Owner'), box.user('Member')])
  site = await box.site(owner)
  await box.join(member, site, 'member')
  foreign = await box.site(member, 'Foreign')
  path = `/api/v1/organizations/${site.organization.id}/tokens`
})
afterAll(() => box.close())

test('admins see the tokens for their organization with their users', async () => {
  const own = await owner.make(TOKENS, { name: 'Owners', organization_id: site.organization.id })
  const theirs = await member.make(TOKENS, { name: 'Members', scope: 'read', organization_id: site.organization.id })
  await member.make(TOKENS, { name: 'Everywhere' })
  await member.make(TOKENS, { name: 'Foreign', organization_id: foreign.organization.id })
  const { status, body } = await owner.get(path)
  expect(status).toBe(200)
  expect(body.map(({ id }: { id: string }) => id)).toEqual([theirs.id, own.id])
  expect(body[0]).toMatchObject({
    name: 'Members',
    scope: 'read',
    user_id: member.id,
    user_name: 'Member',
    user_email: member.email,
  })
  expect(JSON.stringify(body)).not.toContain('sbx_pat_')
  expect((await member.get(path)).status).toBe(403)
})

test("an admin can revoke one, which is in the audit log and the user's security log", async () => {
  const made = await member.make(TOKENS, { name: 'Leaked', organization_id: site.organization.id })
  expect((await member.delete(`${path}/${made.id}`)).status).toBe(403)
  expect((await owner.delete(`${path}/${made.id}`)).status).toBe(204)
  expect((await member.as(made.token).get('/api/v1/users/me')).status).toBe(401)
  expect((await owner.delete(`${path}/${made.id}`)).status).toBe(404)
  const entries = await box.sql`
    select action, actor_id, detail from audit_log_entries where resource_id = ${made.id} order by id
  `
  expect(entries.map(({ action, actor_id }) => [action, actor_id])).toEqual([
    ['token.created', member.id],
    ['token.revoked', owner.id],
  ])
  expect(entries[1]?.detail).toBe('Owner revoked the personal token Leaked of Member.')
  const [entry] = (await member.get('/api/v1/users/me/security-log')).body.items
  expect(entry).toMatchObject({ action: 'token.revoked', device: null, ip_address: null })
  expect(entry.detail).toContain('Owner')
})

test('an admin has no access to tokens for other organizations', async () => {
  const everywhere = await member.make(TOKENS, { name: 'Everywhere too' })
  const elsewhere = await member.make(TOKENS, { name: 'Foreign too', organization_id: foreign.organization.id })
  for (const { id, token } of [everywhere, elsewhere]) {
    expect((await owner.delete(`${path}/${id}`)).status).toBe(404)
    expect((await member.as(token).get('/api/v1/users/me')).status).toBe(200)
  }
})

// A foreign key deletes it, which a cluster does not have: there, a request removes the members, and with them the tokens.
test.skipIf(onCitus)('a token is deleted with its organization', async () => {
  const passing = await box.site(owner, 'Passing')
  const { token } = await owner.make(TOKENS, { name: 'Passing', organization_id: passing.organization.id })
  await box.sql`delete from organizations where id = ${passing.organization.id}`
  expect((await owner.as(token).get('/api/v1/users/me')).status).toBe(401)
})
