import { afterAll, describe, expect, test } from 'bun:test'
import { createServer, type Server, type Socket } from 'node:net'
import { AnswerReader } from '../../core/http/answer.ts'
import { Connection } from '../../core/http/connection.ts'
import { IdleConnections } from '../../core/http/idle.ts'
import { requestBytes } from '../../core/http/request.ts'

const MOST = 1_000

function read(text: string, { ends = true, step = text.length } = {}): AnswerReader {
  const reader = new AnswerReader(MOST)
  const bytes = Buffer.from(text)
  for (let at = 0; at < bytes.length && !reader.isDone; at += step) reader.push(bytes.subarray(at, at + step))
  if (ends && !reader.isDone) reader.end()
  return reader
}

const OK = 'HTTP/1.1 200 OK\r\n'

/** What comes, the body that it holds, and whether the connection may carry another request. */
const ANSWERS: [name: string, text: string, body: string, isUsable: boolean][] = [
  ['a length', `${OK}Content-Length: 5\r\n\r\nhello`, 'hello', true],
  ['a length that is said twice', `${OK}Content-Length: 5, 5\r\n\r\nhello`, 'hello', true],
  ['a length of nothing', `${OK}Content-Length: 0\r\n\r\n`, '', true],
  ['chunks', `${OK}Transfer-Encoding: chunked\r\n\r\n3\r\nhel\r\n2;x=y\r\nlo\r\n0\r\n\r\n`, 'hello', true],
  ['chunks with a trailer', `${OK}Transfer-Encoding: Chunked\r\n\r\n5\r\nhello\r\n0\r\nX-Sum: 1\r\n\r\n`, 'hello', true],
  ['an end of the connection', `${OK}\r\nhello`, 'hello', false],
  ['an announced end', `${OK}Connection: Close\r\nContent-Length: 5\r\n\r\nhello`, 'hello', false],
  ['HTTP/1.0', 'HTTP/1.0 200 OK\r\nContent-Length: 5\r\n\r\nhello', 'hello', false],
  ['HTTP/1.0 that goes on', 'HTTP/1.0 200 OK\r\nConnection: keep-alive\r\nContent-Length: 5\r\n\r\nhello', 'hello', true],
  ['chunks and a length', `${OK}Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n`, 'hello', false],
  ['no content', 'HTTP/1.1 204 No Content\r\n\r\n', '', true],
  ['lines that end with a line feed alone', 'HTTP/1.1 200 OK\nContent-Length: 5\n\nhello', 'hello', true],
  ['no reason', 'HTTP/1.1 200\r\nContent-Length: 5\r\n\r\nhello', 'hello', true],
  [
    'answers before it',
    `HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Hints\r\nLink: x\r\n\r\n${OK}Content-Length: 5\r\n\r\nhello`,
    'hello',
    true,
  ],
]

describe.each(ANSWERS)('an answer with %s', (_, text, body, isUsable) => {
  test.each([text.length, 1, 7])('is read, %d bytes at a time', (step) => {
    const reader = read(text, { step })
    expect([reader.body.toString(), reader.leavesConnectionUsable]).toEqual([body, isUsable])
    expect(reader.head?.status).toBeOneOf([200, 204])
  })

  test('spoils its connection where more comes than belongs to it', () => {
    if (!isUsable) return
    expect(read(`${text}HTTP/1.1 410 Gone\r\n\r\n`).leavesConnectionUsable).toBeFalse()
    expect(read(`${text}x`).leavesConnectionUsable).toBeFalse()
  })
})

describe('what is no answer', () => {
  test.each([
    ['SSH-2.0-OpenSSH_9.9\r\n', 'InvalidHTTPStatusLine'],
    ['HTTP/2 200 OK\r\n\r\n', 'InvalidHTTPStatusLine'],
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

test('headers are joined, folded lines too, and none of thousands is lost', () => {
  const many = Array.from({ length: 5_000 }, (_, index) => `X-Header-${index}: ${index}\r\n`).join('')
  const { head } = read(
    `${OK}X-A: 1\r\nx-a: 2\r\nX-Fold: one\r\n  two\r\n__proto__: odd\r\n${many}X-Last: here\r\nContent-Length: 0\r\n\r\n`,
  )
  expect(head?.headers).toMatchObject({ 'x-a': '1, 2', 'x-fold': 'one two', 'x-header-4999': '4999', 'x-last': 'here' })
  expect(Object.hasOwn(head?.headers ?? {}, '__proto__')).toBeTrue()
})

test('no more of a body is read than is wanted', () => {
  const reader = read(`${OK}Content-Length: 5000\r\n\r\n${'x'.repeat(5_000)}`)
  expect([reader.isCut, reader.leavesConnectionUsable]).toEqual([true, false])
})

test('a request holds what it is given, and no header that could end a line', () => {
  const url = new URL('https://ci.test:8443/a%20b?x=1#part')
  const text = requestBytes(url, { 'X-Api-Key': ' key ', accept: 'text/plain' }, 'grün', true).toString()
  expect(text).toBe(
    'POST /a%20b?x=1 HTTP/1.1\r\nX-Api-Key: key\r\naccept: text/plain\r\nHost: ci.test:8443\r\n' +
      'Accept-Encoding: identity\r\nContent-Length: 5\r\n\r\ngrün',
  )
  expect(requestBytes(url, {}, '', false).toString()).toContain('\r\nConnection: close\r\n')
  expect(() => requestBytes(url, { 'X-Evil': 'a\r\nX-More: b' }, '', true)).toThrow('cannot be sent')
  expect(() => requestBytes(url, { 'X Evil': 'a' }, '', true)).toThrow('cannot be sent')
})

describe('a connection', () => {
  const servers: Server[] = []
  afterAll(() => void servers.map((server) => server.close()))

  /** Connects to a server that answers each request so. */
  async function connected(answer: (socket: Socket) => void) {
    const sockets: Socket[] = []
    const server = createServer((socket) => {
      sockets.push(socket)
      socket.on('error', () => {})
      socket.on('data', () => answer(socket))
    })
    servers.push(server)
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as { port: number }
    const open = () =>
      Connection.open(
        { address: '127.0.0.1', port, identity: null, server_name: undefined, context: undefined },
        AbortSignal.timeout(10_000),
      )
    return { open, sockets }
  }

  const ask = (connection: Connection) => connection.exchange(Buffer.from('x'), MOST, AbortSignal.timeout(10_000))
  const answerOk = (socket: Socket) => void socket.write(`${OK}Content-Length: 2\r\n\r\nok`)

  test('carries one request after another', async () => {
    const { open, sockets } = await connected(answerOk)
    const connection = await open()
    for (let each = 0; each < 3; each++) {
      expect((await ask(connection)).body.toString()).toBe('ok')
      expect(await connection.isUsable()).toBeTrue()
    }
    expect(sockets).toHaveLength(1)
    connection.close()
  })

  test('is not used again where bytes wait that nobody asked for, read or not', async () => {
    const { open, sockets } = await connected(answerOk)
    const connection = await open()
    await ask(connection)
    sockets[0]?.write('HTTP/1.1 410 Gone\r\n\r\n')
    expect(await connection.isUsable()).toBeFalse()
  })

  test('waits for the next request for a while, and gives way to newer ones', async () => {
    const { open } = await connected(answerOk)
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
    const brief = new IdleConnections(2, 1)
    brief.keep('one', b)
    while (b.isOpen) await Bun.sleep(1)
    expect(await brief.take('one')).toBeNull()
    c.close()
  })
})

test('of what arrives only the body is kept in memory', () => {
  const reader = new AnswerReader(MOST)
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
