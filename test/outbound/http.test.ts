import { afterAll, describe, expect, test } from 'bun:test'
import { createServer, type Server, type Socket } from 'node:net'
import { Deadline, DeadlineExpired } from '../../core/outbound/deadline.ts'
import { Connection, IdleConnections, requestText } from '../../core/outbound/http/connection.ts'
import { endpointOf } from '../../core/outbound/http/endpoint.ts'
import { ResponseReader } from '../../core/outbound/http/response.ts'

const MAX_BYTES = 1_000

function read(text: string, { ends = true, step = text.length } = {}): ResponseReader {
  const reader = new ResponseReader(MAX_BYTES)
  const bytes = Buffer.from(text)
  for (let at = 0; at < bytes.length && !reader.isDone; at += step) reader.push(bytes.subarray(at, at + step))
  if (ends && !reader.isDone) reader.end()
  return reader
}

const OK = 'HTTP/1.1 200 OK\r\n'

/** The bytes received, the body they contain, and whether the connection can be reused. */
const ANSWERS: [name: string, text: string, body: string, isUsable: boolean][] = [
  ['a length', `${OK}Content-Length: 5\r\n\r\nhello`, 'hello', true],
  ['a repeated length', `${OK}Content-Length: 5, 5\r\n\r\nhello`, 'hello', true],
  ['a length of zero', `${OK}Content-Length: 0\r\n\r\n`, '', true],
  ['chunks', `${OK}Transfer-Encoding: chunked\r\n\r\n3\r\nhel\r\n2;x=y\r\nlo\r\n0\r\n\r\n`, 'hello', true],
  ['chunks with a trailer', `${OK}Transfer-Encoding: Chunked\r\n\r\n5\r\nhello\r\n0\r\nX-Sum: 1\r\n\r\n`, 'hello', true],
  ['an end of the connection as its end', `${OK}\r\nhello`, 'hello', false],
  ['Connection: close', `${OK}Connection: Close\r\nContent-Length: 5\r\n\r\nhello`, 'hello', false],
  ['HTTP/1.0', 'HTTP/1.0 200 OK\r\nContent-Length: 5\r\n\r\nhello', 'hello', false],
  ['HTTP/1.0 with keep-alive', 'HTTP/1.0 200 OK\r\nConnection: keep-alive\r\nContent-Length: 5\r\n\r\nhello', 'hello', true],
  ['chunks and a length', `${OK}Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n`, 'hello', false],
  ['chunks in HTTP/1.0', 'HTTP/1.0 200 OK\r\nConnection: keep-alive\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n', '', false],
  ['a response as its trailer', `${OK}Transfer-Encoding: chunked\r\n\r\n0\r\nHTTP/1.1 410 Gone\r\n\r\n`, '', false],
  ['no content of a length', 'HTTP/1.1 204 No Content\r\nContent-Length: 5\r\n\r\n', '', false],
  ['no content of length zero', 'HTTP/1.1 204 No Content\r\nContent-Length: 0\r\n\r\n', '', true],
  ['no content', 'HTTP/1.1 204 No Content\r\n\r\n', '', true],
  ['lines that end with a line feed alone', 'HTTP/1.1 200 OK\nContent-Length: 5\n\nhello', 'hello', true],
  ['no reason phrase', 'HTTP/1.1 200\r\nContent-Length: 5\r\n\r\nhello', 'hello', true],
  [
    'interim responses before it',
    `HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Hints\r\nLink: x\r\n\r\n${OK}Content-Length: 5\r\n\r\nhello`,
    'hello',
    true,
  ],
]

describe.each(ANSWERS)('a response with %s', (_, text, body, isUsable) => {
  test.each([text.length, 1, 2, 3, 7])('can be read, %d bytes at a time', (step) => {
    const reader = read(text, { step })
    expect([reader.body.toString(), reader.leavesConnectionUsable]).toEqual([body, isUsable])
    expect(reader.head?.status).toBeOneOf([200, 204])
  })

  test('makes its connection unusable when more bytes follow', () => {
    if (!isUsable) return
    expect(read(`${text}HTTP/1.1 410 Gone\r\n\r\n`).leavesConnectionUsable).toBeFalse()
    expect(read(`${text}x`).leavesConnectionUsable).toBeFalse()
  })
})

describe('a malformed response is an error', () => {
  test.each([
    ['SSH-2.0-OpenSSH_9.9\r\n', 'InvalidHTTPStatusLine'],
    ['HTTP/2 200 OK\r\n\r\n', 'InvalidHTTPStatusLine'],
    ['HTTP/1.1 200OK\r\n\r\n', 'InvalidHTTPStatusLine'],
    [`\r\n${OK}\r\n`, 'InvalidHTTPStatusLine'],
    [`${OK} X-Fold: first\r\n\r\n`, 'InvalidHTTPHeader'],
    [`${OK}NoColon\r\nX-A: b\r\n\r\n`, 'InvalidHTTPHeader'],
    ['HTTP/1.1 099 Low\r\n\r\n', 'InvalidHTTPStatusLine'],
    [`${OK}No colon\r\n\r\n`, 'InvalidHTTPHeader'],
    [`${OK}X-Space : a\r\n\r\n`, 'InvalidHTTPHeader'],
    [`${OK}Content-Length: -1\r\n\r\n`, 'InvalidContentLength'],
    [`${OK}Content-Length: 3, 5\r\n\r\nhello`, 'InvalidContentLength'],
    ['HTTP/1.1 101 Switching Protocols\r\n\r\n', 'UnexpectedHTTPUpgrade'],
    [`${OK}Transfer-Encoding: chunked\r\n\r\nzz\r\n`, 'InvalidHTTPChunk'],
    [`${OK}Transfer-Encoding: chunked\r\n\r\n2\r\nokok\r\n`, 'InvalidHTTPChunk'],
    [`${OK}X-Long: ${'x'.repeat(300_000)}`, 'HeadersTooLarge'],
    [`${OK}${'X-More: and more\r\n'.repeat(20_000)}`, 'HeadersTooLarge'],
    ['HTTP/1.1 100 Continue\r\n\r\n'.repeat(20_000), 'HeadersTooLarge'],
    ['', 'ConnectionClosed'],
    ['HTTP/1.1 20', 'ConnectionClosed'],
    [`${OK}Content-Length: 5\r\n\r\nhell`, 'ConnectionClosed'],
    [`${OK}Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n`, 'ConnectionClosed'],
  ])('%p', (text, code) => {
    expect(() => read(text)).toThrow(code)
  })
})

test.each(['hi\n', 'SSH-2.0-OpenSSH_9.9', 'HTTP/1.1 20\r', '\r', '\n', 'HTTP/1.1 100 Continue\r\n\r\nSSH-2.0-OpenSSH_9.9'])(
  'bytes that cannot begin a response are refused at once: %p',
  (text) => {
    expect(() => read(text, { ends: false })).toThrow('InvalidHTTPStatusLine')
  },
)

test.each(['H', 'HTTP/1.1 200', 'HTTP/1.1 200\r', 'HTTP/1.1 200 OK', 'HTTP/1.1 100 \r\n\r\nHTTP/1.0 404\n'])(
  'bytes that may begin a response are waited for: %p',
  (text) => {
    expect(read(text, { ends: false }).isDone).toBeFalse()
  },
)

test('the cost of parsing headers does not depend on how they are split', () => {
  const value = 'ä'.repeat(100_000)
  const { head, body } = read(`${OK}X-Long: ${value}\r\n${'X-More: 1\r\n'.repeat(2_000)}Content-Length: 2\r\n\r\nok`, { step: 1 })
  expect(head?.headers['x-long']).toBe(value)
  expect(body.toString()).toBe('ok')
})

test('headers are joined, also folded lines, and thousands of them are kept', () => {
  const many = Array.from({ length: 5_000 }, (_, index) => `X-Header-${index}: ${index}\r\n`).join('')
  const { head } = read(
    `${OK}X-A: 1\r\nx-a: 2\r\nX-Fold: one\r\n  two\r\n__proto__: odd\r\n${many}X-Last: here\r\nContent-Length: 0\r\n\r\n`,
  )
  expect(head?.headers).toMatchObject({ 'x-a': '1, 2', 'x-fold': 'one two', 'x-header-4999': '4999', 'x-last': 'here' })
  expect(Object.hasOwn(head?.headers ?? {}, '__proto__')).toBeTrue()
})

test('a body is read up to the limit', () => {
  const reader = read(`${OK}Content-Length: 5000\r\n\r\n${'x'.repeat(5_000)}`)
  expect([reader.isCut, reader.leavesConnectionUsable]).toEqual([true, false])
})

test('a request contains the given headers, and refuses line breaks in them', () => {
  const endpoint = endpointOf('https://ci.test:8443/a%20b?x=1#part')
  const text = requestText(endpoint, { 'X-Api-Key': ' key ', accept: 'text/plain' }, 'grün', true)
  expect(text).toBe(
    'POST /a%20b?x=1 HTTP/1.1\r\nX-Api-Key: key\r\naccept: text/plain\r\nHost: ci.test:8443\r\n' +
      'Accept-Encoding: identity\r\nContent-Length: 5\r\n\r\ngrün',
  )
  expect(requestText(endpoint, {}, '', false)).toContain('\r\nConnection: close\r\n')
  expect(() => requestText(endpoint, { 'X-Evil': 'a\r\nX-More: b' }, '', true)).toThrow('cannot be sent')
  expect(() => requestText(endpoint, { 'X Evil': 'a' }, '', true)).toThrow('cannot be sent')
})

describe('a connection', () => {
  const servers: Server[] = []
  afterAll(() => void servers.map((server) => server.close()))

  /** Starts a server with this handler. `open` connects to it. */
  async function startServer(answer: (socket: Socket, bytes: Buffer) => void) {
    const sockets: Socket[] = []
    const server = createServer((socket) => {
      sockets.push(socket)
      socket.on('error', () => {})
      socket.on('data', (bytes) => answer(socket, bytes))
    })
    servers.push(server)
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as { port: number }
    const open = () =>
      Connection.open(
        { address: '127.0.0.1', port, identity: null, server_name: undefined, context: undefined },
        new Deadline(10_000),
      )
    return { open, sockets }
  }

  const ask = (connection: Connection) => connection.send('x', MAX_BYTES, new Deadline(10_000))
  const answerOk = (socket: Socket) => void socket.write(`${OK}Content-Length: 2\r\n\r\nok`)

  test('carries one request after another', async () => {
    const { open, sockets } = await startServer(answerOk)
    const connection = await open()
    for (let each = 0; each < 3; each++) {
      expect((await ask(connection)).body.toString()).toBe('ok')
      expect(await connection.isUsable()).toBeTrue()
    }
    expect(sockets).toHaveLength(1)
    connection.close()
  })

  test('is not reused when unsolicited bytes have arrived, read or not', async () => {
    const { open, sockets } = await startServer(answerOk)
    const connection = await open()
    await ask(connection)
    sockets[0]?.write('HTTP/1.1 410 Gone\r\n\r\n')
    expect(await connection.isUsable()).toBeFalse()
  })

  test('takes nothing as a response that arrives before the request was written, if it is reused', async () => {
    const gone = (socket: Socket, bytes: Buffer) => {
      if (bytes.length === 1) return answerOk(socket)
      socket.pause()
      socket.write('HTTP/1.1 410 Gone\r\nContent-Length: 0\r\n\r\n')
    }
    const { open } = await startServer(gone)
    const large = 'x'.repeat(40_000_000)
    const reused = await open()
    await ask(reused)
    await expect(reused.send(large, MAX_BYTES, new Deadline(10_000))).rejects.toMatchObject({ code: 'ConnectionClosed' })
    // The request can be sent again.
    expect([reused.hasReceived, reused.isOpen]).toEqual([false, false])
    // A server may refuse a request before it has read all of it.
    const fresh = await open()
    expect((await fresh.send(large, MAX_BYTES, new Deadline(10_000))).status).toBe(410)
    expect(fresh.isOpen).toBeFalse()
  })

  test('is checked with a separate poll after other connections were checked', async () => {
    const { open, sockets } = await startServer(answerOk)
    const [one, other] = [await open(), await open()]
    await ask(one)
    await ask(other)
    const earlier = one.isUsable()
    await new Promise(setImmediate)
    sockets[1]?.write('x')
    expect(await other.isUsable()).toBeFalse()
    expect(await earlier).toBeTrue()
    one.close()
  })

  test('sends a request larger than any socket buffer', async () => {
    const body = 'grün 𝄞 '.repeat(1_000_000)
    const length = Buffer.byteLength(body)
    const hash = new Bun.CryptoHasher('sha256')
    let received = 0
    const { open } = await startServer((socket, bytes) => {
      hash.update(bytes)
      received += bytes.length
      if (received >= length) socket.write(`${OK}Content-Length: 0\r\n\r\n`)
    })
    const connection = await open()
    expect((await connection.send(body, MAX_BYTES, new Deadline(10_000))).status).toBe(200)
    expect([received, hash.digest('hex')]).toEqual([length, new Bun.CryptoHasher('sha256').update(body).digest('hex')])
    connection.close()
  })

  test('is closed when its deadline expires, before or within the response', async () => {
    const { open } = await startServer(() => {})
    const silent = await open()
    await expect(silent.send('x', MAX_BYTES, new Deadline(1))).rejects.toBeInstanceOf(DeadlineExpired)
    expect(silent.isOpen).toBeFalse()
    const { open: openSlow } = await startServer((socket) => void socket.write(`${OK}Content-Length: 2\r\n\r\no`))
    const slow = await openSlow()
    const { status, body, bodyError } = await slow.send('x', MAX_BYTES, new Deadline(100))
    expect([status, body.toString(), bodyError]).toEqual([200, 'o', expect.any(DeadlineExpired)])
    expect(slow.isOpen).toBeFalse()
  })

  test('sends nothing after its deadline', async () => {
    let requests = 0
    const { open } = await startServer(() => {
      requests += 1
    })
    const connection = await open()
    const deadline = new Deadline(0)
    while (!deadline.hasExpired) await new Promise(setImmediate)
    await expect(connection.send('x', MAX_BYTES, deadline)).rejects.toBeInstanceOf(DeadlineExpired)
    expect([requests, connection.isOpen]).toEqual([0, false])
  })

  test('is kept idle for a limited time, and replaced by newer ones', async () => {
    const { open } = await startServer(answerOk)
    const idle = new IdleConnections(2, 60_000)
    const [a, b, c] = [await open(), await open(), await open()] as const
    idle.keep('one', a)
    idle.keep('one', b)
    idle.keep('two', c)
    expect([idle.size, a.isOpen, b.isOpen, c.isOpen]).toEqual([2, false, true, true])
    expect(await idle.take('two')).toBe(c)
    expect(await idle.take('two')).toBeNull()
    expect(await idle.take('one')).toBe(b)
    expect(idle.size).toBe(0)
    const brief = new IdleConnections(2, 50)
    brief.keep('one', b)
    await Bun.sleep(25)
    brief.keep('one', c)
    while (b.isOpen) await Bun.sleep(1)
    while (c.isOpen) await Bun.sleep(1)
    expect(await brief.take('one')).toBeNull()
  })
})

test('only the body of a response is kept in memory', () => {
  const reader = new ResponseReader(MAX_BYTES)
  reader.push(Buffer.from(`${OK}Transfer-Encoding: chunked\r\n\r\n`))
  const arrived = Array.from({ length: 200 }, () => {
    const bytes = Buffer.alloc(16_000, `1;${'x'.repeat(15_993)}\r\ny\r\n`)
    reader.push(bytes)
    return new WeakRef(bytes.buffer)
  })
  Bun.gc(true)
  expect(reader.body.toString()).toBe('y'.repeat(200))
  expect(arrived.filter((each) => each.deref() !== undefined).length).toBeLessThan(20)
})
