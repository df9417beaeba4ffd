import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Socket } from 'node:net'
import type { Answer } from '../support/signalbox.ts'
import { Workbench } from './workbench.ts'

let bench: Workbench

beforeAll(async () => {
  bench = await Workbench.open({ own: true })
})

afterAll(() => bench.close())

const OK = 'HTTP/1.1 200 OK\r\n'
const CHUNKED = `${OK}Transfer-Encoding: chunked\r\n\r\n`

/** Writes the same text until the socket is closed. */
function writeForever(socket: Socket, piece: string): void {
  const more = () => {
    while (!socket.destroyed && socket.write(piece));
  }
  socket.on('drain', more)
  more()
}

async function pingRaw(answer: (socket: Socket) => void): Promise<Answer['body']> {
  const server = await bench.raw(answer)
  const dispatch = await bench.pinged(server.url)
  expect(server.count()).toBe(1)
  return dispatch
}

describe('a malformed response fails the dispatch with a readable error', () => {
  test.each<[string, string, (socket: Socket) => void]>([
    ['no response at all', 'closed before', (socket) => socket.end()],
    ['random bytes', 'not valid HTTP', (socket) => socket.end(Buffer.from([0, 255, 1, 254, 13, 10, 13, 10]))],
    ['a status that is not a number', 'not valid HTTP', (socket) => socket.end('HTTP/1.1 abc OK\r\n\r\n')],
    ['an unknown version', 'not valid HTTP', (socket) => socket.end('HTTP/9.9 200 OK\r\n\r\n')],
    ['truncated headers', 'closed before', (socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Le')],
    ['a header without a name', 'not valid HTTP', (socket) => socket.end(`${OK}: value\r\n\r\n`)],
    ['a length that is not a number', 'not valid HTTP', (socket) => socket.end(`${OK}Content-Length: many\r\n\r\nbody`)],
    [
      'a switch to another protocol',
      'not valid HTTP',
      (socket) => socket.end('HTTP/1.1 101 Switching\r\nUpgrade: websocket\r\n\r\n'),
    ],
    ['endless headers', 'The', (socket) => writeForever(socket, `${OK}${'X-More: and more\r\n'.repeat(100)}`)],
    ['one endless header', 'The', (socket) => socket.write(`${OK}X-Long: `) && writeForever(socket, 'x'.repeat(10_000))],
  ])('%s', async (_, meaning, answer) => {
    const { status, error, response_status } = await pingRaw(answer)
    expect([status, error.code, response_status]).toEqual(['failed', 'connection_failed', null])
    expect(error.detail).toMatch(/^[A-Z][a-zA-Z ]+ \([\w]+\)\.$/)
    expect(error.detail).toContain(meaning)
    expect(error.detail).not.toContain('The connection failed')
  })
})

describe('a 200 is a success, whatever follows it', () => {
  test.each<[string, (socket: Socket) => void, string]>([
    ['a chunk size that is not a number', (socket) => socket.end(`${CHUNKED}5\r\nhello\r\nzz\r\n`), 'connection_failed'],
    ['a chunk shorter than its size', (socket) => socket.end(`${CHUNKED}ff\r\nhello`), 'connection_failed'],
    ['no last chunk', (socket) => socket.end(`${CHUNKED}5\r\nhello\r\n`), 'connection_failed'],
    [
      'a connection reset in the body',
      (socket) => {
        socket.write(`${OK}Content-Length: 100\r\n\r\nhello`)
        setTimeout(() => socket.resetAndDestroy(), 50)
      },
      'connection_failed',
    ],
  ])('%s', async (_, answer, code) => {
    const dispatch = await pingRaw(answer)
    expect(dispatch).toMatchObject({ status: 'succeeded', response_status: 200, error: null })
    expect(dispatch.attempts).toMatchObject([{ error: { code } }])
    expect(['', 'hello']).toContain(dispatch.response_body)
  })

  test('bytes beyond Content-Length are ignored', async () => {
    const dispatch = await pingRaw((socket) => socket.end(`${OK}Content-Length: 5\r\n\r\nhello, and much more`))
    expect(dispatch).toMatchObject({ status: 'succeeded', response_body: 'hello' })
  })
})

test.skipIf(process.platform !== 'linux')('endless responses do not grow the memory of the worker noticeably', async () => {
  const [worker] = bench.box.workers
  const megabytes = async () => Number(/VmRSS:\s+(\d+) kB/.exec(await Bun.file(`/proc/${worker?.pid}/status`).text())?.[1]) / 1024
  const before = await megabytes()
  const endless = (socket: Socket) => {
    socket.write(CHUNKED)
    writeForever(socket, `8000\r\n${'x'.repeat(0x8000)}\r\n`)
  }
  for (const dispatch of await Promise.all(Array.from({ length: 10 }, () => pingRaw(endless))))
    expect(dispatch).toMatchObject({ status: 'succeeded', response_body: 'x'.repeat(16_384) })
  expect((await megabytes()) - before).toBeLessThan(150)
})
