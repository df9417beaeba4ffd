import { afterAll, beforeAll, expect, test } from 'bun:test'
import { makeMachine, tomorrow } from '../support/service-accounts.ts'
import { type Actor, type Box, type Site, signalbox } from '../support/signalbox.ts'

let box: Box
let ada: Actor
let member: Actor
let site: Site
let path: string

beforeAll(async () => {
  box = await signalbox({ workers: 0 })
  ;[ada, member] = await Promise.all([box.user('Ada'), box.user('Member')])
  site = await box.site(ada)
  await box.join(member, site, 'member', 'admin')
  path = `/api/v1/organizations/${site.organization.id}/service-accounts`
})
afterAll(() => box.close())

const input = { name: 'Release pipeline', scopes: ['gates:open', 'rollouts:report'] }

const actionsOf = async (id: string) => {
  const entries = await box.sql<{ action: string; detail: string }[]>`
    select action, detail from audit_log_entries where resource_id = ${id} order by id
  `
  return entries.map(({ action, detail }) => [action, detail])
}

test('an admin creates, reads, changes and deletes a service account', async () => {
  const { status, headers, body } = await ada.post(path, {
    ...input,
    description: 'Of the shop.',
    workspace_id: site.workspace.id,
  })
  expect(status).toBe(201)
  expect(headers.get('location')).toBe(`/api/v1/service-accounts/${body.id}`)
  expect(body).toEqual({
    id: expect.any(String),
    organization_id: site.organization.id,
    workspace_id: site.workspace.id,
    project_id: null,
    name: 'Release pipeline',
    description: 'Of the shop.',
    scopes: ['gates:open', 'rollouts:report'],
    enabled: true,
    last_used_at: null,
    last_used_address: null,
    created_by: ada.id,
    actor: { type: 'user', id: ada.id, name: 'Ada' },
    created_at: expect.any(String),
    updated_at: expect.any(String),
  })
  const own = `/api/v1/service-accounts/${body.id}`
  expect((await ada.get(own)).body).toEqual(body)
  expect((await ada.get(path)).body[0]).toEqual(body)
  const changed = (await ada.put(own, { scopes: ['gates:open'], enabled: false, workspace_id: null })).body
  expect(changed).toMatchObject({ scopes: ['gates:open'], enabled: false, workspace_id: null, name: 'Release pipeline' })
  expect((await ada.put(own, {})).body).toEqual(changed)
  expect((await ada.request('DELETE', own, undefined, { 'If-Match': '"stale"' })).status).toBe(412)
  expect((await ada.delete(own)).status).toBe(204)
  for (const gone of [
    await ada.get(own),
    await ada.put(own, { name: 'Back' }),
    await ada.delete(own),
    await ada.get(`${own}/keys`),
  ]) {
    expect(gone.status).toBe(404)
  }
  expect((await ada.get(path)).body.map(({ id }: { id: string }) => id)).not.toContain(body.id)
  expect(await actionsOf(body.id)).toEqual([
    ['service_account.created', 'Ada created the service account Release pipeline with the scopes gates:open, rollouts:report.'],
    [
      'service_account.updated',
      'Ada changed the service account Release pipeline: scopes from "gates:open", "rollouts:report" to "gates:open"; enabled from true to false; workspace_id from ' +
        `"${site.workspace.id}" to none.`,
    ],
    ['service_account.deleted', 'Ada deleted the service account Release pipeline.'],
  ])
})

test('only admins of the organization see service accounts, and strangers learn nothing', async () => {
  const { id } = await ada.make(path, input)
  const stranger = await box.user('Stranger')
  for (const each of [path, `/api/v1/service-accounts/${id}`, `/api/v1/service-accounts/${id}/keys`]) {
    expect([(await member.get(each)).status, (await stranger.get(each)).status]).toEqual([403, 404])
  }
})

test('a place is a workspace of the organization, or a project with its workspace', async () => {
  const elsewhere = await box.site(member, 'Elsewhere')
  const other = await ada.make(`/api/v1/organizations/${site.organization.id}/workspaces`, { name: 'Other' })
  const refused: [object, string][] = [
    [{ workspace_id: elsewhere.workspace.id }, '/workspace_id'],
    [{ project_id: elsewhere.project.id }, '/project_id'],
    [{ workspace_id: other.id, project_id: site.project.id }, '/project_id'],
    [{ workspace_id: null, project_id: site.project.id }, '/project_id'],
    [{ workspace_id: 'x' }, '/workspace_id'],
  ]
  for (const [place, pointer] of refused) {
    const { status, body } = await ada.post(path, { ...input, ...place })
    expect([status, body.errors[0].pointer]).toEqual([422, pointer])
  }
  const account = await ada.make(path, { ...input, project_id: site.project.id })
  expect(account).toMatchObject({ workspace_id: site.workspace.id, project_id: site.project.id })
  const own = `/api/v1/service-accounts/${account.id}`
  // The project would be in another workspace.
  expect((await ada.put(own, { workspace_id: other.id })).status).toBe(422)
  expect((await ada.put(own, { workspace_id: other.id, project_id: null })).body).toMatchObject({
    workspace_id: other.id,
    project_id: null,
  })
  expect((await ada.put(own, { project_id: site.project.id })).body).toMatchObject({
    workspace_id: site.workspace.id,
    project_id: site.project.id,
  })
  expect((await ada.put(own, { project_id: null })).body).toMatchObject({ workspace_id: site.workspace.id, project_id: null })
})

test('an account is deleted with its workspace', async () => {
  const workspace = await ada.make(`/api/v1/organizations/${site.organization.id}/workspaces`, { name: 'Short' })
  const { account, caller } = await makeMachine(box, ada, site, ['work:read'], { workspace_id: workspace.id })
  expect((await caller.get(`/api/v1/workspaces/${workspace.id}`)).status).toBe(200)
  expect((await ada.delete(`/api/v1/workspaces/${workspace.id}`)).status).toBe(204)
  expect((await caller.get('/api/v1/users/me')).status).toBe(401)
  expect((await ada.get(`/api/v1/service-accounts/${account.id}`)).status).toBe(404)
})

test('an organization has at most 100 service accounts', async () => {
  const crowded = await box.site(ada, 'Crowded')
  const own = `/api/v1/organizations/${crowded.organization.id}/service-accounts`
  await box.sql`
    insert into service_accounts (organization_id, name, scopes, created_by)
    select ${crowded.organization.id}, 'Bot ' || number, '{work:read}', ${ada.id} from generate_series(1, 99) as number
  `
  const answers = await Promise.all([ada.post(own, input), ada.post(own, input)])
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 409])
  expect(answers.find(({ status }) => status === 409)?.body.code).toBe('service_account_limit_reached')
  expect((await ada.get(own)).body).toHaveLength(100)
  const [first] = (await ada.get(own)).body
  await ada.delete(`/api/v1/service-accounts/${first.id}`)
  expect((await ada.post(own, input)).status).toBe(201)
})

test('a key is shown once, and is a bearer token for the API', async () => {
  const { id } = await ada.make(path, { ...input, project_id: site.project.id })
  const keys = `/api/v1/service-accounts/${id}/keys`
  const expires_at = tomorrow()
  const { status, body } = await ada.post(keys, { name: 'Jenkins', expires_at })
  expect(status).toBe(201)
  const { key, ...shown } = body
  expect(key).toMatch(/^sbx_svc_[0-9a-f]{32}[0-9A-Za-z]{36}$/)
  expect(shown).toEqual({
    id: expect.any(String),
    service_account_id: id,
    name: 'Jenkins',
    expires_at,
    last_used_at: null,
    last_used_address: null,
    created_by: ada.id,
    actor: { type: 'user', id: ada.id, name: 'Ada' },
    created_at: expect.any(String),
  })
  expect((await ada.get(keys)).body).toEqual([shown])
  expect((await ada.as(key).get('/api/v1/users/me')).body).toEqual({
    id,
    name: 'Release pipeline',
    type: 'service_account',
    organization_id: site.organization.id,
    workspace_id: site.workspace.id,
    project_id: site.project.id,
    scopes: ['gates:open', 'rollouts:report'],
  })
  await box.until('the use is recorded', async () => (await ada.get(keys)).body[0].last_used_at !== null)
  expect((await ada.get(keys)).body[0].last_used_address).toMatch(/127\.0\.0\.1|::1/)
  const used = (await ada.get(`/api/v1/service-accounts/${id}`)).body
  expect(used).toMatchObject({ last_used_at: expect.any(String), last_used_address: expect.any(String) })
  // A use is no change.
  expect(used.updated_at).toBe(used.created_at)
  const stored = JSON.stringify(await box.sql`select * from service_account_keys where service_account_id = ${id}`)
  expect(stored).not.toContain(key.slice(-30))
  expect(await actionsOf(shown.id)).toEqual([
    [
      'service_account_key.created',
      `Ada created the key Jenkins of the service account Release pipeline, which expires at ${expires_at}.`,
    ],
  ])
})

test('a key expires within 365 days', async () => {
  const { id } = await ada.make(path, input)
  const keys = `/api/v1/service-accounts/${id}/keys`
  const days = (count: number) => new Date(Date.now() + count * 86_400_000).toISOString()
  for (const expires_at of [undefined, null, days(366), days(-1)]) {
    const { status, body } = await ada.post(keys, { name: 'Refused', expires_at })
    expect([status, body.errors?.[0]?.pointer]).toEqual([422, '/expires_at'])
  }
  const { key } = await ada.make(keys, { name: 'Longest', expires_at: days(365) })
  expect((await ada.as(key).get('/api/v1/users/me')).status).toBe(200)
  await box.sql`update service_account_keys set expires_at = now() where service_account_id = ${id}`
  expect((await ada.as(key).get('/api/v1/users/me')).body.code).toBe('unauthenticated')
})

test('an account has at most five keys that are valid, and a revoked one stops at once', async () => {
  const { id } = await ada.make(path, input)
  const keys = `/api/v1/service-accounts/${id}/keys`
  const make = (name: string) => ada.post(keys, { name, expires_at: tomorrow() })
  for (const name of ['1', '2', '3', '4']) expect((await make(name)).status).toBe(201)
  const answers = await Promise.all([make('5'), make('6')])
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 409])
  expect(answers.find(({ status }) => status === 409)?.body.code).toBe('key_limit_reached')
  const { id: key_id, key } = answers.find(({ status }) => status === 201)?.body ?? {}
  expect((await ada.as(key).get('/api/v1/users/me')).status).toBe(200)
  expect((await ada.delete(`${keys}/${key_id}`)).status).toBe(204)
  expect((await ada.as(key).get('/api/v1/users/me')).status).toBe(401)
  expect((await ada.delete(`${keys}/${key_id}`)).status).toBe(404)
  const [, revoked] = await actionsOf(key_id)
  expect(revoked?.[0]).toBe('service_account_key.revoked')
  expect((await make('7')).status).toBe(201)
  await box.sql`update service_account_keys set expires_at = now() where service_account_id = ${id}`
  expect((await make('8')).status).toBe(201)
  expect((await ada.get(keys)).body.map(({ name }: { name: string }) => name)).toEqual(['8'])
})

test('a key of another account or organization is not found', async () => {
  const one = await makeMachine(box, ada, site, ['work:read'])
  const other = await makeMachine(box, ada, site, ['work:read'])
  expect((await ada.delete(`/api/v1/service-accounts/${one.account.id}/keys/${other.key.id}`)).status).toBe(404)
  expect((await other.caller.get('/api/v1/users/me')).status).toBe(200)
})

test('a key that is mistyped, or names another organization, is refused', async () => {
  const { key } = await makeMachine(box, ada, site, ['work:read'])
  const { newServiceAccountKey } = await import('../../api/credentials/token-formats.ts')
  const wrong = [
    key.key.slice(0, -1),
    `${key.key}x`,
    'sbx_svc_',
    newServiceAccountKey(site.organization.id),
    newServiceAccountKey(Bun.randomUUIDv7()),
  ]
  for (const token of wrong) {
    const { status, body } = await ada.as(token).get('/api/v1/users/me')
    expect([status, body.code]).toEqual([401, 'unauthenticated'])
  }
})

test('a key that was made with an Idempotency-Key is shown again to those who may make keys', async () => {
  const { id } = await ada.make(path, input)
  const admin = await box.user('Admin')
  await box.join(admin, site, 'admin')
  const headers = { 'Idempotency-Key': 'key-once' }
  const body = { name: 'Once', expires_at: tomorrow() }
  const made = await admin.post(`/api/v1/service-accounts/${id}/keys`, body, headers)
  expect((await admin.post(`/api/v1/service-accounts/${id}/keys`, body, headers)).body).toEqual(made.body)
  await box.setRole(admin, site.organization.id, 'member')
  expect((await admin.post(`/api/v1/service-accounts/${id}/keys`, body, headers)).status).toBe(403)
})

test('keys stop with their organization', async () => {
  const short = await box.site(ada, 'Short')
  const { caller } = await makeMachine(box, ada, short, ['work:read'])
  expect((await caller.get(`/api/v1/projects/${short.project.id}`)).status).toBe(200)
  expect((await ada.delete(`/api/v1/organizations/${short.organization.id}`)).status).toBe(204)
  expect((await caller.get('/api/v1/users/me')).status).toBe(401)
})
