import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { WITH_LATE_RETRIES, Workbench } from './workbench.ts'

let bench: Workbench

beforeAll(async () => {
  bench = await Workbench.open(WITH_LATE_RETRIES)
})

afterAll(() => bench.close())

/** A hook with one dispatch that failed once and waits for its retry. */
async function withWaitingRetry() {
  const { hook, receiver } = await bench.hooked()
  receiver.answer = () => new Response('', { status: 500 })
  const { body } = await bench.ask(hook, 'trigger')
  return { hook, receiver, dispatch: await bench.once(body, ({ attempt_count }) => attempt_count === 1) }
}

/** A hook with one dispatch in flight. `answer` makes the receiver respond with a status. */
async function withRequestInFlight() {
  const { hook, receiver } = await bench.hooked()
  const answer = Promise.withResolvers<number>()
  receiver.answer = async () => new Response('', { status: await answer.promise })
  const { body: dispatch } = await bench.ask(hook, 'trigger')
  await receiver.waitFor(1)
  return { hook, receiver, dispatch, answer: answer.resolve }
}

describe('cancelling a dispatch', () => {
  test('that waits for a retry stops all further attempts', async () => {
    const { hook, receiver, dispatch } = await withWaitingRetry()
    const { status, body } = await bench.act(dispatch, 'cancel')
    expect([status, body.status]).toEqual([200, 'cancelled'])
    expect(body).toMatchObject({ next_attempt_at: null, attempt_count: 1, response_status: 500, error: { code: 'cancelled' } })
    expect(body.completed_at).toEndWith('Z')
    expect(await bench.lastEntry(dispatch.id)).toMatchObject({ action: 'dispatch.cancelled', resource_type: 'dispatch' })
    await bench.ask(hook, 'test', undefined, { Prefer: 'wait=10' })
    expect(receiver.requests).toHaveLength(2)
  })

  test('that waits takes effect at once, even while another dispatch of the hook is in flight', async () => {
    const { hook, receiver, dispatch } = await withWaitingRetry()
    const hold = Promise.withResolvers<Response>()
    receiver.answer = () => hold.promise
    await bench.ask(hook, 'trigger')
    await receiver.waitFor(2)
    const { status, body } = await bench.act(dispatch, 'cancel')
    expect([status, body.status]).toEqual([200, 'cancelled'])
    hold.resolve(new Response('ok'))
    await bench.box.settled()
  })

  test('in flight still lets it succeed if the receiver accepts it', async () => {
    const { dispatch, answer } = await withRequestInFlight()
    const { status, body } = await bench.act(dispatch, 'cancel')
    expect([status, body.status]).toEqual([200, 'pending'])
    answer(200)
    expect(await bench.once(dispatch, ({ status }) => status !== 'pending')).toMatchObject({
      status: 'succeeded',
      attempt_count: 1,
    })
  })

  test('in flight records the attempt, and a failure is not retried', async () => {
    const { hook, receiver, dispatch, answer } = await withRequestInFlight()
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
    // Cancelled dispatches raise no event.
    expect(await bench.box.sql`select from outbox where project_id = ${hook.project_id} and name like 'deployment.%'`).toEqual(
      expect.objectContaining({ length: 0 }),
    )
  })

  test('that has completed is refused; the error names its status and the requested one', async () => {
    const { hook } = await bench.hooked()
    const { body: dispatch } = await bench.ask(hook, 'trigger', undefined, { Prefer: 'wait=10' })
    for (const action of ['cancel', 'retry']) {
      const { status, body } = await bench.act(dispatch, action)
      expect([status, body.code]).toEqual([409, 'invalid_transition'])
      expect(body.detail).toContain('succeeded')
    }
  })
})

describe('retrying a dispatch now', () => {
  test('sends it at once, and that counts as one of its attempts', async () => {
    const { receiver, dispatch } = await withWaitingRetry()
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

  test('is refused while its hook is paused', async () => {
    const { hook, dispatch } = await withWaitingRetry()
    await bench.change(hook, { paused: true })
    const { status, body } = await bench.act(dispatch, 'retry')
    expect([status, body.code]).toEqual([409, 'hook_paused'])
  })

  test('in flight sends no second request', async () => {
    const { receiver, dispatch, answer } = await withRequestInFlight()
    expect((await bench.act(dispatch, 'retry')).status).toBe(202)
    answer(200)
    await bench.once(dispatch, ({ status }) => status === 'succeeded')
    expect(receiver.requests).toHaveLength(1)
  })
})
