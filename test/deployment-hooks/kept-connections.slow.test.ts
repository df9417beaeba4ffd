import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Socket } from 'node:net'
import type { Answer } from '../support/signalbox.ts'
import { Workbench } from './workbench.ts'

let bench: Workbench

beforeAll(async () => {
  bench = await Workbench.open()
})

afterAll(() => bench.close())

test('a kept-alive connection that the receiver closes on reuse does not fail the dispatch', async () => {
  const answered = new Set<Socket>()
  let closed = 0
  const server = await bench.raw((socket) => {
    if (answered.has(socket)) {
      closed += 1
      socket.resetAndDestroy()
      return
    }
    answered.add(socket)
    socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok')
  })
  const { hook } = await bench.hookTo(server.url, { paused: true })
  for (let each = 0; each < 40; each++) expect((await bench.ask(hook, 'trigger')).status).toBe(202)
  await bench.change(hook, { paused: false })
  await bench.box.settled()
  const { items, total } = await bench.listed(hook, '?page_size=100')
  expect(total).toBe(40)
  for (const { status, attempt_count } of items) expect([status, attempt_count]).toEqual(['succeeded', 1])
  expect(closed).toBeGreaterThan(0)
  expect(server.count()).toBe(40 + closed)
})

const OK = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok'
const GONE = 'HTTP/1.1 410 Gone\r\nContent-Length: 0\r\n\r\n'

/** Sends one dispatch of a hook and waits for its outcome. */
async function triggerAndWait(hook: Answer['body']): Promise<string> {
  const { body } = await bench.ask(hook, 'trigger')
  const { status } = await bench.once(body, ({ status }) => status !== 'pending')
  return status
}

test('a connection is reused by its own hook and by no other', async () => {
  const hooks = new Map<Socket, Set<string>>()
  const server = await bench.raw((socket, head) => {
    const [, name = ''] = /x-hook: (\w+)/i.exec(head) ?? []
    hooks.set(socket, (hooks.get(socket) ?? new Set()).add(name))
    socket.write(OK)
  })
  const made = []
  for (const name of ['one', 'two']) {
    const { hook } = await bench.hookTo(server.url, { paused: true, headers: { 'X-Hook': name } })
    for (let each = 0; each < 30; each++) await bench.ask(hook, 'trigger')
    made.push(hook)
  }
  await Promise.all(made.map((hook) => bench.change(hook, { paused: false })))
  await bench.box.settled()
  expect(server.count()).toBe(60)
  expect(hooks.size).toBeLessThan(60)
  for (const names of hooks.values()) expect(names.size).toBe(1)
})

test('a receiver that sends a second response after each disables no hook of another tenant on the same host', async () => {
  const kept = new Map<Socket, Set<string>>()
  let unasked = 0
  const server = await bench.raw((socket, head) => {
    const [, path = ''] = /^POST (\S+)/.exec(head) ?? []
    kept.set(socket, (kept.get(socket) ?? new Set()).add(path))
    socket.write(OK)
    if (path !== '/hostile') return
    setTimeout(() => {
      if (socket.writable) unasked += 1
      socket.write(GONE)
    }, 30)
  })
  const grace = await bench.box.user('Grace')
  const elsewhere = await bench.box.site(grace, 'Elsewhere')
  const { hook: hostile } = await bench.hookTo(`${server.url}/hostile`)
  const victim = await grace.make(`/api/v1/projects/${elsewhere.project.id}/deployment-hooks`, {
    name: 'Deploy',
    url: `${server.url}/victim`,
    trigger_on: 'gate_approved',
  })
  for (let each = 0; each < 20; each++) {
    const [, { status, body }] = await Promise.all([
      bench.ask(hostile, 'test', undefined, { Prefer: 'wait=25' }),
      grace.post(`/api/v1/deployment-hooks/${victim.id}/trigger`, undefined, { Prefer: 'wait=25' }),
    ])
    expect([status, body.status, body.response_status]).toEqual([200, 'succeeded', 200])
  }
  expect((await grace.get(`/api/v1/deployment-hooks/${victim.id}`)).body).toMatchObject({ enabled: true, disabled_reason: null })
  expect(unasked).toBeGreaterThan(0)
  for (const paths of kept.values()) expect(paths.size).toBe(1)
})

test.each([
  ['chunks in HTTP/1.0', 'HTTP/1.0 200 OK\r\nConnection: keep-alive\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n'],
  ['a response as its trailer', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nHTTP/1.1 410 Gone\r\n\r\n'],
  ['a body announced with 204', 'HTTP/1.1 204 No Content\r\nContent-Length: 5\r\n\r\n'],
])('a connection is not reused after %s', async (_, answer) => {
  const sockets = new Set<Socket>()
  const server = await bench.raw((socket) => {
    sockets.add(socket)
    socket.write(answer)
  })
  const { hook } = await bench.hookTo(server.url, { paused: true })
  for (let each = 0; each < 30; each++) await bench.ask(hook, 'trigger')
  await bench.change(hook, { paused: false })
  await bench.box.settled()
  const { items, total } = await bench.listed(hook, '?page_size=100')
  expect(total).toBe(30)
  for (const { status, attempt_count } of items) expect([status, attempt_count]).toEqual(['succeeded', 1])
  expect([server.count(), sockets.size]).toEqual([30, 30])
})

test('a second answer to a large request is not taken for the answer to the next one', async () => {
  const answered = new Set<Socket>()
  // The receiver answers a large request before it has read it, and again when it has, which is when the next one arrives.
  const server = await bench.raw((socket) => {
    socket.write(answered.has(socket) ? GONE : OK)
    answered.add(socket)
  })
  const { hook } = await bench.hookTo(server.url, { paused: true })
  for (let each = 0; each < 30; each++) await bench.ask(hook, 'trigger')
  await bench.box.sql`update dispatches set body = body || repeat(' ', 70000)`
  await bench.change(hook, { paused: false })
  await bench.box.settled()
  const { items } = await bench.listed(hook, '?page_size=100')
  expect(items.map(({ status }: Answer['body']) => status)).toEqual(Array(30).fill('succeeded'))
  expect([server.count(), answered.size]).toEqual([30, 30])
})

describe('an unsolicited response', () => {
  test.each<[string, (socket: Socket) => void]>([
    ['in the same packet as the real one', (socket) => socket.write(`${OK}${GONE}`)],
    [
      'a little later',
      (socket) => {
        socket.write(OK)
        setTimeout(() => socket.write(GONE), 20)
      },
    ],
    ['of which only one byte has arrived', (socket) => socket.write(`${OK}H`)],
  ])('%s is never taken as the response to another dispatch, and its connection is closed', async (_, answer) => {
    const closed = Promise.withResolvers<void>()
    const sockets = new Set<Socket>()
    const server = await bench.raw((socket) => {
      sockets.add(socket)
      if (sockets.size > 1) return void socket.write(OK)
      socket.once('close', () => closed.resolve())
      answer(socket)
    })
    const [{ hook }, { hook: other }] = [await bench.hookTo(server.url), await bench.hookTo(server.url)]
    expect(await triggerAndWait(hook)).toBe('succeeded')
    expect(await triggerAndWait(other)).toBe('succeeded')
    await closed.promise
    expect(await triggerAndWait(hook)).toBe('succeeded')
    for (const { id } of [hook, other]) {
      expect((await bench.admin.get(`/api/v1/deployment-hooks/${id}`)).body).toMatchObject({
        enabled: true,
        disabled_reason: null,
      })
    }
    expect(sockets.size).toBeGreaterThanOrEqual(3)
  })
})
