import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { Workbench } from './workbench.ts'

let bench: Workbench

beforeAll(async () => {
  bench = await Workbench.open({ workers: 2, environment: { HOOK_RETRY_SECONDS: '600,600' } })
})

afterAll(() => bench.close())

/** A hook with one dispatch that failed once and waits. */
async function waiting() {
  const { hook, receiver } = await bench.hooked()
  receiver.answer = () => new Response('', { status: 500 })
  const { body } = await bench.ask(hook, 'trigger')
  return { hook, receiver, dispatch: await bench.once(body, ({ attempt_count }) => attempt_count === 1) }
}

/** A hook with one dispatch that is in flight, and a way to have it answered. */
async function inFlight() {
  const { hook, receiver } = await bench.hooked()
  const answer = Promise.withResolvers<number>()
  receiver.answer = async () => new Response('', { status: await answer.promise })
  const { body: dispatch } = await bench.ask(hook, 'trigger')
  await receiver.waitFor(1)
  return { hook, receiver, dispatch, answer: answer.resolve }
}

describe('a dispatch that is cancelled', () => {
  test('while it waits is never tried again', async () => {
    const { hook, receiver, dispatch } = await waiting()
    const { status, body } = await bench.act(dispatch, 'cancel')
    expect([status, body.status]).toEqual([200, 'cancelled'])
    expect(body).toMatchObject({ next_attempt_at: null, attempt_count: 1, response_status: 500, error: { code: 'cancelled' } })
    expect(body.completed_at).toEndWith('Z')
    expect(await bench.lastEntry(dispatch.id)).toMatchObject({ action: 'dispatch.cancelled', resource_type: 'dispatch' })
    await bench.ask(hook, 'test', undefined, { Prefer: 'wait=10' })
    expect(receiver.requests).toHaveLength(2)
  })

  test('while another of its hook is in flight is cancelled at once all the same', async () => {
    const { hook, receiver, dispatch } = await waiting()
    const hold = Promise.withResolvers<Response>()
    receiver.answer = () => hold.promise
    await bench.ask(hook, 'trigger')
    await receiver.waitFor(2)
    const { status, body } = await bench.act(dispatch, 'cancel')
    expect([status, body.status]).toEqual([200, 'cancelled'])
    hold.resolve(new Response('ok'))
    await bench.box.settled()
  })

  test('while it is in flight has succeeded if that succeeds', async () => {
    const { dispatch, answer } = await inFlight()
    const { status, body } = await bench.act(dispatch, 'cancel')
    expect([status, body.status]).toEqual([200, 'pending'])
    answer(200)
    expect(await bench.once(dispatch, ({ status }) => status !== 'pending')).toMatchObject({
      status: 'succeeded',
      attempt_count: 1,
    })
  })

  test('while it is in flight gets no further try if that fails, and its attempt is on record', async () => {
    const { hook, receiver, dispatch, answer } = await inFlight()
    await bench.subscribeToOutcomes({ id: hook.project_id })
    expect((await bench.act(dispatch, 'cancel')).body.status).toBe('pending')
    expect((await bench.act(dispatch, 'cancel')).body.status).toBe('pending')
    const refused = await bench.act(dispatch, 'retry')
    expect([refused.status, refused.body.code]).toEqual([409, 'invalid_transition'])
    answer(500)
    expect(await bench.once(dispatch, ({ status }) => status !== 'pending')).toMatchObject({
      status: 'cancelled',
      attempt_count: 1,
      response_status: 500,
      error: { code: 'cancelled' },
      attempts: [{ response_status: 500 }],
    })
    expect(receiver.requests).toHaveLength(1)
    const entries = await bench.box.sql`select from audit_log_entries where resource_id = ${dispatch.id}`
    expect(entries).toHaveLength(1)
    // Cancelled ones raise nothing.
    expect(await bench.box.sql`select from outbox where project_id = ${hook.project_id} and name like 'deployment.%'`).toEqual(
      expect.objectContaining({ length: 0 }),
    )
  })

  test('after it is finished is refused, and the answer names both states', async () => {
    const { hook } = await bench.hooked()
    const { body: dispatch } = await bench.ask(hook, 'trigger', undefined, { Prefer: 'wait=10' })
    for (const action of ['cancel', 'retry']) {
      const { status, body } = await bench.act(dispatch, action)
      expect([status, body.code]).toEqual([409, 'invalid_transition'])
      expect(body.detail).toContain('succeeded')
    }
  })
})

describe('a dispatch that is retried now', () => {
  test('is tried at once, and that is one of its attempts', async () => {
    const { receiver, dispatch } = await waiting()
    const failing = await bench.act(dispatch, 'retry')
    expect([failing.status, failing.body.status]).toEqual([202, 'pending'])
    await bench.once(dispatch, ({ attempt_count }) => attempt_count === 2)
    receiver.answer = () => new Response('ok')
    const { status, body, headers } = await bench.act(dispatch, 'retry', { Prefer: 'wait=10' })
    expect([status, body.status, body.attempt_count]).toEqual([200, 'succeeded', 3])
    expect(headers.get('preference-applied')).toBe('wait=10')
    expect(receiver.requests.map(({ headers }) => headers['x-signalbox-attempt'])).toEqual(['1', '2', '3'])
    expect(await bench.lastEntry(dispatch.id)).toMatchObject({ action: 'dispatch.retried' })
  })

  test('while its hook is paused is refused', async () => {
    const { hook, dispatch } = await waiting()
    await bench.change(hook, { paused: true })
    const { status, body } = await bench.act(dispatch, 'retry')
    expect([status, body.code]).toEqual([409, 'hook_paused'])
  })

  test('while it is in flight is not sent beside itself', async () => {
    const { receiver, dispatch, answer } = await inFlight()
    expect((await bench.act(dispatch, 'retry')).status).toBe(202)
    answer(200)
    await bench.once(dispatch, ({ status }) => status === 'succeeded')
    expect(receiver.requests).toHaveLength(1)
  })
})
