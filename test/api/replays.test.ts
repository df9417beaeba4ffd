import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type Actor, type Box, type Site, signalbox } from '../support/signalbox.ts'

let box: Box
let ada: Actor
let grace: Actor
let site: Site

beforeAll(async () => {
  box = await signalbox({ workers: 0 })
  ;[ada, grace] = await Promise.all([box.user('Ada'), box.user('Grace')])
  site = await box.site(ada)
})
afterAll(() => box.close())

let keys = 0
/** Sends the same POST with the same key on each call. */
function repeatable(actor: Actor, path: string, body?: unknown) {
  keys += 1
  const headers = { 'Idempotency-Key': `replay-${keys}` }
  return (by = actor) => by.post(path, body, headers)
}
const replayed = ({ headers }: { headers: Headers }) => headers.get('idempotent-replayed') === 'true'

/** A user with roles at the site. */
async function colleague(name: string, role: 'admin' | 'member', inWorkspace?: 'admin' | 'member'): Promise<Actor> {
  const actor = await box.user(name)
  await box.join(actor, site, role, inWorkspace)
  return actor
}

describe('A replayed response is returned to a caller who may still see it:', () => {
  test('the transfer of ownership, to the former owner who is now an admin', async () => {
    const { organization } = await box.site(ada, 'Transferred')
    await box.join(grace, { ...site, organization }, 'member')
    const transfer = repeatable(ada, `/api/v1/organizations/${organization.id}/transfer-ownership`, { new_owner_id: grace.id })
    const first = await transfer()
    expect([first.status, first.body.owner_id, replayed(first)]).toEqual([200, grace.id, false])
    const again = await transfer()
    expect([again.status, again.body, replayed(again)]).toEqual([200, first.body, true])
    // Replaying does not grant the former role to other requests.
    const path = `/api/v1/organizations/${organization.id}/transfer-ownership`
    expect((await ada.post(path, { new_owner_id: ada.id }, { 'Idempotency-Key': `replay-${keys}` })).status).toBe(403)
    expect((await ada.post(path, { new_owner_id: grace.id }, { 'Idempotency-Key': 'fresh' })).status).toBe(403)
    expect((await ada.post(path, { new_owner_id: grace.id }, { 'Idempotency-Key': '"' })).status).toBe(403)
    // A stored response expires after a day.
    await box.sql`update idempotency_keys set created_at = now() - interval '25 hours' where key = ${`replay-${keys}`}`
    expect((await transfer()).status).toBe(403)
    await box.leave(ada, organization.id)
    expect((await transfer()).status).toBe(404)
  })

  test('a created project, to a caller whose workspace role was lowered, but no secret', async () => {
    const lead = await colleague('Lead', 'member', 'admin')
    const hook = await ada.make(`/api/v1/projects/${site.project.id}/deployment-hooks`, {
      name: 'Deploy',
      url: 'http://127.0.0.1:9/',
      trigger_on: 'gate_approved',
    })
    const make = repeatable(lead, `/api/v1/workspaces/${site.workspace.id}/projects`, { name: 'Led' })
    const rotate = repeatable(lead, `/api/v1/deployment-hooks/${hook.id}/rotate-secret`)
    const [made, rotated] = [await make(), await rotate()]
    expect([made.status, rotated.status]).toEqual([201, 200])
    expect([(await rotate()).body, replayed(await rotate())]).toEqual([rotated.body, true])
    await box.sql`update workspace_members set role = 'member' where user_id = ${lead.id}`
    const again = await make()
    expect([again.status, again.body, replayed(again)]).toEqual([201, made.body, true])
    const secret = await rotate()
    expect([secret.status, secret.body.code, replayed(secret)]).toEqual([403, 'forbidden', false])
    expect(JSON.stringify(secret.body)).not.toContain(rotated.body.secret)
  })

  test('but not what it claimed, nor an account for machines, to a former admin, however the path is written', async () => {
    const lead = await colleague('Claimer', 'admin')
    const { id, name } = await ada.make(`/api/v1/projects/${site.project.id}/deployment-hooks`, {
      name: 'Claimed',
      mode: 'pull',
      trigger_on: 'gate_approved',
    })
    await ada.make(`/api/v1/deployment-hooks/${id}/trigger`)
    const claim = repeatable(lead, `/api/v1/deployment-hooks/${id.toUpperCase()}/claim/`)
    const accounts = `/api/v1/organizations/${site.organization.id}/service-accounts`
    const account = repeatable(lead, accounts, { name: 'Machine', scopes: ['work:read'] })
    const [claimed, made] = [await claim(), await account()]
    expect([claimed.body[0].payload, claimed.headers.get('etag')]).toEqual([expect.stringContaining(name), null])
    expect(made.status).toBe(201)
    const keyName = `replay-${keys - 1}`
    const plain = await lead.post(`/api/v1/deployment-hooks/${id}/claim`, undefined, { 'Idempotency-Key': keyName })
    expect([plain.body, replayed(plain)]).toEqual([claimed.body, true])
    const secrets = [
      repeatable(lead, `/api/v1/deployment-hooks/${id}/pull-token/`),
      repeatable(lead, `/api/v1/service-accounts/${made.body.id}/keys/`, {
        name: 'Key',
        expires_at: new Date(Date.now() + 86_400_000).toISOString(),
      }),
    ]
    for (const call of secrets) expect((await call()).status).toBeLessThan(202)
    await box.setRole(lead, site.organization.id, 'member')
    await box.sql`
      insert into workspace_members (organization_id, workspace_id, user_id, role)
      values (${site.organization.id}, ${site.workspace.id}, ${lead.id}, 'member')
    `
    for (const call of [claim, account, ...secrets]) {
      const again = await call()
      expect([again.status, again.body.code, replayed(again)]).toEqual([403, 'forbidden', false])
    }
  })

  test('but not an invitation, to a former admin, because members cannot see invitations', async () => {
    const admin = await colleague('Admin', 'admin')
    const invite = repeatable(admin, `/api/v1/organizations/${site.organization.id}/members`, { email: 'new@example.com' })
    const first = await invite()
    expect(first.status).toBe(202)
    expect((await invite()).body).toEqual(first.body)
    await box.setRole(admin, site.organization.id, 'member')
    expect((await invite()).status).toBe(403)
  })
})

describe('A caller who lost access gets 404 instead of a replay', () => {
  const expectNotFound = async (call: () => Promise<{ status: number; headers: Headers; body: { code: string } }>) => {
    const { status, headers, body } = await call()
    expect([status, body.code, replayed({ headers })]).toEqual([404, 'not_found', false])
    expect(Object.keys(body).sort()).toEqual(['code', 'detail', 'instance', 'request_id', 'status', 'title', 'type'])
  }

  test('of creating an organization', async () => {
    const maker = await box.user('Maker')
    const create = repeatable(maker, '/api/v1/organizations', { name: 'Made' })
    const { status, body } = await create()
    expect(status).toBe(201)
    await box.join(ada, { ...site, organization: body }, 'member')
    await maker.make(`/api/v1/organizations/${body.id}/transfer-ownership`, { new_owner_id: ada.id })
    expect(replayed(await create())).toBe(true)
    expect((await maker.delete(`/api/v1/organizations/${body.id}/members/${maker.id}`)).status).toBe(204)
    await expectNotFound(create)
  })

  test('of joining an organization or accepting an invitation', async () => {
    const { organization } = await box.site(ada, 'Open')
    await ada.put(`/api/v1/organizations/${organization.id}`, { registration_mode: 'open' })
    const [joiner, invited] = [await box.user('Joiner'), await box.user('Invited')]
    const join = repeatable(joiner, `/api/v1/organizations/${organization.id}/join`)
    expect([(await join()).status, replayed(await join())]).toEqual([201, true])
    await box.sql`
      insert into invitations (organization_id, email, role, invited_by, token_hash, expires_at)
      values (${organization.id}, ${invited.email}, 'member', ${ada.id}, sha256('x'), now() + interval '1 day')
    `
    const { body: waiting } = await invited.get('/api/v1/users/me/invitations')
    const accept = repeatable(invited, `/api/v1/users/me/invitations/${waiting[0].id}/accept`)
    expect([(await accept()).status, replayed(await accept())]).toEqual([200, true])
    for (const each of [joiner, invited]) await box.leave(each, organization.id)
    await expectNotFound(join)
    await expectNotFound(accept)
  })

  test('of creating a workspace', async () => {
    const member = await colleague('Member', 'member')
    const create = repeatable(member, `/api/v1/organizations/${site.organization.id}/workspaces`, { name: 'Own' })
    const { status, body } = await create()
    expect([status, replayed(await create())]).toEqual([201, true])
    await box.sql`delete from workspace_members where workspace_id = ${body.id} and user_id = ${member.id}`
    await expectNotFound(create)
  })

  test('with a token of another organization', async () => {
    const other = await box.site(ada, 'Bound')
    const create = repeatable(ada, `/api/v1/organizations/${site.organization.id}/workspaces`, { name: 'Elsewhere' })
    expect((await create()).status).toBe(201)
    const token = (await ada.make('/api/v1/auth/tokens', { name: 'Bound', organization_id: other.organization.id })).token
    await expectNotFound(() => create(ada.as(token)))
    const reader = (await ada.make('/api/v1/auth/tokens', { name: 'Reader', scope: 'read' })).token
    const refused = await create(ada.as(reader))
    expect([refused.status, refused.body.code]).toEqual([403, 'read_only_token'])
  })
})

test('a stored 409 has the path of its request as instance, at first and when it is replayed', async () => {
  const requirement = await ada.make(`/api/v1/projects/${site.project.id}/requirements`, { title: 'Kept refusal' })
  const execution = await ada.make(`/api/v1/requirements/${requirement.id}/executions`, { agent: 'claude' })
  const path = `/api/v1/executions/${execution.id}/complete`
  const complete = repeatable(ada, path)
  const [first, again] = [await complete(), await complete()]
  expect([first.status, first.body.instance]).toEqual([409, path])
  expect([again.status, again.body, replayed(again)]).toEqual([409, first.body, true])
})
