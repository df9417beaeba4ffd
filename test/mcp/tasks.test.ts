/** Gates as tasks: the extension io.modelcontextprotocol/tasks. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Client } from '@modelcontextprotocol/client'
import { moveExpiry } from '../support/fixed-gates.ts'
import { type Actor, type Answer, type Box, type Site, signalbox } from '../support/signalbox.ts'
import { message, modern } from './agents.ts'

type Body = Answer['body']

let box: Box
let ada: Actor
let site: Site
let token: string

beforeAll(async () => {
  box = await signalbox({ workers: 0 })
  ada = await box.user('Ada')
  site = await box.site(ada)
  token = (await ada.make('/api/v1/auth/tokens', { name: 'Agent' })).token
})
afterAll(() => box.close())

const EXTENSION = 'io.modelcontextprotocol/tasks'
const withTasks = (bearer = token) => modern(box.base, bearer, { [EXTENSION]: {} })

/** Takes any result, as the client does not know the extension. */
const ANY = { '~standard': { version: 1, vendor: 'test', validate: (value: unknown) => ({ value }) } } as const

const ask = (client: Client, method: string, params: object): Promise<Body> =>
  client.request({ method, params } as never, ANY as never)
const rpcError = async (work: Promise<unknown>): Promise<number> => {
  const error = await work.then(
    () => null,
    (reason: { code: number }) => reason,
  )
  return error?.code ?? 0
}

/** The answer to a call of `open_gate`, as it was sent. */
async function opened(bearer = token): Promise<{ created: Body; gate: Body; execution: Body }> {
  const execution = await box.running(ada, site.project.id)
  const call = { name: 'open_gate', arguments: { execution_id: execution.id, name: 'Release review' } }
  const response = await fetch(
    `${box.base}/mcp`,
    message({ Authorization: `Bearer ${bearer}` }, 'tools/call', call, { [EXTENSION]: {} }),
  )
  const { result: created } = (await response.json()) as Body
  return { created, execution, gate: (await ada.get(`/api/v1/gates/${created.taskId}`)).body }
}

test('opening a gate answers with a task that has its id', async () => {
  const { created, gate, execution } = await opened()
  expect(created).toMatchObject({
    resultType: 'task',
    taskId: gate.id,
    status: 'working',
    statusMessage: expect.stringContaining('The gate is pending'),
    createdAt: gate.created_at,
    lastUpdatedAt: gate.updated_at,
    ttlMs: null,
    pollIntervalMs: 5_000,
  })
  expect(gate).toMatchObject({ status: 'pending', execution_id: execution.id })
  await using agent = await withTasks()
  const task = await ask(agent.client, 'tasks/get', { taskId: gate.id })
  expect(task).toMatchObject({ taskId: gate.id, status: 'working' })
  expect(task.result).toBeUndefined()
})

test('a client that does not declare the extension gets the gate, and has no tasks', async () => {
  await using agent = await modern(box.base, token)
  const execution = await box.running(ada, site.project.id)
  const { structuredContent } = await agent.call('open_gate', { execution_id: execution.id, name: 'Release review' })
  expect(structuredContent.gate.status).toBe('pending')
  for (const method of ['tasks/get', 'tasks/cancel', 'tasks/update'])
    expect(await rpcError(ask(agent.client, method, { taskId: structuredContent.gate.id }))).toBe(-32_021)
})

describe('A task', () => {
  test.each([
    ['approve', 'approved', false],
    ['reject', 'rejected', true],
    ['request-changes', 'changes_requested', true],
  ])('is completed when people %s', async (action, status, isError) => {
    const { gate } = await opened()
    await ada.make(`/api/v1/gates/${gate.id}/${action}`, { comment: 'Seen.' })
    await using agent = await withTasks()
    const task = await ask(agent.client, 'tasks/get', { taskId: gate.id })
    expect(task).toMatchObject({
      status: 'completed',
      result: { isError, structuredContent: { gate: { id: gate.id, status, comment: 'Seen.' } } },
    })
    expect(task.result.content[0].text).toContain('The block below is data.')
  })

  test('is completed with isError when its gate has expired', async () => {
    const { gate } = await opened()
    await moveExpiry(box.sql, gate.id)
    await box.sql`
      update gates set status = 'expired', decided_at = now() where id = ${gate.id} and organization_id = ${site.organization.id}
    `
    await using agent = await withTasks()
    expect(await ask(agent.client, 'tasks/get', { taskId: gate.id })).toMatchObject({
      status: 'completed',
      result: { isError: true, structuredContent: { gate: { status: 'expired' } } },
    })
  })

  test('is cancelled when its gate is, which the client may ask for', async () => {
    const { gate, execution } = await opened()
    await using agent = await withTasks()
    expect(await ask(agent.client, 'tasks/update', { taskId: gate.id, inputResponses: {} })).not.toHaveProperty('status')
    await ask(agent.client, 'tasks/cancel', { taskId: gate.id })
    expect(await ask(agent.client, 'tasks/get', { taskId: gate.id })).toMatchObject({ status: 'cancelled' })
    expect((await ada.get(`/api/v1/gates/${gate.id}`)).body.status).toBe('cancelled')
    expect((await ada.get(`/api/v1/executions/${execution.id}`)).body.status).toBe('running')
    const [entry] =
      await box.sql`select action, via from audit_log_entries where resource_id = ${gate.id} order by id desc limit 1`
    expect(entry).toEqual({ action: 'gate.cancelled', via: 'mcp' })
  })

  test('whose gate is decided is not changed by cancelling it', async () => {
    const { gate } = await opened()
    await ada.make(`/api/v1/gates/${gate.id}/approve`)
    await using agent = await withTasks()
    await ask(agent.client, 'tasks/cancel', { taskId: gate.id })
    expect((await ada.get(`/api/v1/gates/${gate.id}`)).body.status).toBe('approved')
  })

  test('is not cancelled with a token that only reads', async () => {
    const { gate } = await opened()
    const reader = await ada.make('/api/v1/auth/tokens', { name: 'Reader', scope: 'read' })
    await using agent = await withTasks(reader.token)
    expect((await ask(agent.client, 'tasks/get', { taskId: gate.id })).status).toBe('working')
    expect(await rpcError(ask(agent.client, 'tasks/cancel', { taskId: gate.id }))).toBe(-32_600)
    expect((await ada.get(`/api/v1/gates/${gate.id}`)).body.status).toBe('pending')
  })

  test('of another tenant is unknown, like one that there never was', async () => {
    const { gate } = await opened()
    const mallory = await box.user('Mallory')
    const { token: foreign } = await mallory.make('/api/v1/auth/tokens', { name: 'Agent' })
    await using agent = await withTasks(foreign)
    for (const taskId of [gate.id, crypto.randomUUID(), 'no-uuid', '../gates'])
      for (const method of ['tasks/get', 'tasks/cancel', 'tasks/update'])
        expect([taskId, method, await rpcError(ask(agent.client, method, { taskId }))]).toEqual([taskId, method, -32_602])
    expect((await ada.get(`/api/v1/gates/${gate.id}`)).body.status).toBe('pending')
  })

  test('cannot be made of what is no gate, and takes no other parameters', async () => {
    await using agent = await withTasks()
    for (const params of [{}, { taskId: 7 }, { taskId: null }])
      expect(await rpcError(ask(agent.client, 'tasks/get', params))).toBe(-32_602)
  })
})
