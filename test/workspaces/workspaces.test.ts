import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type Actor, type Box, type Site, signalbox } from '../support/signalbox.ts'

let box: Box
let ada: Actor
let site: Site

beforeAll(async () => {
  box = await signalbox({ workers: 0 })
  ada = await box.user('Ada')
  site = await box.site(ada)
})
afterAll(() => box.close())

const workspaces = (organization_id: string) => `/api/v1/organizations/${organization_id}/workspaces`
const organization = (name: string) => ada.make('/api/v1/organizations', { name })

test('a new workspace has its fields, and the list shows exactly those of the summary', async () => {
  const { id: organization_id } = await organization('Fields')
  const { status, headers, body } = await ada.post(workspaces(organization_id), { name: 'Data Platform' })
  expect([status, headers.get('location')]).toEqual([201, `/api/v1/workspaces/${body.id}`])
  const summary = {
    id: expect.any(String),
    name: 'Data Platform',
    workspace_key: 'DP',
    organization_id,
    owner_id: ada.id,
    budget_monthly_limit_usd: null,
    created_at: expect.any(String),
  }
  const gate_policy = {
    required_approvals: 1,
    prevent_self_approval: false,
    expires_in_seconds: null,
    decide_via: ['api', 'app', 'slack', 'mail'],
  }
  const rest = { description: null, budget_used_usd: 0, budget_alert_threshold: 0.8, gate_policy, updated_at: body.created_at }
  expect(body).toEqual({ ...summary, ...rest })
  expect((await ada.get(`/api/v1/workspaces/${body.id}`)).body).toEqual(body)
  expect((await ada.get(workspaces(organization_id))).body).toEqual([summary])
})

test('keys are unique within their organization, also for thirty concurrent creations', async () => {
  const [one, two] = await Promise.all([organization('Keys One'), organization('Keys Two')])
  const created = await Promise.all(Array.from({ length: 30 }, () => ada.post(workspaces(one.id), { name: 'Core' })))
  expect(new Set(created.map(({ status }) => status))).toEqual(new Set([201]))
  const keys = Array.from({ length: 30 }, (_, index) => (index === 0 ? 'CORE' : `CORE${index + 1}`)).sort()
  expect(created.map(({ body }) => body.workspace_key).sort()).toEqual(keys)
  expect((await ada.make(workspaces(two.id), { name: 'Core' })).workspace_key).toBe('CORE')
  expect((await ada.get(`/api/v1/organizations/${one.id}`)).body.workspace_count).toBe(30)
})

test('max_workspaces is enforced for concurrent creations, and deleting one makes room', async () => {
  const { id } = await organization('Limited')
  await box.sql`update organizations set max_workspaces = 3 where id = ${id}`
  const made = await Promise.all(Array.from({ length: 10 }, () => ada.post(workspaces(id), { name: 'Seat' })))
  const [created, refused] = [made.filter(({ status }) => status === 201), made.filter(({ status }) => status === 409)]
  expect([created.length, refused.length]).toEqual([3, 7])
  for (const { body } of refused) expect(body.code).toBe('workspace_limit_reached')
  expect((await ada.delete(`/api/v1/workspaces/${created[0]?.body.id}`)).status).toBe(204)
  expect((await ada.post(workspaces(id), { name: 'Seat' })).status).toBe(201)
  expect((await ada.get(`/api/v1/organizations/${id}`)).body.workspace_count).toBe(3)
})

test('a member who creates a workspace is its owner and admin', async () => {
  const member = await box.user('Member')
  await box.join(member, site, 'member')
  const made = await member.make(workspaces(site.organization.id), { name: 'Mine' })
  expect(made.owner_id).toBe(member.id)
  expect((await member.put(`/api/v1/workspaces/${made.id}`, { description: 'mine' })).status).toBe(200)
  expect((await ada.get(`/api/v1/workspaces/${made.id}`)).status).toBe(200)
})

describe('An update', () => {
  test('sets the given fields, and null clears', async () => {
    const made = await ada.make(workspaces(site.organization.id), {
      name: 'Before',
      description: 'Kept',
      budget_monthly_limit_usd: 100.5,
      budget_alert_threshold: 0.5,
    })
    const path = `/api/v1/workspaces/${made.id}`
    const renamed = await ada.put(path, { name: ' After ' })
    expect(renamed.body).toEqual({ ...made, name: 'After', updated_at: expect.any(String) })
    expect(renamed.body.updated_at > made.updated_at).toBe(true)
    const cleared = await ada.put(path, { description: null, budget_monthly_limit_usd: null })
    expect(cleared.body).toMatchObject({ description: null, budget_monthly_limit_usd: null, budget_alert_threshold: 0.5 })
    expect(cleared.body.workspace_key).toBe(made.workspace_key)
  })

  test('without fields changes nothing, and is not audited', async () => {
    const made = await ada.make(workspaces(site.organization.id), { name: 'Untouched' })
    const { status, body } = await ada.put(`/api/v1/workspaces/${made.id}`, {})
    expect([status, body]).toEqual([200, made])
    expect(await actions(made.id)).toEqual(['workspace.created'])
  })

  test('refuses fields that cannot be set', async () => {
    for (const field of ['workspace_key', 'owner_id', 'organization_id', 'budget_used_usd', 'created_at', 'id']) {
      const { status, body } = await ada.put(`/api/v1/workspaces/${site.workspace.id}`, { [field]: 'x' })
      expect([status, body.errors[0]]).toEqual([422, { pointer: `/${field}`, code: 'unknown_field', detail: expect.any(String) }])
    }
    for (const field of ['name', 'budget_alert_threshold']) {
      expect((await ada.put(`/api/v1/workspaces/${site.workspace.id}`, { [field]: null })).status).toBe(422)
    }
  })
})

const actions = async (resource_id: string) =>
  (await box.sql<{ action: string }[]>`select action from audit_log_entries where resource_id = ${resource_id} order by id`).map(
    ({ action }) => action,
  )

test('every change is audited with user, address, action and workspace', async () => {
  const made = await ada.make(workspaces(site.organization.id), { name: 'Trailed' })
  await ada.put(`/api/v1/workspaces/${made.id}`, { description: 'x' })
  await ada.delete(`/api/v1/workspaces/${made.id}`)
  expect(await actions(made.id)).toEqual(['workspace.created', 'workspace.updated', 'workspace.deleted'])
  const [entry] = await box.sql`select * from audit_log_entries where resource_id = ${made.id} order by id`
  expect(entry).toMatchObject({
    organization_id: site.organization.id,
    workspace_id: made.id,
    workspace_name: 'Trailed',
    actor_type: 'human',
    actor_id: ada.id,
    actor_name: 'Ada',
    resource_type: 'workspace',
    ip_address: '127.0.0.1',
  })
})

test('deleting a workspace deletes everything in it; audit entries and spend stay with the organization', async () => {
  const doomed = await box.site(ada, 'Doomed')
  const execution = await box.running(ada, doomed.project.id)
  await ada.make(`/api/v1/executions/${execution.id}/usage`, { cost_usd: 2.5 })
  expect((await ada.delete(`/api/v1/workspaces/${doomed.workspace.id}`)).status).toBe(204)
  for (const path of [
    `/api/v1/workspaces/${doomed.workspace.id}`,
    `/api/v1/projects/${doomed.project.id}`,
    `/api/v1/executions/${execution.id}`,
  ]) {
    expect((await ada.get(path)).status).toBe(404)
  }
  const { body } = await ada.get(`/api/v1/organizations/${doomed.organization.id}`)
  expect([body.workspace_count, body.budget_used_usd]).toEqual([0, 2.5])
  const [{ count }] = await box.sql<[{ count: number }]>`
    select count(*) as count from audit_log_entries where workspace_id = ${doomed.workspace.id}
  `
  expect(count).toBeGreaterThanOrEqual(5)
})

test('of concurrent deletions one succeeds and is counted', async () => {
  const { id } = await organization('Twice')
  const made = await ada.make(workspaces(id), { name: 'Twice' })
  const answers = await Promise.all(Array.from({ length: 5 }, () => ada.delete(`/api/v1/workspaces/${made.id}`)))
  expect(answers.map(({ status }) => status).sort()).toEqual([204, 404, 404, 404, 404])
  expect((await ada.get(`/api/v1/organizations/${id}`)).body.workspace_count).toBe(0)
})
