import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { brotliCompressSync, constants, deflateRawSync, deflateSync, gzipSync } from 'node:zlib'
import { READ_MS, Workbench } from './workbench.ts'

/** Compresses at a quality that servers use: the default, the highest, takes seconds for a large body. */
function brotli(text: string | Uint8Array): Uint8Array {
  return brotliCompressSync(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } })
}

const CODINGS: [name: string, compress: (text: string | Uint8Array) => Uint8Array][] = [
  ['gzip', gzipSync],
  ['x-gzip', gzipSync],
  ['BR', brotli],
  ['deflate', deflateSync],
  ['deflate', deflateRawSync],
]

/** Text that compresses badly. */
const incompressible = (length: number) =>
  Array.from({ length }, (_, index) => 'abcdefgh'[(index * 7919 + (index >> 3) * 31 + ((index * index) >> 5)) % 8]).join('')

let bench: Workbench

beforeAll(async () => {
  bench = await Workbench.open({ own: true })
})

afterAll(() => bench.close())

/**
 * Pings a receiver that answers with this body; returns the recorded dispatch, the error of its attempt as `note`, and
 * the receiver.
 */
async function pingWithBody(coding: string, body: Uint8Array | string, status = 200) {
  const receiver = bench.receiver()
  receiver.answer = () => new Response(body as BodyInit, { status, headers: { 'Content-Encoding': coding } })
  const dispatch = await bench.pinged(receiver.url)
  return { ...dispatch, note: dispatch.attempts[0].error, receiver }
}

describe.each(CODINGS)('a response body compressed with %s, although the request asked for identity,', (coding, compress) => {
  test('is decoded for successes and failures', async () => {
    const { receiver, ...dispatch } = await pingWithBody(coding, compress('{"done":"grün"}'))
    expect(dispatch).toMatchObject({ status: 'succeeded', response_body: '{"done":"grün"}', note: null })
    expect(dispatch.attempts[0]).toMatchObject({
      response_body: '{"done":"grün"}',
      response_headers: { 'content-encoding': coding },
    })
    expect(receiver.requests[0]?.headers['accept-encoding']).toBe('identity')
    expect(await pingWithBody(coding, compress('no such pipeline'), 422)).toMatchObject({
      status: 'failed',
      response_body: 'no such pipeline',
    })
  })

  test('that is a decompression bomb is truncated, and the success notes body_too_long', async () => {
    const { status, error, response_body, note } = await pingWithBody(coding, compress(Buffer.alloc(50_000_000, 'x')))
    expect([status, error, note.code]).toEqual(['succeeded', null, 'body_too_long'])
    expect(response_body).toBe('x'.repeat(16_384))
  })

  test('that exceeds the limit is stored up to 16 KiB of decoded text', async () => {
    const text = incompressible(200_000)
    const { status, response_body, note } = await pingWithBody(coding, compress(text))
    expect([status, note.code, text.startsWith(response_body)]).toEqual(['succeeded', 'body_too_long', true])
    expect(response_body).toHaveLength(16_384)
  })

  test('that is not in fact compressed is stored as received, with a note', async () => {
    const { status, error, response_body, note } = await pingWithBody(coding, 'nothing of the kind')
    expect({ status, error, response_body }).toEqual({ status: 'succeeded', error: null, response_body: 'nothing of the kind' })
    expect(note).toEqual({
      code: 'body_undecodable',
      detail: `The body of the response does not match its Content-Encoding (${coding.toLowerCase()}); it is stored as received.`,
    })
  })

  test('that is cut off is decoded as far as it was received', async () => {
    const bytes = compress(incompressible(30_000))
    const server = await bench.raw((socket) => {
      socket.write(`HTTP/1.1 200 OK\r\nContent-Encoding: ${coding}\r\nContent-Length: ${bytes.length}\r\n\r\n`)
      socket.write(bytes.subarray(0, bytes.length / 2))
      setTimeout(() => socket.destroy(), READ_MS)
    })
    const { status, error, attempts, response_body } = await bench.pinged(server.url)
    expect([status, error, attempts[0].error.code]).toEqual(['succeeded', null, 'connection_failed'])
    expect(incompressible(30_000).startsWith(response_body)).toBeTrue()
    expect(response_body.length).toBeGreaterThan(0)
  })
})

describe('a response body', () => {
  test.each(['compress', 'zstd', 'gzip, br'])(
    'with the unsupported encoding %s is stored as received, with a note',
    async (coding) => {
      expect(await pingWithBody(coding, 'hello')).toMatchObject({
        status: 'succeeded',
        response_body: 'hello',
        note: { code: 'body_undecodable' },
      })
    },
  )

  test.each(['identity', ''])('with the encoding %p is stored unchanged', async (coding) => {
    expect(await pingWithBody(coding, 'hello')).toMatchObject({ status: 'succeeded', response_body: 'hello', note: null })
  })

  test('of exactly 16 KiB is stored in full; a longer one is truncated between characters, with a note', async () => {
    expect(await pingWithBody('identity', 'x'.repeat(16_384))).toMatchObject({ response_body: 'x'.repeat(16_384), note: null })
    expect(await pingWithBody('identity', `x${'é'.repeat(10_000)}`)).toMatchObject({
      status: 'succeeded',
      response_body: `x${'é'.repeat(8_191)}`,
      note: { code: 'body_too_long', detail: 'The response is longer than 16384 bytes. Only the first 16384 bytes are stored.' },
    })
  })
})

const utf16 = (text: string, isBig = false): Uint8Array => {
  const bytes = Buffer.from(text, 'utf16le')
  return isBig ? bytes.swap16() : bytes
}

describe('the text of a response', () => {
  test.each<[string, string, Uint8Array | string]>([
    ['declared UTF-16', 'text/plain; charset=utf-16', utf16('grün')],
    ['declared big-endian UTF-16', 'text/plain; charset="UTF-16BE"', utf16('grün', true)],
    ['UTF-16 with a byte order mark', 'text/plain', utf16('\ufeffgrün')],
    ['big-endian UTF-16 with a byte order mark', 'text/plain; charset=utf-8', utf16('\ufeffgrün', true)],
    ['undeclared UTF-16', 'application/json', utf16('grün')],
    ['UTF-8 with a byte order mark', 'text/plain', '\ufeffgrün'],
    ['Latin-1', 'text/plain; charset=iso-8859-1', Buffer.from('grün', 'latin1')],
    ['an unknown charset', 'text/plain; charset=klingon', 'grün'],
  ])('in %s is decoded', async (_, type, bytes) => {
    const receiver = bench.receiver()
    receiver.answer = () => new Response(bytes as BodyInit, { headers: { 'Content-Type': type } })
    expect(await bench.pinged(receiver.url)).toMatchObject({ status: 'succeeded', response_body: 'grün' })
  })

  test.each<[string, string, Uint8Array]>([
    ['is not valid', '', new Uint8Array(16_384).fill(0xff)],
    ['consists of zero bytes', '', new Uint8Array(16_384)],
    ['is UTF-16', '', utf16(`\ufeff${'語'.repeat(8_190)}`)],
    ['is compressed', 'gzip', gzipSync('語'.repeat(16_000))],
    ['is compressed and not valid', 'gzip', gzipSync(new Uint8Array(16_384).fill(0xff))],
  ])('that %s is stored in at most 16 KiB', async (_, coding, bytes) => {
    const { status, response_body, note } = await pingWithBody(coding, bytes)
    expect([status, note.code]).toEqual(['succeeded', 'body_too_long'])
    expect(Buffer.byteLength(response_body)).toBeGreaterThan(16_000)
    expect(Buffer.byteLength(response_body)).toBeLessThanOrEqual(16_384)
  })

  test('that was compressed and truncated by the receiver is stored with a note', async () => {
    const bytes = gzipSync(incompressible(4_000))
    const { status, note, response_body } = await pingWithBody('gzip', bytes.subarray(0, bytes.length - 12))
    expect([status, note.code]).toEqual(['succeeded', 'body_undecodable'])
    expect(incompressible(4_000).startsWith(response_body)).toBeTrue()
  })
})

test.skipIf(process.platform !== 'linux')('decompression bombs do not grow the memory of the worker noticeably', async () => {
  const [worker] = bench.box.workers
  const megabytes = async () => Number(/VmRSS:\s+(\d+) kB/.exec(await Bun.file(`/proc/${worker?.pid}/status`).text())?.[1]) / 1024
  const bomb = brotli(Buffer.alloc(300_000_000))
  const before = await megabytes()
  for (const { status } of await Promise.all(Array.from({ length: 10 }, () => pingWithBody('br', bomb))))
    expect(status).toBe('succeeded')
  expect((await megabytes()) - before).toBeLessThan(150)
})
