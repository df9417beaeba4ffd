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
  const pixels = deflateSync(Buffer.alloc(height * (width + 1)))
  const signature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')
  const chunks = [chunk('IHDR', head), ...(ballast ? [chunk('teSt', Buffer.alloc(ballast))] : []), chunk('IDAT', pixels)]
  return Buffer.concat([signature, ...chunks, chunk('IEND', Buffer.alloc(0))])
}

const jpeg = await new Bun.Image(png()).jpeg().buffer()
const gif = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64')
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

/** A TIFF structure with an orientation, and the place where a photo was taken. */
function exif(orientation: number): Buffer {
  const tiff = Buffer.from('4d4d002a00000008000101120003000000010000000000000000', 'hex')
  tiff.writeUInt16BE(orientation, 18)
  return Buffer.concat([tiff, Buffer.from('GPS 52.5163 N 13.3777 E')])
}

/** A part of a JPEG. */
function segment(marker: number, ...parts: (string | Buffer)[]): Buffer {
  const data = Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : part)))
  const head = Buffer.from([0xff, marker, 0, 0])
  head.writeUInt16BE(data.length + 2, 2)
  return Buffer.concat([head, data])
}

/** A part of a WebP. */
function riff(type: string, data: Buffer): Buffer {
  const head = Buffer.alloc(8)
  head.write(type, 'latin1')
  head.writeUInt32LE(data.length, 4)
  return Buffer.concat([head, data, Buffer.alloc(data.length % 2)])
}

/** The PNG with chunks before its pixels. */
function pngWith(image: Buffer, ...chunks: Buffer[]): Buffer {
  const at = image.indexOf('IDAT') - 4
  return Buffer.concat([image.subarray(0, at), ...chunks, image.subarray(at)])
}

describe('An uploaded picture is stored as a small WebP', () => {
  const stored = async (image: Uint8Array, type: string): Promise<Buffer> => {
    const { status, body } = await put(image, type)
    expect([status, body.id, body.avatar_url]).toEqual([200, ada.id, avatarPath(ada.id)])
    const { response, bytes } = await bytesOf(avatarPath(ada.id))
    expect(response.headers.get('content-type')).toBe('image/webp')
    return bytes
  }
  const sizeOf = async (bytes: Buffer) => {
    const { format, width, height } = await new Bun.Image(bytes).metadata()
    return `${format} ${width}x${height}`
  }

  test.each([
    ['image/png', png()],
    ['image/jpeg', jpeg],
    ['image/webp', webp],
  ])('of type %s, without authentication', async (type, image) => {
    const { width, height } = await new Bun.Image(image).metadata()
    expect(await sizeOf(await stored(image, type))).toBe(`webp ${width}x${height}`)
  })

  test('of at most 256 pixels on each side, in the same proportion', async () => {
    expect(await sizeOf(await stored(png(600, 300), 'image/png'))).toBe('webp 256x128')
    expect(await sizeOf(await stored(png(100, 4096), 'image/png'))).toBe('webp 6x256')
    expect(await sizeOf(await stored(png(4096, 4096), 'image/png'))).toBe('webp 256x256')
  })

  test('without where and when it was taken, and as it was held', async () => {
    const xmp = '<x>Berlin</x>'
    const photo = await new Bun.Image(png(40, 20)).jpeg().buffer()
    const photos: [string, Buffer, string][] = [
      [
        'image/jpeg',
        Buffer.concat([
          photo.subarray(0, 2),
          segment(0xe1, 'Exif\0\0', exif(6)),
          segment(0xe1, `http://ns.adobe.com/xap/1.0/\0${xmp}`),
          segment(0xed, 'Photoshop 3.0\0Berlin'),
          segment(0xfe, 'taken 2026:11:21 in Berlin'),
          photo.subarray(2),
          Buffer.from('another image behind the first: thumbnail'),
        ]),
        'webp 20x40',
      ],
      [
        'image/png',
        pngWith(
          png(40, 20),
          chunk('eXIf', exif(1)),
          chunk('tEXt', Buffer.from('Comment\0Berlin')),
          chunk('tIME', Buffer.from('2026:11')),
          chunk('prVt', Buffer.from('thumbnail')),
        ),
        'webp 40x20',
      ],
      [
        'image/webp',
        riff(
          'RIFF',
          Buffer.concat([
            Buffer.from('WEBP'),
            riff('VP8X', Buffer.from([0x0c, 0, 0, 0, 0, 0, 0, 0, 0, 0])),
            webp.subarray(12),
            riff('EXIF', exif(1)),
            riff('XMP ', Buffer.from(xmp)),
            riff('teSt', Buffer.from('thumbnail')),
          ]),
        ),
        'webp 1x1',
      ],
    ]
    for (const [type, image, size] of photos) {
      const bytes = await stored(image, type)
      expect([type, await sizeOf(bytes)]).toEqual([type, size])
      for (const secret of ['GPS', 'Berlin', 'thumbnail', '2026:11'])
        expect([secret, bytes.includes(secret)]).toEqual([secret, false])
    }
  })

  test('unless it takes much more to decode than to send', async () => {
    const profile = Buffer.alloc(3_000_000)
    profile.writeUInt32BE(profile.length)
    profile.write('mntrRGB XYZ ', 12)
    profile.write('acsp', 36)
    const scans = await new Bun.Image(png(64, 64)).jpeg({ progressive: true }).buffer()
    const last = scans.subarray(scans.lastIndexOf('\xff\xda', undefined, 'latin1'), -2)
    const bombs: [string, Buffer, string][] = [
      ['pixels', png(4097, 4097), 'image/png'],
      [
        'a color profile',
        pngWith(png(), chunk('iCCP', Buffer.concat([Buffer.from('x\0\0'), deflateSync(profile)]))),
        'image/png',
      ],
      ['scans', Buffer.concat([scans.subarray(0, -2), ...Array(100).fill(last), scans.subarray(-2)]), 'image/jpeg'],
    ]
    for (const [what, image, type] of bombs) expect([what, (await put(image, type)).status]).toEqual([what, 422])
  })
})

describe('An uploaded picture', () => {
  test('can be replaced with its current ETag only', async () => {
    await put(png(), 'image/png')
    const tag = (await bytesOf(avatarPath(ada.id))).response.headers.get('etag') ?? ''
    expect((await put(png(3, 3), 'image/png', { 'If-Match': tag })).status).toBe(200)
    expect((await put(png(4, 4), 'image/png', { 'If-Match': tag })).status).toBe(412)
    expect(await new Bun.Image((await bytesOf(avatarPath(ada.id))).bytes).metadata()).toMatchObject({ width: 3, height: 3 })
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
      ['a PNG that was cut off', png().subarray(0, 50), 'image/png'],
      ['a JPEG as PNG', jpeg, 'image/png'],
      ['a PNG as JPEG', png(), 'image/jpeg'],
      ['a JPEG without a frame', jpeg.subarray(0, 20), 'image/jpeg'],
      ['a WebP that was cut off', webp.subarray(0, -4), 'image/webp'],
      ['a WAV as WebP', Buffer.from(webp.toString('latin1').replace('WEBP', 'WAVE'), 'latin1'), 'image/webp'],
      ['a PNG of no pixels', png(0, 0), 'image/png'],
      ['a GIF as PNG', gif, 'image/png'],
    ]
    await put(png(), 'image/png')
    const { bytes } = await bytesOf(avatarPath(ada.id))
    for (const [what, image, type] of cases) {
      const answer = await put(image, type)
      expect([what, answer.status, answer.body.code]).toEqual([what, 422, 'validation_failed'])
    }
    expect((await bytesOf(avatarPath(ada.id))).bytes).toEqual(bytes)
  })

  test('without a token is a 401, whatever its body', async () => {
    const answer = await box.request('PUT', MINE, 'nonsense', { 'Content-Type': 'text/plain' })
    expect(answer.status).toBe(401)
  })
})
