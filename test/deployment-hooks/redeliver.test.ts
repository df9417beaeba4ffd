import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { Webhook } from 'standardwebhooks'
import { Workbench } from './workbench.ts'

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'

let bench: Workbench

beforeAll(async () => {
  bench = await Workbench.open()
})

afterAll(() => bench.close())

describe('a redelivery', () => {
  test('is a new dispatch with the same body, sequence and webhook-id, however often it is repeated', async () => {
    const { project, hook, receiver } = await bench.hooked({ secret: SECRET })
    await bench.approve(project)
    const first = await bench.settled(hook)
    await bench.approve(project)
    await receiver.waitFor(2)
    const { status, body: second, headers } = await bench.act(first, 'redeliver', { Prefer: 'wait=10' })
    expect(status).toBe(200)
    expect(headers.get('location')).toBeNull()
    expect(second).toMatchObject({ status: 'succeeded', sequence: 1, redelivery_of: first.id, event: 'gate.approved' })
    const { body: third } = await bench.act(second, 'redeliver', { Prefer: 'wait=10' })
    expect(third).toMatchObject({ status: 'succeeded', sequence: 1, redelivery_of: first.id })
    const [original, , ...repeats] = receiver.requests
    expect(new Set([first.id, second.id, third.id]).size).toBe(3)
    expect(repeats.map(({ headers }) => headers['x-signalbox-delivery'])).toEqual([second.id, third.id])
    for (const repeat of repeats) {
      expect(repeat.body).toBe(original?.body ?? '')
      expect(repeat.headers).toMatchObject({ 'webhook-id': first.id, 'x-signalbox-sequence': '1', 'x-signalbox-attempt': '1' })
      new Webhook(SECRET).verify(repeat.body, repeat.headers)
    }
    expect(await bench.lastEntry(first.id)).toMatchObject({ action: 'dispatch.redelivered', resource_type: 'dispatch' })
  })

  test('of an unsigned hook carries the same webhook-id and a new timestamp', async () => {
    const { project, hook, receiver } = await bench.hooked({ secret: null })
    const begun = Date.now()
    await bench.approve(project)
    const first = await bench.settled(hook)
    const begunAgain = Date.now()
    const { body: second } = await bench.act(first, 'redeliver', { Prefer: 'wait=10' })
    expect(receiver.requests).toHaveLength(2)
    for (const [index, { headers }] of receiver.requests.entries()) {
      expect(headers['webhook-id']).toBe(first.id)
      const earliest = Math.floor((index === 0 ? begun : begunAgain) / 1000)
      expect(Number(headers['webhook-timestamp'])).toBeWithin(earliest, Date.now() / 1000 + 1)
      expect(Object.keys(headers).filter((name) => name.includes('signature'))).toEqual([])
    }
    const { request_headers } = await bench.dispatch(second.id)
    expect(request_headers).toMatchObject({ 'webhook-id': first.id, 'webhook-timestamp': expect.stringMatching(/^\d{10}$/) })
    expect(request_headers).not.toHaveProperty('webhook-signature')
  })

  test('goes to the current URL of the hook', async () => {
    const { project, hook, receiver } = await bench.hooked()
    await bench.approve(project)
    const first = await bench.settled(hook)
    await bench.change(hook, { url: `${receiver.url}/moved` })
    await bench.act(first, 'redeliver', { Prefer: 'wait=10' })
    expect(receiver.requests.at(-1)?.path).toBe('/moved')
  })

  test('of a test.ping is sent once and has no sequence', async () => {
    const { hook, receiver } = await bench.hooked()
    receiver.answer = () => new Response('', { status: 500 })
    const { body: ping } = await bench.ask(hook, 'test', undefined, { Prefer: 'wait=10' })
    const { body } = await bench.act(ping, 'redeliver', { Prefer: 'wait=10' })
    expect(body).toMatchObject({ status: 'failed', attempt_count: 1, sequence: null, redelivery_of: ping.id })
  })

  test('of a pending dispatch is refused', async () => {
    const { project, hook, receiver } = await bench.hooked()
    receiver.answer = () => new Response('', { status: 503, headers: { 'Retry-After': '600' } })
    await bench.approve(project)
    const { status, body } = await bench.act(await bench.tried(hook), 'redeliver')
    expect([status, body.code]).toEqual([409, 'invalid_transition'])
  })

  test('by a disabled hook is refused', async () => {
    const { project, hook } = await bench.hooked()
    await bench.approve(project)
    const first = await bench.settled(hook)
    await bench.change(hook, { enabled: false })
    const { status, body } = await bench.act(first, 'redeliver')
    expect([status, body.code]).toEqual([409, 'hook_disabled'])
  })
})
