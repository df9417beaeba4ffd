import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type NameServer, nameServer } from './name-server.ts'
import { Workbench } from './workbench.ts'

let bench: Workbench
let names: NameServer

beforeAll(async () => {
  names = await nameServer((name, question) => {
    if (name === 'open.test') return ['127.0.0.1']
    if (name === 'private.test') return ['10.0.0.1']
    if (name === 'metadata.test') return ['169.254.169.254']
    if (name === 'mixed.test') return ['127.0.0.1', '10.0.0.1']
    if (name === 'two.test') return ['127.0.0.2', '127.0.0.1']
    if (name === 'families.test') return ['127.0.0.2', '127.0.0.3', '::1']
    if (name === 'down.test') return ['127.0.0.2', '127.0.0.3']
    if (name === 'late.test') return ['127.0.0.1', '127.0.0.2', '::1', '10.0.0.1']
    if (name === 'rebinding.test') return question % 2 ? ['127.0.0.1'] : ['10.0.0.1']
    return []
  })
  bench = await Workbench.open({ environment: { DNS_SERVERS: names.address, OUTBOUND_ALLOW: '127.0.0.0/8,::1/128' } })
})

afterAll(async () => {
  await bench.close()
  await names.stop()
})

describe('a host name', () => {
  test('is resolved, and the Host header keeps it', async () => {
    const receiver = bench.receiver()
    const port = new URL(receiver.url).port
    const dispatch = await bench.pinged(`http://open.test:${port}/hook`)
    expect(dispatch).toMatchObject({ status: 'succeeded', attempts: [{ address: '127.0.0.1' }] })
    expect(receiver.requests[0]?.headers.host).toBe(`open.test:${port}`)
  })

  test.each([
    ['private.test', '10.0.0.1', 'private'],
    ['metadata.test', '169.254.169.254', 'linkLocal'],
    ['mixed.test', '10.0.0.1', 'private'],
    ['late.test', '10.0.0.1', 'private'],
  ])('%s, which resolves to %s, is blocked; the error names the range and the setting', async (name, address, range) => {
    const receiver = bench.receiver()
    const { status, error, attempts, response_status } = await bench.pinged(`http://${name}:${new URL(receiver.url).port}/`)
    expect({ status, response_status, error }).toMatchObject({
      status: 'failed',
      response_status: null,
      error: { code: 'blocked_address' },
    })
    for (const word of [name, address, `"${range}"`, 'OUTBOUND_ALLOW']) expect(error.detail).toContain(word)
    expect(attempts[0].address).toBeNull()
    expect(receiver.requests).toEqual([])
  })

  test('that does not resolve fails the dispatch', async () => {
    expect(await bench.pinged('http://nobody.test/')).toMatchObject({ status: 'failed', error: { code: 'dns_failure' } })
  })

  test('that resolves differently each time is checked and connected to with one resolution', async () => {
    const receiver = bench.receiver()
    const { hook } = await bench.hookTo(`http://rebinding.test:${new URL(receiver.url).port}/`)
    const ping = () => bench.admin.make(`/api/v1/deployment-hooks/${hook.id}/test`, undefined, { Prefer: 'wait=10' })
    const before = names.queries.length
    expect(await ping()).toMatchObject({ status: 'succeeded' })
    // One query per request: a second one would have been answered with 10.0.0.1.
    expect(names.queries.slice(before).filter((question) => question === 'A rebinding.test')).toHaveLength(1)
    expect(await ping()).toMatchObject({ status: 'failed', error: { code: 'blocked_address' } })
    expect(await ping()).toMatchObject({ status: 'succeeded' })
    expect(receiver.requests).toHaveLength(2)
  })
})

describe('a name with several addresses', () => {
  test('is reached at the second if the first refuses, and the attempt says where', async () => {
    const receiver = bench.receiver()
    const dispatch = await bench.pinged(`http://two.test:${new URL(receiver.url).port}/hook`)
    expect(dispatch).toMatchObject({ status: 'succeeded', attempt_count: 1, attempts: [{ address: '127.0.0.1' }] })
    expect(receiver.requests).toHaveLength(1)
  })

  test('is reached at one of the other family', async () => {
    const server = Bun.serve({ hostname: '::1', port: 0, fetch: () => new Response('ok') })
    const dispatch = await bench.pinged(`http://families.test:${server.port}/`)
    await server.stop(true)
    expect(dispatch).toMatchObject({ status: 'succeeded', attempts: [{ address: '::1' }] })
  })

  test('fails as the first does if none is reached', async () => {
    const dispatch = await bench.pinged('http://down.test:9/')
    expect(dispatch).toMatchObject({
      status: 'failed',
      error: { code: 'connection_failed' },
      attempts: [{ address: '127.0.0.2' }],
    })
    expect(dispatch.error.detail).toContain('ECONNREFUSED')
  })

  test('gets nothing at the second that the first may have read', async () => {
    const receiver = bench.receiver()
    const first = Bun.listen({
      hostname: '127.0.0.2',
      port: Number(new URL(receiver.url).port),
      socket: { data: (socket) => void socket.terminate() },
    })
    const dispatch = await bench.pinged(`http://two.test:${new URL(receiver.url).port}/`)
    first.stop(true)
    expect(dispatch).toMatchObject({
      status: 'failed',
      error: { code: 'connection_failed' },
      attempts: [{ address: '127.0.0.2' }],
    })
    expect(receiver.requests).toEqual([])
  })

  test('uses a kept connection to any of them, and sends nothing again to another one when it is closed', async () => {
    const receiver = bench.receiver()
    const port = Number(new URL(receiver.url).port)
    let count = 0
    const first = Bun.listen({
      hostname: '127.0.0.2',
      port,
      socket: {
        data(socket, bytes) {
          // A request may arrive in two parts.
          if (!bytes.toString().startsWith('POST ')) return
          count += 1
          // The second request over the connection was read, and is not answered.
          if (count === 1) socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok')
          else {
            first.stop()
            socket.terminate()
          }
        },
      },
    })
    const { hook } = await bench.hookTo(`http://two.test:${port}/`, { paused: true })
    for (let each = 0; each < 2; each++) expect((await bench.ask(hook, 'trigger')).status).toBe(202)
    await bench.change(hook, { paused: false })
    const [, second] = await bench.dispatches(hook, (found) => found.every(({ attempt_count }) => attempt_count === 1))
    first.stop(true)
    expect(count).toBe(2)
    expect(second).toMatchObject({ status: 'pending', attempts: [{ address: '127.0.0.2', response_status: null }] })
    expect(receiver.requests).toEqual([])
  })
})
