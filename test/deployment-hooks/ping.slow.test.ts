import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { Webhook } from 'standardwebhooks'
import type { Received } from '../support/receiver.ts'
import { Workbench } from './workbench.ts'

const WHSEC = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'

let bench: Workbench

beforeAll(async () => {
  bench = await Workbench.open({ workers: 2 })
})

afterAll(() => bench.close())

describe('a test.ping', () => {
  test('is accepted at once, and sent without a sequence', async () => {
    const { hook, receiver } = await bench.hooked({ secret: WHSEC })
    const { status, body, headers } = await bench.admin.post(`/api/v1/deployment-hooks/${hook.id}/test`)
    expect(status).toBe(202)
    expect(headers.get('location')).toBe(`/api/v1/dispatches/${body.id}`)
    expect(headers.get('preference-applied')).toBeNull()
    expect(body).toMatchObject({ status: 'pending', event: 'test.ping', attempt_count: 0, max_attempts: 1, sequence: null })
    const request = await receiver.event('test.ping')
    expect(request.headers).not.toHaveProperty('x-signalbox-sequence')
    expect(request.headers['webhook-id']).toBe(body.id)
    expect(new Webhook(WHSEC).verify(request.body, request.headers)).toMatchObject({
      event: 'test.ping',
      sequence: null,
      data: { hook: { id: hook.id } },
    })
    expect(await bench.recorded(request)).toMatchObject({ status: 'succeeded', sequence: null, attempt_count: 1 })
  })

  test('does not increment the sequence of its hook', async () => {
    const { project, hook, receiver } = await bench.hooked()
    const execution = await bench.box.running(bench.admin, project.id)
    await bench.box.approval(bench.admin, execution.id)
    await bench.admin.make(`/api/v1/deployment-hooks/${hook.id}/test`, undefined, { Prefer: 'wait=10' })
    await bench.box.approval(bench.admin, execution.id)
    const approvals = await receiver.waitFor(2, ({ headers }) => headers['x-signalbox-event'] === 'gate.approved')
    expect(approvals.map(({ headers }) => headers['x-signalbox-sequence']).sort()).toEqual(['1', '2'])
  })

  test('responds with its outcome when the caller prefers to wait', async () => {
    const { hook, receiver } = await bench.hooked({ secret: null })
    receiver.answer = () => new Response('teapot', { status: 418 })
    const path = `/api/v1/deployment-hooks/${hook.id}/test`
    const { status, body, headers } = await bench.admin.post(path, undefined, { Prefer: 'respond-async, wait=15' })
    expect(status).toBe(200)
    expect(headers.get('preference-applied')).toBe('wait=15')
    expect(body).toMatchObject({
      status: 'failed',
      attempt_count: 1,
      response_status: 418,
      response_body: 'teapot',
      error: { code: 'http_error' },
    })
    // Sent once, and the hook is unchanged.
    expect((await bench.admin.get(`/api/v1/deployment-hooks/${hook.id}`)).body).toEqual(hook)
    expect(receiver.requests).toHaveLength(1)
  })

  test('that outlasts the wait is returned as pending', async () => {
    const { hook, receiver } = await bench.hooked()
    const answer = Promise.withResolvers<Response>()
    receiver.answer = () => answer.promise
    const path = `/api/v1/deployment-hooks/${hook.id}/test`
    const { status, body, headers } = await bench.admin.post(path, undefined, { Prefer: 'wait=1' })
    answer.resolve(new Response('late'))
    expect(status).toBe(202)
    expect(body.status).toBe('pending')
    expect(headers.get('preference-applied')).toBeNull()
    const [request] = await receiver.waitFor(1)
    expect(await bench.recorded(request as Received)).toMatchObject({ status: 'succeeded', response_body: 'late' })
  })

  test.each(['wait', 'wait=soon', 'wait=-1', 'wait=1.5', 'nonsense'])('ignores the preference %p', async (prefer) => {
    const { hook } = await bench.hooked()
    const { status } = await bench.admin.post(`/api/v1/deployment-hooks/${hook.id}/test`, undefined, { Prefer: prefer })
    expect(status).toBe(202)
  })

  test('is sent once per Idempotency-Key, and the repeated request may wait for the first', async () => {
    const { hook, receiver } = await bench.hooked()
    const path = `/api/v1/deployment-hooks/${hook.id}/test`
    const key = { 'Idempotency-Key': `ping-${hook.id}` }
    const first = await bench.admin.post(path, undefined, key)
    const second = await bench.admin.post(path, undefined, { ...key, Prefer: 'wait=10' })
    expect([first.status, second.status]).toEqual([202, 200])
    expect(second.body).toMatchObject({ id: first.body.id, status: 'succeeded' })
    const third = await bench.admin.post(path, undefined, key)
    expect([third.status, third.body.id]).toEqual([202, first.body.id])
    expect(third.headers.get('idempotent-replayed')).toBe('true')
    await bench.box.settled()
    expect(receiver.requests).toHaveLength(1)
  })

  test('is sent by a hook that its owner created disabled', async () => {
    const { hook, receiver } = await bench.hooked({ enabled: false })
    const { body } = await bench.admin.post(`/api/v1/deployment-hooks/${hook.id}/test`, undefined, { Prefer: 'wait=10' })
    expect(body.status).toBe('succeeded')
    expect(receiver.requests).toHaveLength(1)
  })

  test('that is answered with 410 does not disable its hook', async () => {
    const { hook, receiver } = await bench.hooked({ secret: null })
    receiver.answer = () => new Response('gone', { status: 410 })
    const { body } = await bench.admin.post(`/api/v1/deployment-hooks/${hook.id}/test`, undefined, { Prefer: 'wait=10' })
    expect(body).toMatchObject({ status: 'failed', response_status: 410 })
    expect((await bench.admin.get(`/api/v1/deployment-hooks/${hook.id}`)).body).toEqual(hook)
  })
})
