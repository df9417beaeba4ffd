import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Answer } from '../support/signalbox.ts'
import { Workbench } from './workbench.ts'

let bench: Workbench

beforeAll(async () => {
  bench = await Workbench.open()
})

afterAll(() => bench.close())

const rollBack = (project: Answer['body'], body: unknown, headers?: Record<string, string>) =>
  bench.admin.post(`/api/v1/projects/${project.id}/deployment-rollback`, body, headers)

const addHook = (project: Answer['body'], input: object) =>
  bench.admin.make(`/api/v1/projects/${project.id}/deployment-hooks`, {
    name: 'Another',
    url: 'http://127.0.0.1:9/',
    trigger_on: 'workflow_done',
    ...input,
  })

describe('a rollback', () => {
  test('is sent to every enabled hook, whatever its environment, as one event', async () => {
    const { project, hook, receiver } = await bench.hooked({ environment: 'production' })
    const staging = await addHook(project, { url: `${receiver.url}/staging`, environment: 'staging' })
    await addHook(project, { enabled: false })
    const { status, body } = await rollBack(project, {
      target_version: ' v1.4.2 ',
      reason: 'It burns.',
      environment: 'production',
    })
    expect(status).toBe(202)
    expect(body.dispatches.map((each: Answer['body']) => [each.hook_id, each.event, each.sequence, each.environment])).toEqual([
      [hook.id, 'deployment.rollback', 1, 'production'],
      [staging.id, 'deployment.rollback', 1, 'staging'],
    ])
    const requests = await receiver.waitFor(2)
    for (const { headers, body: text } of requests) {
      expect(headers['x-signalbox-event']).toBe('deployment.rollback')
      expect(JSON.parse(text)).toMatchObject({
        id: body.event_id,
        event: 'deployment.rollback',
        data: { target_version: 'v1.4.2', reason: 'It burns.', environment: 'production' },
      })
    }
    await bench.box.settled()
    // The drain does not send it a second time.
    expect(receiver.requests).toHaveLength(2)
    const [event, ...others] = await bench.box.sql`
      select id, data from outbox where project_id = ${project.id} and name = 'deployment.rollback'
    `
    expect(event).toMatchObject({
      id: body.event_id,
      data: { target_version: 'v1.4.2', reason: 'It burns.', environment: 'production' },
    })
    expect(others).toEqual([])
    expect(await bench.lastEntry(project.id)).toMatchObject({ action: 'deployment.rollback', resource_type: 'project' })
  })

  test('responds with all outcomes when the caller prefers to wait', async () => {
    const { project, receiver } = await bench.hooked()
    await addHook(project, { url: `${receiver.url}/fails` })
    receiver.answer = ({ path }) => new Response('', { status: path === '/fails' ? 500 : 200 })
    const { status, body, headers } = await rollBack(project, { target_version: 'v1' }, { Prefer: 'wait=15' })
    expect([status, headers.get('preference-applied')]).toEqual([200, 'wait=15'])
    expect(body.dispatches.map((each: Answer['body']) => each.status)).toEqual(['succeeded', 'failed'])
    expect(JSON.parse(receiver.requests[0]?.body ?? '').data).toEqual({ target_version: 'v1', reason: null, environment: null })
  })

  test('is sent once per Idempotency-Key, and the repeated request may wait', async () => {
    const { project, receiver } = await bench.hooked()
    const key = { 'Idempotency-Key': 'back' }
    const first = await rollBack(project, { target_version: 'v1' }, key)
    const second = await rollBack(project, { target_version: 'v1' }, { ...key, Prefer: 'wait=10' })
    expect([first.status, second.status, second.body.event_id]).toEqual([202, 200, first.body.event_id])
    expect(second.body.dispatches).toMatchObject([{ id: first.body.dispatches[0].id, status: 'succeeded' }])
    expect(receiver.requests).toHaveLength(1)
  })

  test('of a project without enabled hooks raises its event and sends nothing', async () => {
    const { project } = await bench.hooked({ enabled: false })
    const { status, body } = await rollBack(project, { target_version: 'v1' })
    expect([status, body.dispatches]).toEqual([202, []])
    expect(await bench.box.sql`select from outbox where id = ${body.event_id}`).toHaveLength(1)
  })

  test.each([
    [{}, '/target_version'],
    [{ target_version: '  ' }, '/target_version'],
    [{ target_version: 'v'.repeat(121) }, '/target_version'],
    [{ target_version: null }, '/target_version'],
    [{ target_version: 'v1', reason: 'r'.repeat(2001) }, '/reason'],
    [{ target_version: 'v1', environment: '' }, '/environment'],
    [{ target_version: 'v1', version: 'v2' }, '/version'],
  ])('with %j is refused', async (body, pointer) => {
    const { project } = await bench.hooked()
    const answer = await rollBack(project, body)
    expect([answer.status, answer.body.errors.map((each: Answer['body']) => each.pointer)]).toEqual([422, [pointer]])
  })
})
