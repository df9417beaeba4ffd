import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { deflateSync } from 'node:zlib'
import { type Actor, type Box, signalbox } from '../support/signalbox.ts'

const MINE = '/api/v1/users/me/avatar'

let box: Box
let ada: Actor

beforeAll(async () => {
  box = await signalbox({ workers: 0 })
  ada = await box.user('Ada')
})
afterAll(() => box.close())

const avatarPath = (id: string) => `/api/v1/users/${id}/avatar`

function chunk(type: string, data: Uint8Array): Buffer {
  const body = Buffer.concat([Buffer.from(type), data])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  sum.writeUInt32BE(Bun.hash.crc32(body))
  return Buffer.concat([length, body, sum])
}

/** A complete gray PNG, with padding of this size. */
function png(width = 2, height = 2, ballast = 0): Buffer {
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width)
  head.writeUInt32BE(height, 4)
  head[8] = 8
  const pixels = deflateSync(Buffer.alloc(Math.min(height, 8) * (Math.min(width, 8) + 1)))
  const signature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')
  const chunks = [chunk('IHDR', head), ...(ballast ? [chunk('teSt', Buffer.alloc(ballast))] : []), chunk('IDAT', pixels)]
  return Buffer.concat([signature, ...chunks, chunk('IEND', Buffer.alloc(0))])
}

/** The head of a JPEG: an application segment, then the frame. */
const jpeg = Buffer.from('ffd8ffe000104a46494600010100000100010000ffc0000b080002000201011100ffd9', 'hex')
/** One pixel as lossless WebP. */
const webp = Buffer.from('524946461a000000574542505650384c0d0000002f00000010071011118888fe0700', 'hex')

const put = (image: Uint8Array, type: string, headers: Record<string, string> = {}) =>
  ada.request('PUT', MINE, image, { 'Content-Type': type, ...headers })

async function bytesOf(path: string): Promise<{ response: Response; bytes: Buffer }> {
  const response = await fetch(box.base + path)
  return { response, bytes: Buffer.from(await response.arrayBuffer()) }
}

describe('Without an uploaded picture', () => {
  test('the avatar is a pattern derived from the id, also for unknown ids', async () => {
    const id = crypto.randomUUID()
    const first = await bytesOf(avatarPath(id))
    expect(first.response.status).toBe(200)
    expect(first.response.headers.get('content-type')).toBe('image/svg+xml')
    expect((await bytesOf(avatarPath(id.toUpperCase()))).bytes).toEqual(first.bytes)
    const adas = await bytesOf(avatarPath(ada.id))
    expect(adas.bytes).not.toEqual(first.bytes)
    const names = ({ response }: { response: Response }) => [...response.headers.keys()].sort()
    expect(names(adas)).toEqual(names(first))
  })

  test('the pattern is symmetrical', async () => {
    for (let each = 0; each < 20; each++) {
      const text = (await bytesOf(avatarPath(crypto.randomUUID()))).bytes.toString()
      const cells = [...text.matchAll(/<rect x="(\d+)" y="(\d+)" width="14"[^>]*fill="([^"]+)"/g)].map(([, x, y, fill]) => ({
        x: Number(x),
        rest: `${y} ${fill}`,
      }))
      expect(cells.length).toBeGreaterThanOrEqual(8)
      const drawn = cells.map(({ x, rest }) => `${x} ${rest}`).sort()
      expect(cells.map(({ x, rest }) => `${96 - 14 - x} ${rest}`).sort()).toEqual(drawn)
    }
  })

  test('the image is sandboxed, cacheable for a while, and has an ETag', async () => {
    const { response } = await bytesOf(avatarPath(ada.id))
    expect(response.headers.get('content-security-policy')).toBe("default-src 'none'; frame-ancestors 'none'; sandbox")
    expect(response.headers.get('x-content-type-options')).toBe('nosniff')
    expect(response.headers.get('cache-control')).toBe('public, max-age=300')
    const tag = response.headers.get('etag') ?? ''
    const again = await fetch(box.base + avatarPath(ada.id), { headers: { 'If-None-Match': tag } })
    expect([again.status, again.headers.get('etag'), await again.text()]).toEqual([304, tag, ''])
    const head = await fetch(box.base + avatarPath(ada.id), { method: 'HEAD' })
    expect([head.status, head.headers.get('etag'), await head.text()]).toEqual([200, tag, ''])
  })

  test('a malformed id is a 422', async () => {
    expect((await box.request('GET', avatarPath('ada'))).status).toBe(422)
  })
})

describe('An uploaded picture', () => {
  test.each([
    ['image/png', png()],
    ['image/jpeg', jpeg],
    ['image/webp', webp],
  ])('of type %s is returned unchanged, without authentication', async (type, image) => {
    const { status, body } = await put(image, type)
    expect([status, body.id, body.avatar_url]).toEqual([200, ada.id, avatarPath(ada.id)])
    const { response, bytes } = await bytesOf(avatarPath(ada.id))
    expect(response.headers.get('content-type')).toBe(type)
    expect(response.headers.get('x-content-type-options')).toBe('nosniff')
    expect(bytes).toEqual(image)
  })

  test('can be replaced with its current ETag only', async () => {
    await put(png(), 'image/png')
    const tag = (await bytesOf(avatarPath(ada.id))).response.headers.get('etag') ?? ''
    expect((await put(png(3, 3), 'image/png', { 'If-Match': tag })).status).toBe(200)
    expect((await put(png(4, 4), 'image/png', { 'If-Match': tag })).status).toBe(412)
    expect((await bytesOf(avatarPath(ada.id))).bytes).toEqual(png(3, 3))
    expect((await fetch(box.base + avatarPath(ada.id), { headers: { 'If-None-Match': tag } })).status).toBe(200)
  })

  test('can be deleted repeatedly, which restores the pattern', async () => {
    await put(png(), 'image/png')
    for (const _ of [1, 2]) expect((await ada.delete(MINE)).status).toBe(204)
    expect((await bytesOf(avatarPath(ada.id))).response.headers.get('content-type')).toBe('image/svg+xml')
  })

  test('may have up to a megabyte', async () => {
    const room = 1_048_576 - png(2, 2, 1).length + 1
    expect((await put(png(2, 2, room), 'image/png')).status).toBe(200)
    const { status, body } = await put(png(2, 2, room + 1), 'image/png')
    expect([status, body.code]).toEqual([413, 'body_too_large'])
  })

  test('of another type is a 415 that lists the accepted types', async () => {
    for (const type of ['image/gif', 'image/svg+xml', 'application/json', 'text/html', 'image/png2', 'multipart/form-data']) {
      const { status, body, headers } = await put(png(), type)
      expect([type, status, body.code]).toEqual([type, 415, 'unsupported_media_type'])
      expect(headers.get('accept')).toBe('image/png, image/jpeg, image/webp')
    }
  })

  test('that is invalid or of another type than declared is a 422', async () => {
    const cases: [string, Uint8Array, string][] = [
      ['empty', Buffer.alloc(0), 'image/png'],
      ['text', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), 'image/png'],
      ['a page behind a signature', Buffer.from(`\x89PNG\r\n\x1a\n${'<script>'.repeat(10)}`, 'latin1'), 'image/png'],
      ['a PNG that was cut off', png().subarray(0, -5), 'image/png'],
      ['a JPEG as PNG', jpeg, 'image/png'],
      ['a PNG as JPEG', png(), 'image/jpeg'],
      ['a JPEG without a frame', jpeg.subarray(0, 20), 'image/jpeg'],
      ['a WebP that was cut off', webp.subarray(0, -4), 'image/webp'],
      ['a WAV as WebP', Buffer.from(webp.toString('latin1').replace('WEBP', 'WAVE'), 'latin1'), 'image/webp'],
      ['a PNG of 5000 pixels', png(5000, 10), 'image/png'],
      ['a PNG of none', png(0, 0), 'image/png'],
    ]
    await put(png(), 'image/png')
    for (const [what, image, type] of cases) {
      const answer = await put(image, type)
      expect([what, answer.status, answer.body.code]).toEqual([what, 422, 'validation_failed'])
    }
    expect((await bytesOf(avatarPath(ada.id))).bytes).toEqual(png())
  })

  test('without a token is a 401, whatever its body', async () => {
    const answer = await box.request('PUT', MINE, 'nonsense', { 'Content-Type': 'text/plain' })
    expect(answer.status).toBe(401)
  })
})
