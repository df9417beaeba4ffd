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

/** A TIFF structure with an orientation, and the place where a photo was taken. */
function exif(orientation: number, little = true): Buffer {
  const tiff = Buffer.alloc(64)
  const write16 = (value: number, at: number) => (little ? tiff.writeUInt16LE(value, at) : tiff.writeUInt16BE(value, at))
  const write32 = (value: number, at: number) => (little ? tiff.writeUInt32LE(value, at) : tiff.writeUInt32BE(value, at))
  tiff.write(little ? 'II' : 'MM', 'latin1')
  write16(42, 2)
  write32(8, 4)
  write16(2, 8)
  for (const [index, [tag, type, count, value]] of [
    [0x8825, 4, 1, 38],
    [0x0112, 3, 1, orientation],
  ].entries() as IterableIterator<[number, number[]]>) {
    const at = 10 + index * 12
    write16(tag as number, at)
    write16(type as number, at + 2)
    write32(count as number, at + 4)
    if (type === 3) write16(value as number, at + 8)
    else write32(value as number, at + 8)
  }
  tiff.write('GPS 52.5163 N 13.3777 E', 38, 'latin1')
  return tiff
}

const segment = (marker: number, ...parts: (string | Buffer)[]) => {
  const data = Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : part)))
  const head = Buffer.from([0xff, marker, 0, 0])
  head.writeUInt16BE(data.length + 2, 2)
  return Buffer.concat([head, data])
}
const riff = (type: string, data: Buffer) => {
  const head = Buffer.alloc(8)
  head.write(type, 'latin1')
  head.writeUInt32LE(data.length, 4)
  return Buffer.concat([head, data, Buffer.alloc(data.length % 2)])
}
const riffFile = (...chunks: Buffer[]) => {
  const body = Buffer.concat([Buffer.from('WEBP'), ...chunks])
  return riff('RIFF', body)
}

describe('An uploaded photo loses where and when it was taken, and keeps how it was held:', () => {
  const stored = async (image: Buffer, type: string): Promise<Buffer> => {
    expect((await put(image, type)).status).toBe(200)
    return (await bytesOf(avatarPath(ada.id))).bytes
  }
  const SECRETS = ['GPS', 'Berlin', 'thumbnail', '2026:11']
  const expectClean = (bytes: Buffer) => {
    for (const secret of SECRETS) expect(bytes.includes(secret)).toBe(false)
  }

  const icc = segment(0xe2, 'ICC_PROFILE\0', 'color')
  const adobe = segment(0xee, 'Adobe', Buffer.alloc(7))
  const frame = Buffer.from('ffc0000b080002000201011100', 'hex')
  // Coded data with a stuffed 0xff and a restart, in two scans with a comment between them.
  const scans = [Buffer.from('ffda0008010100003f00', 'hex'), Buffer.from('12ff00ffd034', 'hex')]
  const jfif = segment(0xe0, 'JFIF\0', Buffer.from('010100000100010000', 'hex'))

  test.each([true, false])('JPEG (little-endian: %p)', async (little) => {
    const photo = Buffer.concat([
      Buffer.from([0xff, 0xd8]),
      segment(0xe1, 'Exif\0\0', exif(6, little)),
      jfif,
      segment(0xe0, 'JFXX\0', 'thumbnail'),
      segment(0xe1, 'http://ns.adobe.com/xap/1.0/\0<x>Berlin</x>'),
      icc,
      segment(0xe2, 'MPF\0', 'thumbnail'),
      segment(0xed, 'Photoshop 3.0\0Berlin'),
      adobe,
      frame,
      ...scans,
      segment(0xfe, 'taken 2026:11:21 in Berlin'),
      ...scans,
      Buffer.from([0xff, 0xd9]),
      Buffer.from('another image behind the first: thumbnail'),
    ])
    const bytes = await stored(photo, 'image/jpeg')
    expectClean(bytes)
    const orientation = segment(0xe1, 'Exif\0\0', Buffer.from('4d4d002a00000008000101120003000000010006000000000000', 'hex'))
    const parts = [orientation, jfif, icc, adobe, frame, ...scans, ...scans]
    expect(bytes).toEqual(Buffer.concat([Buffer.from([0xff, 0xd8]), ...parts, Buffer.from([0xff, 0xd9])]))
    // An upright photo needs no EXIF, and what is stored is stored again unchanged.
    expect(await stored(bytes, 'image/jpeg')).toEqual(bytes)
    const upright = Buffer.concat([Buffer.from([0xff, 0xd8]), segment(0xe1, 'Exif\0\0', exif(1, little)), photo.subarray(2 + 74)])
    expect((await stored(upright, 'image/jpeg')).includes('Exif')).toBe(false)
  })

  test('PNG', async () => {
    const image = png()
    const at = image.indexOf('IDAT') - 4
    const metadata = [
      chunk('eXIf', exif(3)),
      chunk('tEXt', Buffer.from('Comment\0Berlin')),
      chunk('tIME', Buffer.from('2026:11')),
      chunk('gAMA', Buffer.from([0, 0, 0xb1, 0x8f])),
      chunk('prVt', Buffer.from('thumbnail')),
    ]
    const bytes = await stored(Buffer.concat([image.subarray(0, at), ...metadata, image.subarray(at)]), 'image/png')
    expectClean(bytes)
    const end = image.length - 12
    const orientation = chunk('eXIf', Buffer.from('4d4d002a00000008000101120003000000010003000000000000', 'hex'))
    expect(bytes).toEqual(
      Buffer.concat([
        image.subarray(0, at),
        chunk('gAMA', Buffer.from([0, 0, 0xb1, 0x8f])),
        image.subarray(at, end),
        orientation,
        image.subarray(end),
      ]),
    )
    expect(await stored(bytes, 'image/png')).toEqual(bytes)
  })

  test('WebP', async () => {
    const pixels = webp.subarray(12)
    const header = (flags: number) => riff('VP8X', Buffer.from([flags, 0, 0, 0, 0, 0, 0, 0, 0, 0]))
    const icc = riff('ICCP', Buffer.from('color'))
    const xmp = riff('XMP ', Buffer.from('<x>Berlin</x>'))
    const photo = riffFile(header(0x2c), icc, pixels, riff('EXIF', exif(8)), xmp, riff('teSt', Buffer.from('thumbnail')))
    const bytes = await stored(Buffer.concat([photo, Buffer.from('thumbnail')]), 'image/webp')
    expectClean(bytes)
    const orientation = riff('EXIF', Buffer.from('4d4d002a00000008000101120003000000010008000000000000', 'hex'))
    expect(bytes).toEqual(riffFile(header(0x28), icc, pixels, orientation))
    const prefixed = riffFile(header(0x08), pixels, riff('EXIF', Buffer.concat([Buffer.from('Exif\0\0', 'latin1'), exif(1)])))
    expect(await stored(prefixed, 'image/webp')).toEqual(riffFile(header(0), pixels))
  })

  test('parts that do not fit together are a 422', async () => {
    const cases: [string, Buffer, string][] = [
      ['a segment behind the end', Buffer.concat([jpeg.subarray(0, -2), Buffer.from('ffe1ffff4558', 'hex')]), 'image/jpeg'],
      [
        'a chunk behind the end',
        Buffer.from(
          png()
            .toString('latin1')
            .replace(/[\s\S]{4}IDAT/, '\x7f\0\0\0IDAT'),
          'latin1',
        ),
        'image/png',
      ],
      ['a WebP chunk behind the end', riffFile(webp.subarray(12), Buffer.from('EXIF\xff\xff\0\0', 'latin1')), 'image/webp'],
    ]
    for (const [what, image, type] of cases) expect([what, (await put(image, type)).status]).toEqual([what, 422])
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
