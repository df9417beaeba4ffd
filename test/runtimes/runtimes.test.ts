import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type Actor, type Box, type Site, signalbox } from '../support/signalbox.ts'

let box: Box
let ada: Actor
let grace: Actor
let site: Site

beforeAll(async () => {
  box = await signalbox({ workers: 0 })
  ada = await box.user('Ada')
  grace = await box.user('Grace')
  site = await box.site(ada)
  await box.join(grace, site, 'member')
})
afterAll(() => box.close())

const path = () => `/api/v1/organizations/${site.organization.id}/runtimes`
const register = (by: Actor, name = 'Farm 1') => by.make(path(), { name, hostname: 'farm-1.example.com', agents: ['claude'] })
const auditedActions = async (id: string) =>
  (await box.sql`select action from audit_log_entries where resource_id = ${id} order by id`).map(({ action }) => action)

test('a member can register a runtime, and all members see it, newest first', async () => {
  const first = await register(grace)
  expect(first).toEqual({
    id: expect.any(String),
    name: 'Farm 1',
    hostname: 'farm-1.example.com',
    status: 'online',
    agents: ['claude'],
    last_heartbeat: expect.any(String),
    owner_id: grace.id,
    owner_name: 'Grace',
  })
  const second = await ada.make(path(), { name: ' Farm 2 ', hostname: 'farm-2' })
  expect([second.name, second.agents]).toEqual(['Farm 2', []])
  expect((await grace.get(path())).body).toEqual([second, first])
  const { body, headers } = await grace.get(`${path()}?limit=1`)
  expect([body, headers.get('link')]).toEqual([[second], expect.stringMatching(/[?&]after=[\w-]+>; rel="next"$/)])
  const [event] = await box.sql`
    select workspace_id, data from outbox where name = 'runtime.online' and data -> 'runtime' ->> 'id' = ${first.id}
  `
  expect([event?.workspace_id, event?.data]).toEqual([null, { runtime: first }])
  expect(await auditedActions(first.id)).toEqual(['runtime.online'])
})

test('validation errors name the field', async () => {
  const good = { name: 'Farm', hostname: 'farm' }
  for (const [body, pointer] of [
    [{ hostname: 'farm' }, '/name'],
    [{ ...good, name: ' ' }, '/name'],
    [{ ...good, name: 'x'.repeat(121) }, '/name'],
    [{ name: 'Farm' }, '/hostname'],
    [{ ...good, hostname: 'x'.repeat(254) }, '/hostname'],
    [{ ...good, agents: 'claude' }, '/agents'],
    [{ ...good, agents: [''] }, '/agents/0'],
    [{ ...good, agents: ['x'.repeat(121)] }, '/agents/0'],
    [{ ...good, agents: Array(51).fill('claude') }, '/agents'],
    [{ ...good, status: 'online' }, '/status'],
  ] as const) {
    const { status, body: problem } = await ada.post(path(), body)
    expect([status, problem.errors[0].pointer]).toEqual([422, pointer])
  }
})

describe('A heartbeat', () => {
  test('updates last_heartbeat, and agents if given, without an audit entry', async () => {
    const { id, last_heartbeat } = await register(grace)
    await box.sql`update runtimes set last_heartbeat = seconds_after(last_heartbeat, -80) where id = ${id}`
    const beat = await grace.post(`/api/v1/runtimes/${id}/heartbeat`)
    expect([beat.status, beat.body.status, beat.body.agents]).toEqual([200, 'online', ['claude']])
    expect(beat.body.last_heartbeat >= last_heartbeat).toBe(true)
    const again = await grace.post(`/api/v1/runtimes/${id}/heartbeat`, { agents: ['codex', 'claude'] })
    expect(again.body.agents).toEqual(['codex', 'claude'])
    expect((await grace.post(`/api/v1/runtimes/${id}/heartbeat`, { agents: [] })).body.agents).toEqual([])
    expect((await grace.post(`/api/v1/runtimes/${id}/heartbeat`, { agents: null })).status).toBe(422)
    expect(await auditedActions(id)).toEqual(['runtime.online'])
    const events = await box.sql`select name from outbox where data -> 'runtime' ->> 'id' = ${id}`
    expect(events).toHaveLength(1)
  })

  test('is accepted from the owner of the runtime and from admins, checked before its body', async () => {
    const { id } = await register(grace)
    const [other, stranger] = [await box.user('Other'), await box.user('Stranger')]
    await box.join(other, site, 'member')
    const beat = async (by: Actor, body: object = {}) => (await by.post(`/api/v1/runtimes/${id}/heartbeat`, body)).status
    expect([await beat(grace), await beat(ada)]).toEqual([200, 200])
    expect([await beat(other, { nonsense: 1 }), await beat(stranger, { nonsense: 1 })]).toEqual([403, 404])
    expect(await beat(grace, { nonsense: 1 })).toBe(422)
    await box.leave(grace, site.organization.id)
    expect(await beat(grace)).toBe(404)
    await box.join(grace, site, 'member')
  })
})

test('a removed runtime is gone, and its executions stay without it', async () => {
  const runtime = await register(grace)
  const execution = await box.running(ada, site.project.id, { runtime_id: runtime.id })
  expect(execution.runtime_id).toBe(runtime.id)
  expect((await grace.delete(`/api/v1/runtimes/${runtime.id}`)).status).toBe(403)
  expect((await ada.delete(`/api/v1/runtimes/${runtime.id}`)).status).toBe(204)
  expect((await ada.delete(`/api/v1/runtimes/${runtime.id}`)).status).toBe(404)
  expect((await grace.post(`/api/v1/runtimes/${runtime.id}/heartbeat`)).status).toBe(404)
  expect((await ada.get(`/api/v1/executions/${execution.id}`)).body.runtime_id).toBeNull()
  expect((await ada.get(path())).body.map(({ id }: { id: string }) => id)).not.toContain(runtime.id)
  expect(await auditedActions(runtime.id)).toEqual(['runtime.online', 'runtime.deleted'])
})

test('runtimes of another organization cannot be seen or used', async () => {
  const mallory = await box.user('Mallory')
  const other = await box.site(mallory, 'Other')
  const runtime = await register(grace)
  expect((await mallory.get(path())).status).toBe(404)
  expect((await mallory.post(path(), { name: 'x', hostname: 'x' })).status).toBe(404)
  expect((await mallory.delete(`/api/v1/runtimes/${runtime.id}`)).status).toBe(404)
  const requirement = await mallory.make(`/api/v1/projects/${other.project.id}/requirements`, { title: 'Theirs' })
  const { status } = await mallory.post(`/api/v1/requirements/${requirement.id}/executions`, {
    agent: 'a',
    runtime_id: runtime.id,
  })
  expect(status).toBe(422)
})
