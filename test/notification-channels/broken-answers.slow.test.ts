/** For tools whose response body carries the result, a truncated body is not a success. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Socket } from 'node:net'
import { gzipSync } from 'node:zlib'
import type { ChannelType } from '../../core/notification-channels/types.ts'
import { rawServer } from '../deployment-hooks/raw-server.ts'
import { READ_MS } from '../deployment-hooks/workbench.ts'
import { Workbench } from './workbench.ts'

let bench: Workbench

beforeAll(async () => {
  bench = await Workbench.open()
})

afterAll(() => bench.close())

const OK = 'HTTP/1.1 200 OK\r\n'

/** Ways to cut off a response after text that would be a success if it were complete. */
const CUTS: [name: string, cut: (socket: Socket, text: string) => void][] = [
  ['ends before its length', (socket, text) => socket.end(`${OK}Content-Length: ${text.length + 1}\r\n\r\n${text}`)],
  [
    'is reset before its length',
    (socket, text) => {
      socket.write(`${OK}Content-Length: ${text.length + 1}\r\n\r\n${text}`)
      setTimeout(() => socket.resetAndDestroy(), READ_MS)
    },
  ],
  [
    'is reset and declares no length',
    (socket, text) => {
      socket.write(`${OK}\r\n${text}`)
      setTimeout(() => socket.resetAndDestroy(), READ_MS)
    },
  ],
  ['lacks its last chunk', (socket, text) => socket.end(`${OK}Transfer-Encoding: chunked\r\n\r\n${text.length}\r\n${text}\r\n`)],
  ['ends in a chunk', (socket, text) => socket.end(`${OK}Transfer-Encoding: chunked\r\n\r\n${text.length + 5}\r\n${text}`)],
  [
    'has a malformed chunk',
    (socket, text) => socket.end(`${OK}Transfer-Encoding: chunked\r\n\r\n${text.length}\r\n${text}\r\nzz\r\n`),
  ],
  [
    'is compressed and truncated',
    (socket, text) => {
      const bytes = gzipSync(text)
      const whole = bytes.subarray(0, bytes.length - 8)
      socket.write(`${OK}Content-Encoding: gzip\r\nContent-Length: ${whole.length}\r\n\r\n`)
      socket.end(whole)
    },
  ],
]

/** The body that says that a message was accepted; null for types whose status says it. */
const SUCCESS: Record<Exclude<ChannelType, 'webhook' | 'email'>, string | null> = {
  slack: 'ok',
  feishu: '{"code":0}',
  teams: null,
}

const SAID_IN_BODY = Object.entries(SUCCESS).flatMap(([type, body]): [string, string][] => (body === null ? [] : [[type, body]]))

describe.each(SAID_IN_BODY)('%s', (type, success) => {
  test.each(CUTS)('does not take a response as success that %s', async (_, cut) => {
    const server = bench.with(await rawServer((socket) => cut(socket, success)))
    const entry = await bench.tested(await bench.channel(type, { webhook_url: `${server.url}/hook` }))
    expect(entry).toMatchObject({ status: 'failed', response_status: 200 })
    expect(entry.error.code).toBeOneOf(['connection_failed', 'body_undecodable'])
  })

  test('takes a complete response as success', async () => {
    const answers = [
      `${OK}Content-Length: ${success.length}\r\n\r\n${success}`,
      `${OK}Transfer-Encoding: chunked\r\n\r\n${success.length.toString(16)}\r\n${success}\r\n0\r\n\r\n`,
      `${OK}\r\n${success}`,
    ]
    for (const answer of answers) {
      const server = bench.with(await rawServer((socket) => socket.end(answer)))
      const channel = await bench.channel(type, { webhook_url: `${server.url}/hook` })
      expect(await bench.tested(channel)).toMatchObject({ status: 'succeeded', error: null })
    }
  })
})

const SAID_BY_STATUS = Object.keys(SUCCESS).filter((type) => !SAID_IN_BODY.some(([other]) => other === type))

test.each(SAID_BY_STATUS)('%s takes a 2xx as success, whatever the body is, even with a truncated one', async (type) => {
  const server = bench.with(await rawServer((socket) => socket.end('HTTP/1.1 202 Accepted\r\nContent-Length: 10\r\n\r\nhalf')))
  const channel = await bench.channel(type, { webhook_url: `${server.url}/hook` })
  expect(await bench.tested(channel)).toMatchObject({ status: 'succeeded', response_status: 202 })
})
