import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { freePort } from '../../bin/support/ports.ts'
import { READ_MS, Workbench } from './workbench.ts'

const OK = 'HTTP/1.1 200 OK\r\n'

let bench: Workbench

beforeAll(async () => {
  bench = await Workbench.open()
})

afterAll(() => bench.close())

describe('a connection', () => {
  test('that is refused fails the dispatch', async () => {
    expect(await bench.pinged(`http://127.0.0.1:${await freePort('127.0.0.1')}/`)).toMatchObject({
      status: 'failed',
      response_status: null,
      attempts: [{ error: { code: 'connection_failed' }, response_status: null, response_headers: null, address: '127.0.0.1' }],
    })
  })

  test('that is closed before the response fails the dispatch, and each attempt sends one request', async () => {
    const server = await bench.raw((socket) => socket.destroy())
    expect(await bench.pinged(server.url)).toMatchObject({ status: 'failed', error: { code: 'connection_failed' } })
    expect(server.count()).toBe(1)
    const { project, hook } = await bench.hookTo(server.url)
    await bench.approve(project)
    expect(await bench.settled(hook)).toMatchObject({ status: 'failed', attempt_count: 3 })
    expect(server.count()).toBe(4)
  })

  test.each([
    ['before the response', ''],
    ['in the status line of the response', 'HTTP/1.1 20'],
    ['in the headers of the response', `${OK}Content-Length: 5\r\nX-More: an`],
  ])('that is reset %s fails the dispatch', async (_, bytes) => {
    const server = await bench.raw((socket) => {
      if (bytes) socket.write(bytes)
      setTimeout(() => socket.resetAndDestroy(), 50)
    })
    expect(await bench.pinged(server.url)).toMatchObject({
      status: 'failed',
      response_status: null,
      error: { code: 'connection_failed', detail: 'The connection was closed before the response was complete (ECONNRESET).' },
    })
    expect(server.count()).toBe(1)
  })

  test('that is reset after the complete response leaves the dispatch succeeded', async () => {
    const server = await bench.raw((socket) => {
      socket.write(`${OK}Content-Length: 5\r\n\r\nhello`)
      setTimeout(() => socket.resetAndDestroy(), READ_MS)
    })
    expect(await bench.pinged(server.url)).toMatchObject({
      status: 'succeeded',
      response_body: 'hello',
      attempts: [{ error: null }],
    })
    expect(server.count()).toBe(1)
  })

  test('to a server that does not speak HTTP fails the dispatch', async () => {
    const server = await bench.raw((socket) => socket.end('SSH-2.0-OpenSSH_9.9\r\n'))
    expect(await bench.pinged(server.url)).toMatchObject({
      status: 'failed',
      response_status: null,
      error: { code: 'connection_failed' },
    })
  })

  test('that is closed after a 200 leaves the dispatch succeeded; the partial body and the error are recorded', async () => {
    const server = await bench.raw((socket) => {
      socket.write(`${OK}Content-Length: 1000\r\n\r\nhalf a`)
      setTimeout(() => socket.destroy(), READ_MS)
    })
    const dispatch = await bench.pinged(server.url)
    expect(dispatch).toMatchObject({ status: 'succeeded', response_status: 200, response_body: 'half a', error: null })
    expect(dispatch.attempts).toMatchObject([{ response_body: 'half a', error: { code: 'connection_failed' } }])
  })

  test('that is closed after a 500 fails the dispatch with http_error', async () => {
    const server = await bench.raw((socket) => {
      socket.write('HTTP/1.1 500 Oh no\r\nContent-Length: 1000\r\n\r\nhalf a')
      setTimeout(() => socket.destroy(), READ_MS)
    })
    expect(await bench.pinged(server.url)).toMatchObject({
      status: 'failed',
      response_status: 500,
      error: { code: 'http_error' },
    })
  })
})

describe('a response', () => {
  test('with an endless body is truncated and counts as a success', async () => {
    const server = await bench.raw((socket) => {
      socket.write(`${OK}Transfer-Encoding: chunked\r\n\r\n`)
      const more = () => {
        while (!socket.destroyed && socket.write(`1000\r\n${'x'.repeat(4096)}\r\n`));
      }
      socket.on('drain', more)
      more()
    })
    const dispatch = await bench.pinged(server.url)
    expect(dispatch).toMatchObject({ status: 'succeeded', error: null, response_body: 'x'.repeat(16_384) })
    expect(dispatch.attempts).toMatchObject([{ error: { code: 'body_too_long' } }])
  })

  test('that is not valid text is stored with replacement characters', async () => {
    const receiver = bench.receiver()
    receiver.answer = () => new Response(new Uint8Array([0x41, 0xff, 0x00, 0xc3, 0x28, 0xed, 0xa0, 0x80, 0x42]))
    const { status, response_body } = await bench.pinged(receiver.url)
    expect(status).toBe('succeeded')
    expect(response_body).toMatch(/^A\uFFFD+\(\uFFFD+B$/)
  })

  test('is stored up to 16 KiB, and so are its headers', async () => {
    const receiver = bench.receiver()
    const headers = Object.fromEntries(Array.from({ length: 10 }, (_, index) => [`X-Long-${index}`, 'h'.repeat(3_000)]))
    receiver.answer = () => new Response('é'.repeat(100_000), { status: 400, headers })
    const { response_body, attempts } = await bench.pinged(receiver.url)
    expect(response_body).toBe('é'.repeat(8_192))
    const kept = Object.entries(attempts[0].response_headers as Record<string, string>)
    expect(kept.length).toBeGreaterThan(3)
    expect(kept.reduce((sum, [name, value]) => sum + name.length + value.length, 0)).toBeLessThanOrEqual(16_384)
  })

  test('with 400 headers is judged by its status', async () => {
    const many = Array.from({ length: 400 }, (_, index) => `X-Header-${index}: ${index}\r\n`).join('')
    const server = await bench.raw((socket) => socket.end(`${OK}${many}Content-Length: 2\r\n\r\nok`))
    const dispatch = await bench.pinged(server.url)
    expect(dispatch).toMatchObject({
      status: 'succeeded',
      response_status: 200,
      response_body: 'ok',
      attempts: [{ error: null }],
    })
    expect(dispatch.attempts[0].response_headers['x-header-399']).toBe('399')
  })

  test('is judged by all of its headers, even those that are not stored', async () => {
    const receiver = bench.receiver()
    const headers = Object.fromEntries(Array.from({ length: 6 }, (_, index) => [`A-Long-${index}`, 'h'.repeat(3_000)]))
    receiver.answer = () => new Response('', { status: 503, headers: { ...headers, 'X-Signalbox-Control': 'stop' } })
    const { hook } = await bench.hookTo(receiver.url)
    const { body } = await bench.ask(hook, 'trigger')
    const dispatch = await bench.once(body, ({ status }) => status !== 'pending')
    expect(dispatch).toMatchObject({ status: 'failed', attempt_count: 1, response_status: 503 })
    expect(dispatch.attempts[0].response_headers).not.toHaveProperty('x-signalbox-control')
  })

  test('204 without a body is a success', async () => {
    const receiver = bench.receiver()
    receiver.answer = () => new Response(null, { status: 204 })
    expect(await bench.pinged(receiver.url)).toMatchObject({ status: 'succeeded', response_status: 204, response_body: '' })
  })
})
