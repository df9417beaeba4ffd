import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Answer } from '../support/signalbox.ts'
import { Workbench } from './workbench.ts'

let bench: Workbench

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'

beforeAll(async () => {
  bench = await Workbench.open()
})

afterAll(() => bench.close())

describe('a dispatch that fails', () => {
  test('is retried with the same body and id, a new attempt number, timestamp and signature, and every attempt is recorded', async () => {
    const receiver = bench.receiver()
    receiver.answer = async (_, number) => {
      // The timestamp of the signature has whole seconds.
      if (number === 1) await Bun.sleep(1_050)
      return number < 3
        ? new Response(`no ${number}`, { status: 500, headers: { 'X-Number': String(number) } })
        : new Response('yes')
    }
    const { project, hook } = await bench.hookTo(receiver.url, { secret: SECRET })
    await bench.approve(project)
    const requests = await receiver.waitFor(3)
    const dispatch = await bench.settled(hook)

    const values = (name: string) => requests.map(({ headers }) => headers[name])
    expect(new Set(requests.map(({ body }) => body)).size).toBe(1)
    expect(values('webhook-id')).toEqual([dispatch.id, dispatch.id, dispatch.id])
    expect(values('x-signalbox-delivery')).toEqual([dispatch.id, dispatch.id, dispatch.id])
    expect(values('x-signalbox-sequence')).toEqual(['1', '1', '1'])
    expect(values('x-signalbox-attempt')).toEqual(['1', '2', '3'])
    const [first = 0, second = 0] = values('webhook-timestamp').map(Number)
    expect(second).toBeGreaterThan(first)
    expect(values('webhook-signature')[0]).not.toBe(values('webhook-signature')[1])
    expect(new Set(values('x-signalbox-signature')).size).toBe(1)
    // The delay of 0.2 s starts with the response.
    expect((requests[2]?.at ?? 0) - (requests[1]?.at ?? 0)).toBeGreaterThanOrEqual(195)

    expect(dispatch).toMatchObject({
      status: 'succeeded',
      attempt_count: 3,
      max_attempts: 3,
      next_attempt_at: null,
      response_status: 200,
      response_body: 'yes',
      error: null,
    })
    expect(dispatch.attempts).toHaveLength(3)
    for (const [index, attempt] of dispatch.attempts.entries()) {
      const failed = index < 2
      expect(attempt).toEqual({
        number: index + 1,
        started_at: expect.stringMatching(/Z$/),
        address: '127.0.0.1',
        dns_ms: expect.any(Number),
        first_byte_ms: expect.any(Number),
        duration_ms: expect.any(Number),
        response_status: failed ? 500 : 200,
        response_headers: failed ? expect.objectContaining({ 'x-number': String(index + 1) }) : expect.any(Object),
        response_body: failed ? `no ${index + 1}` : 'yes',
        error: failed ? { code: 'http_error', detail: 'The receiver answered 500.' } : null,
      })
    }
    expect(dispatch.attempts[0].duration_ms).toBeGreaterThanOrEqual(1_000)
    const starts = dispatch.attempts.map(({ started_at }: Answer['body']) => Date.parse(started_at))
    expect(starts).toEqual([...starts].sort((a, b) => a - b))
  })

  test('fails for good after its last attempt', async () => {
    const receiver = bench.receiver()
    receiver.answer = () => new Response('no', { status: 503 })
    const { project, hook } = await bench.hookTo(receiver.url)
    await bench.approve(project)
    const dispatch = await bench.settled(hook)
    expect(dispatch).toMatchObject({
      status: 'failed',
      attempt_count: 3,
      next_attempt_at: null,
      response_status: 503,
      error: { code: 'http_error' },
    })
    expect(dispatch.completed_at).toEndWith('Z')
    expect(dispatch.attempts).toHaveLength(3)
    expect(receiver.requests).toHaveLength(3)
  })

  test('fails at once when the receiver answers X-Signalbox-Control: stop, in any case', async () => {
    const receiver = bench.receiver()
    receiver.answer = () => new Response('stop it', { status: 500, headers: { 'x-signalbox-CONTROL': 'STOP' } })
    const { project, hook } = await bench.hookTo(receiver.url)
    await bench.approve(project)
    expect(await bench.settled(hook)).toMatchObject({ status: 'failed', attempt_count: 1, max_attempts: 3 })
    expect(receiver.requests).toHaveLength(1)
    expect((await bench.admin.get(`/api/v1/deployment-hooks/${hook.id}`)).body.enabled).toBeTrue()
  })

  test('is retried at the current URL of the hook', async () => {
    const receiver = bench.receiver()
    receiver.answer = ({ path }) => new Response('', { status: path === '/old' ? 500 : 200 })
    const { project, hook } = await bench.hookTo(`${receiver.url}/old`)
    await bench.approve(project)
    await receiver.waitFor(1)
    await bench.box.sql`update deployment_hooks set url = ${`${receiver.url}/new`} where id = ${hook.id}`
    expect(await bench.settled(hook)).toMatchObject({ status: 'succeeded' })
    const [first] = receiver.requests
    expect(receiver.requests.at(-1)).toMatchObject({ path: '/new', body: first?.body })
  })
})

describe('Retry-After', () => {
  /** Expects that the delay began when the response came, and not later than now. A date in a header has whole seconds. */
  function expectDelay(
    { attempts: [{ started_at, duration_ms }], next_attempt_at }: Answer['body'],
    seconds: number,
    early = 0.1,
  ) {
    const earliest = Date.parse(started_at) + duration_ms - early * 1000
    expect(Date.parse(next_attempt_at) - seconds * 1000).toBeWithin(earliest, Date.now() + 1_001)
  }

  test.each([429, 502, 503, 504])('in seconds is honored with status %d', async (status) => {
    const receiver = bench.receiver()
    receiver.answer = () => new Response('', { status, headers: { 'Retry-After': '100' } })
    const { project, hook } = await bench.hookTo(receiver.url)
    await bench.approve(project)
    const dispatch = await bench.tried(hook)
    expect(dispatch).toMatchObject({ status: 'pending', attempt_count: 1, response_status: status })
    expectDelay(dispatch, 100)
  })

  test.each([429, 503])('as a date is honored with status %d, up to one hour', async (status) => {
    const receiver = bench.receiver()
    let seconds = 200
    receiver.answer = () =>
      new Response('', { status, headers: { 'Retry-After': new Date(Date.now() + seconds * 1000).toUTCString() } })
    const soon = await bench.hookTo(receiver.url)
    await bench.approve(soon.project)
    expectDelay(await bench.tried(soon.hook), 200, 3)
    seconds = 86_400
    const late = await bench.hookTo(receiver.url)
    await bench.approve(late.project)
    expectDelay(await bench.tried(late.hook), 3_600, 1)
  })

  test('is ignored when it is shorter than the schedule, or with another status', async () => {
    const receiver = bench.receiver()
    receiver.answer = ({ path }) =>
      new Response('', { status: path === '/500' ? 500 : 503, headers: { 'Retry-After': path === '/500' ? '100' : '0' } })
    for (const path of ['/500', '/503']) {
      const { project, hook } = await bench.hookTo(receiver.url + path)
      await bench.approve(project)
      expect(await bench.settled(hook)).toMatchObject({ status: 'failed', attempt_count: 3 })
    }
  })
})

test('redirects are not followed, wherever they lead', async () => {
  const receiver = bench.receiver()
  // Each redirects to the next, and the last to itself.
  receiver.answer = ({ path }) => {
    const status = Number(path.slice(1))
    return new Response('', { status, headers: { Location: status === 308 ? path : `/${status + 1}` } })
  }
  const statuses = [301, 302, 303, 307, 308]
  for (const status of statuses) {
    const dispatch = await bench.pinged(`${receiver.url}/${status}`)
    expect(dispatch).toMatchObject({ status: 'failed', response_status: status, error: { code: 'redirect' } })
    expect(dispatch.error.detail).toStartWith(`The receiver answered ${status} with a redirect to /30`)
  }
  expect(receiver.requests.map(({ path }) => Number(path.slice(1)))).toEqual(statuses)
  const { project, hook } = await bench.hookTo(`${receiver.url}/302`)
  await bench.approve(project)
  expect(await bench.settled(hook)).toMatchObject({ status: 'failed', attempt_count: 3, error: { code: 'redirect' } })
  expect(receiver.requests.slice(statuses.length).map(({ path }) => path)).toEqual(['/302', '/302', '/302'])
})
