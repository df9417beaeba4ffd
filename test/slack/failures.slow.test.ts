import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { labelsOf, type Posted, textOf } from '../support/slack.ts'
import { SlackWorkbench } from './workbench.ts'

let bench: SlackWorkbench

beforeAll(async () => {
  bench = await SlackWorkbench.open()
})
afterAll(() => bench.close())

describe('errors that no retry cures are permanent:', () => {
  test.each([
    'channel_not_found',
    'is_archived',
    'not_in_channel',
    'invalid_auth',
    'token_revoked',
    'account_inactive',
    'missing_scope',
  ])('%s', async (error) => {
    const room = await bench.room()
    room.slack.fault = () => Response.json({ ok: false, error })
    await bench.box.running(bench.admin, room.project.id)
    expect(await bench.settled(room.channel)).toMatchObject({ status: 'failed', attempt_count: 1, error: { code: error } })
  })
})

test('a bot token is not sent in the clear, also where such an api_url is stored', async () => {
  const room = await bench.room()
  await bench.box.sql`
    update notification_channels
    set config = config || '{"api_url": "http://slack.example.com/api"}'
    where id = ${room.channel.id}
  `
  await bench.box.running(bench.admin, room.project.id)
  expect(await bench.settled(room.channel)).toMatchObject({ status: 'failed', attempt_count: 1, error: { code: 'not_https' } })
})

describe('other failures are retried:', () => {
  const answers: [string, () => Response][] = [
    ['ok is false', () => Response.json({ ok: false, error: 'internal_error' })],
    ['an unknown error', () => Response.json({ ok: false, error: 'fatal <!channel>' })],
    ['a 503', () => new Response('down', { status: 503 })],
    ['nonsense', () => new Response('<html>Slack is down</html>')],
    ['no ts', () => Response.json({ ok: true })],
    ['null', () => new Response('null', { headers: { 'Content-Type': 'application/json' } })],
  ]
  test.each(answers)('%s', async (_, answer) => {
    const room = await bench.room()
    room.slack.fault = () => (room.slack.requests.length === 1 ? answer() : null)
    await bench.box.running(bench.admin, room.project.id)
    expect(await bench.settled(room.channel)).toMatchObject({ status: 'succeeded', attempt_count: 2 })
    expect(room.slack.roots.length).toBe(1)
  })

  test('no connection', async () => {
    const room = await bench.room()
    await room.slack.stop()
    await bench.box.running(bench.admin, room.project.id)
    expect(await bench.settled(room.channel)).toMatchObject({ status: 'failed', error: { code: 'connection_failed' } })
  })
})

test('ratelimited delays the whole channel by Retry-After', async () => {
  const room = await bench.room()
  room.slack.fault = () =>
    room.slack.requests.length === 1
      ? Response.json({ ok: false, error: 'ratelimited' }, { status: 429, headers: { 'Retry-After': '2' } })
      : null
  await bench.openGate(room.project)
  await bench.tried(room.channel)
  const heldUntil = Date.parse((await bench.health(room.channel)).held_until ?? '')
  expect(heldUntil - performance.timeOrigin - (room.slack.requests[0]?.at ?? 0)).toBeGreaterThan(1_900)
  await bench.sent(room, 2)
  const [first, second] = room.slack.requests
  expect((second?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThan(1_900)
  expect(room.slack.roots.length).toBe(1)
})

describe('a message that Slack finds too long', () => {
  const LONG = 4_000
  const tooLong = (method: string, { body }: { body: string }, call: string): Response | null =>
    method === call && body.length > LONG ? Response.json({ ok: false, error: 'msg_too_long' }) : null

  test('is sent without its long parts', async () => {
    const room = await bench.room()
    room.slack.fault = (method, request) => tooLong(method, request, 'chat.postMessage')
    await bench.openGate(room.project, { description: '&'.repeat(500) })
    await bench.sent(room, 2)
    expect(room.slack.roots.length).toBe(1)
    expect(room.slack.messages.map(labelsOf)).toEqual([[], ['Approve', 'Request changes', 'Reject', 'Open in Signalbox']])
  })

  test('as a root, does not hold back the replies', async () => {
    const room = await bench.room()
    const { gate } = await bench.gateIn(room)
    await bench.sent(room, 2)
    room.slack.fault = (method) => (method === 'chat.update' ? Response.json({ ok: false, error: 'msg_too_long' }) : null)
    await bench.admin.make(`/api/v1/gates/${gate.id}/approve`)
    await bench.sent(room, 3)
    expect(room.slack.repliesTo(room.slack.roots[0] as Posted).length).toBe(2)
  })

  test('as a root that was deleted, neither', async () => {
    const room = await bench.room()
    const { gate } = await bench.gateIn(room)
    await bench.sent(room, 2)
    const [root] = room.slack.roots
    room.slack.delete(root as Posted)
    // What says "by claude" is the root.
    room.slack.fault = (method, { body }) =>
      method === 'chat.postMessage' && body.includes('Execution by') && body.includes('is running')
        ? Response.json({ ok: false, error: 'msg_too_long' })
        : null
    await bench.admin.make(`/api/v1/gates/${gate.id}/approve`)
    await bench.sent(room, 3)
    expect(room.slack.roots.map(({ text }) => text.includes('Gate approved'))).toEqual([true])
  })
})

test('what an attempt has done is not repeated after a later call of it fails', async () => {
  const room = await bench.room()
  const { gate } = await bench.gateIn(room)
  await bench.sent(room, 2)
  let updates = 0
  room.slack.fault = (method) => {
    if (method !== 'chat.update') return null
    updates += 1
    // The root is updated, the approval is posted, and then the gate is not updated.
    return updates === 2 ? new Response('', { status: 500 }) : null
  }
  await bench.admin.make(`/api/v1/gates/${gate.id}/approve`)
  const entries = await bench.sent(room, 3)
  expect(entries[0]).toMatchObject({ event: 'gate.approved', attempt_count: 2 })
  expect(room.slack.messages.filter(({ text }) => text.includes('Gate approved')).length).toBe(2)
  expect(room.slack.messages.filter(({ text, thread_ts }) => thread_ts !== null && text.includes('Gate approved')).length).toBe(2)
  expect(room.slack.messages.length).toBe(3)
})

test('while Slack is down the decision stands, and the message is corrected afterwards', async () => {
  const room = await bench.room('gate.pending')
  const { gate, message } = await bench.gateIn(room)
  await bench.sent(room, 1)
  let isDown = true
  room.slack.fault = () => (isDown ? new Response('', { status: 503 }) : null)
  await bench.admin.make(`/api/v1/gates/${gate.id}/approve`)
  await room.slack.waitForCall('chat.update', 1)
  expect(await bench.gate(gate)).toMatchObject({ status: 'approved' })
  expect(labelsOf(message)).toContain('Approve')
  isDown = false
  await bench.shows('the decision', () => textOf(message).includes('Approved by'))
})

test('updates that no one subscribed to survive the end of the subscription', async () => {
  const room = await bench.room('gate.pending')
  const { gate, message } = await bench.gateIn(room)
  await bench.sent(room, 1)
  const held = Promise.withResolvers<null>()
  room.slack.fault = async (method) => (method === 'chat.update' ? await held.promise : null)
  await bench.admin.make(`/api/v1/gates/${gate.id}/approve`)
  await room.slack.waitForCall('chat.update')
  const [subscription] = (await bench.admin.get(`/api/v1/notification-channels/${room.channel.id}/subscriptions`)).body
  await bench.admin.delete(`/api/v1/workspaces/${bench.site.workspace.id}/subscriptions/${subscription.id}`)
  held.resolve(null)
  await bench.shows('the decision', () => textOf(message).includes('Approved by'))
})
