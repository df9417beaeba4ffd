import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { createHmac } from 'node:crypto'
import type { Socket } from 'node:net'
import { Webhook } from 'standardwebhooks'
import { rawServer } from '../deployment-hooks/raw-server.ts'
import { Workbench } from './workbench.ts'

let bench: Workbench

beforeAll(async () => {
  bench = await Workbench.open()
})

afterAll(() => bench.close())

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'

describe('a webhook channel', () => {
  test('gets the envelope, signed like a dispatch, with the id of its log entry', async () => {
    const receiver = bench.receiver()
    const { channel, project } = await bench.subscribedChannel('webhook', {
      url: `${receiver.url}/a?b=c`,
      secret: SECRET,
      headers: { 'X-Api-Key': 'k-1' },
    })
    const gate = await bench.openGate(project)
    const entry = await bench.settled(channel)
    const [request] = await receiver.waitFor(1)
    const { organization, workspace } = bench.site
    expect(JSON.parse(request?.body ?? '')).toEqual({
      id: entry.event_id,
      event: 'gate.pending',
      created_at: expect.stringMatching(/Z$/),
      url: expect.stringMatching(new RegExp(`^https?://[^/]+/app/gates/${gate.id}$`)),
      organization: { id: organization.id, name: organization.name },
      workspace: { id: workspace.id, name: workspace.name },
      project: { id: project.id, name: project.name },
      data: { gate, requirement: { id: expect.any(String), number: 1, title: 'Pay by invoice' } },
    })
    expect(request?.headers).toMatchObject({
      'content-type': 'application/json',
      'user-agent': 'Signalbox-Hooks/1',
      'x-signalbox-event': 'gate.pending',
      'x-signalbox-delivery': entry.id,
      'x-signalbox-attempt': '1',
      'webhook-id': entry.id,
      'x-api-key': 'k-1',
    })
    expect(request?.headers).not.toHaveProperty('x-signalbox-sequence')
    const key = Buffer.from(SECRET.slice('whsec_'.length), 'base64')
    const hex = createHmac('sha256', key)
      .update(request?.body ?? '')
      .digest('hex')
    expect(request?.headers['x-signalbox-signature']).toBe(`sha256=${hex}`)
    expect(() => new Webhook(SECRET).verify(request?.body ?? '', request?.headers ?? {})).not.toThrow()
  })

  test('reuses a connection for its own messages and for those of no other channel or hook', async () => {
    const owners = new Map<Socket, Set<string>>()
    const server = bench.with(
      await rawServer((socket, head) => {
        const [, name = ''] = /x-owner: (\w+)/i.exec(head) ?? []
        owners.set(socket, (owners.get(socket) ?? new Set()).add(name))
        socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok')
      }),
    )
    const configOf = (name: string) => ({ url: server.url, headers: { 'X-Owner': name } })
    const { channel, project } = await bench.subscribedChannel('webhook', configOf('one'))
    const { channel: other } = await bench.subscribedChannel('webhook', configOf('two'))
    const hook = await bench.admin.make(`/api/v1/projects/${project.id}/deployment-hooks`, {
      name: 'Deploy',
      trigger_on: 'gate_approved',
      ...configOf('hook'),
    })
    for (let each = 0; each < 5; each++) {
      const [, , { status }] = await Promise.all([
        bench.tested(channel),
        bench.tested(other),
        bench.admin.post(`/api/v1/deployment-hooks/${hook.id}/test`, undefined, { Prefer: 'wait=25' }),
      ])
      expect(status).toBe(200)
    }
    expect(owners.size).toBeLessThan(server.count())
    for (const names of owners.values()) expect(names.size).toBe(1)
  })

  test('gets the same body and id in every attempt, until the last one fails', async () => {
    const receiver = bench.receiver()
    receiver.answer = () => new Response('no', { status: 500 })
    const { channel, project } = await bench.subscribedChannel('webhook', { url: receiver.url })
    await bench.openGate(project)
    const entry = await bench.settled(channel)
    expect(entry).toMatchObject({
      status: 'failed',
      attempt_count: 3,
      response_status: 500,
      error: { code: 'http_error', detail: 'The receiver answered 500.' },
    })
    expect(entry.completed_at).toEndWith('Z')
    expect(new Set(receiver.requests.map(({ body }) => body)).size).toBe(1)
    expect(receiver.requests.map(({ headers }) => headers['x-signalbox-delivery'])).toEqual(Array(3).fill(entry.id))
    expect(receiver.requests.map(({ headers }) => headers['x-signalbox-attempt'])).toEqual(['1', '2', '3'])
    // Without a secret there is no signature; the id still identifies a repeated request.
    expect(receiver.requests.map(({ headers }) => headers['webhook-id'])).toEqual(Array(3).fill(entry.id))
    for (const { headers } of receiver.requests) {
      expect(headers['webhook-timestamp']).toMatch(/^\d{10}$/)
      expect(headers).not.toHaveProperty('webhook-signature')
    }
    const attempts = await bench.box.sql`select number from channel_attempts where message_id = ${entry.id} order by number`
    expect(attempts.map(({ number }) => number)).toEqual([1, 2, 3])
  })

  test('that answers X-Signalbox-Control: stop gets no further attempt', async () => {
    const receiver = bench.receiver()
    receiver.answer = () => new Response('', { status: 400, headers: { 'X-Signalbox-Control': 'stop' } })
    const { channel, project } = await bench.subscribedChannel('webhook', { url: receiver.url })
    await bench.openGate(project)
    expect(await bench.settled(channel)).toMatchObject({ status: 'failed', attempt_count: 1 })
  })

  test('gets waiting messages at its current URL', async () => {
    const receiver = bench.receiver()
    receiver.answer = ({ path }) => new Response('', { status: path === '/old' ? 503 : 200 })
    const { channel, project } = await bench.subscribedChannel('webhook', { url: `${receiver.url}/old` })
    await bench.openGate(project)
    await receiver.waitFor(1)
    await bench.admin.put(`${bench.path}/${channel.id}`, { config: { url: `${receiver.url}/new` } })
    expect(await bench.settled(channel)).toMatchObject({ status: 'succeeded' })
    expect(receiver.requests.at(-1)?.path).toBe('/new')
  })
})

describe('a test message', () => {
  test('is accepted at once, or responds with its outcome when the caller prefers to wait; it is sent once per key', async () => {
    const receiver = bench.receiver()
    const channel = await bench.channel('webhook', { url: receiver.url })
    const path = `${bench.path}/${channel.id}/test`
    const key = { 'Idempotency-Key': 'one' }
    const [first, again] = [
      await bench.admin.post(path, {}, key),
      await bench.admin.post(path, {}, { ...key, Prefer: 'wait=10' }),
    ]
    expect(first).toMatchObject({ status: 202, body: { event: 'test.ping', status: 'pending', attempt_count: 0, error: null } })
    expect(again).toMatchObject({ status: 200, body: { id: first.body.id, status: 'succeeded' } })
    expect(again.headers.get('preference-applied')).toBe('wait=10')
    expect(receiver.requests).toHaveLength(1)
    expect(JSON.parse(receiver.requests[0]?.body ?? '')).toMatchObject({
      event: 'test.ping',
      data: { channel: { id: channel.id } },
    })
    expect(await bench.log(channel)).toHaveLength(1)
  })

  test('is sent once, also by a disabled channel, and does not change the channel', async () => {
    const receiver = bench.receiver()
    receiver.answer = () => new Response('', { status: 410 })
    const channel = await bench.channel('webhook', { url: receiver.url }, { enabled: false })
    expect(await bench.tested(channel)).toMatchObject({ status: 'failed', attempt_count: 1, error: { code: 'gone' } })
    const on = await bench.channel('webhook', { url: receiver.url })
    expect(await bench.tested(on)).toMatchObject({ status: 'failed' })
    expect((await bench.admin.get(`${bench.path}/${on.id}`)).body).toEqual(on)
    expect(receiver.requests).toHaveLength(2)
  })
})
