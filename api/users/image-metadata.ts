/**
 * Removes metadata from images without decoding them: the place and time of a photo, its camera, texts, thumbnails, and whatever follows
 * the image. Only parts that are known to affect what is shown are kept. The orientation is written anew.
 */
import { crc32 } from 'node:zlib'
import { orientationIn, tiffWith } from './exif.ts'
import type { ImageType } from './images.ts'

/** Images have a few hundred segments or chunks at most. More would only cost time. */
const MAX_PARTS = 5_000

/** Returns an image without metadata; null if its parts do not fit together. */
type Cleaner = (image: Buffer) => Buffer | null

const viewOf = (bytes: Buffer): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)

/** Collects ranges of an image that are kept. Adjacent ones are copied at once: an image may consist of many small parts. */
class Kept {
  readonly #parts: Buffer[] = []
  #start = 0
  #end = 0

  constructor(readonly image: Buffer) {}

  keep(start: number, end: number): void {
    if (start !== this.#end) {
      this.#flush()
      this.#start = start
    }
    this.#end = end
  }

  insert(part: Buffer | null): void {
    if (!part) return
    this.#flush()
    this.#start = this.#end
    this.#parts.push(part)
  }

  #flush(): void {
    if (this.#end > this.#start) this.#parts.push(this.image.subarray(this.#start, this.#end))
  }

  result(): Buffer {
    this.#flush()
    this.#start = this.#end
    return Buffer.concat(this.#parts)
  }
}

const EXIF = 'Exif\0\0'
const JFIF = 'JFIF\0'
const ICC = 'ICC_PROFILE\0'

/** Markers of JPEG: how colors are encoded, and text. */
const [ADOBE, COMMENT] = [0xee, 0xfe]

/** Of the application segments of a JPEG, keeps JFIF, color profiles and how colors are encoded. */
const jpeg: Cleaner = (image) => {
  const body = new Kept(image)
  let orientation = 1
  let at = 2
  let parts = 0
  while (at + 2 <= image.length) {
    parts += 1
    if (image[at] !== 0xff || parts > MAX_PARTS) return null
    const marker = image[at + 1] as number
    if (marker === 0xff) {
      at += 1
      continue
    }
    if (marker === 0xd9) break
    if (at + 4 > image.length) return null
    const length = image.readUInt16BE(at + 2)
    const end = at + 2 + length
    if (length < 2 || end > image.length) return null
    const starts = (text: string): boolean => image.toString('latin1', at + 4, Math.min(end, at + 4 + text.length)) === text
    if (marker === 0xe1 && starts(EXIF)) orientation = orientationIn(viewOf(image.subarray(at + 4 + EXIF.length, end)))
    const isApplication = marker >= 0xe0 && marker <= 0xef
    const isNeeded = (marker === 0xe0 && starts(JFIF)) || (marker === 0xe2 && starts(ICC)) || marker === ADOBE
    const isMetadata = marker === COMMENT || (isApplication && !isNeeded)
    if (!isMetadata) body.keep(at, end)
    at = end
    if (marker !== 0xda) continue
    // The coded image, up to the next marker that is neither a stuffed 0xff nor a restart.
    at = nextMarker(image, at)
    body.keep(end, at)
  }
  const tiff = tiffWith(orientation)
  const exif =
    tiff && Buffer.concat([Buffer.from([0xff, 0xe1, 0, 2 + EXIF.length + tiff.length]), Buffer.from(EXIF, 'latin1'), tiff])
  return Buffer.concat([Buffer.from([0xff, 0xd8]), ...(exif ? [exif] : []), body.result(), Buffer.from([0xff, 0xd9])])
}

function nextMarker(image: Buffer, start: number): number {
  const { length } = image
  for (let at = start; at < length; at += 1) {
    if (image[at] !== 0xff) continue
    const next = image[at + 1] ?? 0
    if (next !== 0 && next !== 0xff && (next < 0xd0 || next > 0xd7)) return at
  }
  return length
}

/** Optional chunks of PNG that affect colors, transparency or animation. */
const PNG_CHUNKS = new Set([
  'tRNS',
  'gAMA',
  'cHRM',
  'sRGB',
  'iCCP',
  'cICP',
  'mDCV',
  'cLLI',
  'sBIT',
  'bKGD',
  'acTL',
  'fcTL',
  'fdAT',
])

function pngChunk(type: string, data: Buffer): Buffer {
  const chunk = Buffer.alloc(12 + data.length)
  chunk.writeUInt32BE(data.length)
  chunk.write(type, 4, 'latin1')
  data.copy(chunk, 8)
  chunk.writeUInt32BE(crc32(chunk.subarray(4, 8 + data.length)), 8 + data.length)
  return chunk
}

const png: Cleaner = (image) => {
  const kept = new Kept(image)
  kept.keep(0, 8)
  let orientation = 1
  let imageAt = 0
  let parts = 0
  let at = 8
  while (at + 12 <= image.length) {
    const end = at + 12 + image.readUInt32BE(at)
    parts += 1
    if (end > image.length || parts > MAX_PARTS) return null
    const type = image.toString('latin1', at + 4, at + 8)
    // A lower-case letter says that the chunk is optional.
    const isCritical = ((image[at + 4] as number) & 0x20) === 0
    if (type === 'eXIf') orientation = orientationIn(viewOf(image.subarray(at + 8, end - 4)))
    if (type === 'IEND') {
      // After the image, where EXIF may stand as well.
      const tiff = imageAt > 0 ? tiffWith(orientation) : null
      kept.insert(tiff && pngChunk('eXIf', tiff))
      kept.keep(at, end)
      return kept.result()
    }
    if (type === 'IDAT') imageAt = at
    if (isCritical || PNG_CHUNKS.has(type)) kept.keep(at, end)
    at = end
  }
  return null
}

/** Chunks of WebP that are images, their transparency, their animation and their colors. */
const WEBP_CHUNKS = new Set(['VP8X', 'VP8 ', 'VP8L', 'ALPH', 'ANIM', 'ANMF', 'ICCP'])

/** Flags of VP8X that announce metadata. */
const [HAS_EXIF, HAS_XMP] = [0x08, 0x04]

function webpChunk(type: string, data: Buffer): Buffer {
  const chunk = Buffer.alloc(8 + data.length + (data.length % 2))
  chunk.write(type, 'latin1')
  chunk.writeUInt32LE(data.length, 4)
  data.copy(chunk, 8)
  return chunk
}

const webp: Cleaner = (image) => {
  const end = Math.min(image.length, image.readUInt32LE(4) + 8)
  const kept = new Kept(image)
  let orientation = 1
  let parts = 0
  let at = 12
  while (at + 8 <= end) {
    const type = image.toString('latin1', at, at + 4)
    const length = image.readUInt32LE(at + 4)
    parts += 1
    if (at + 8 + length > end || parts > MAX_PARTS) return null
    // Chunks have an even length; the padding of the last one may be missing.
    const next = Math.min(end, at + 8 + length + (length % 2))
    if (type === 'EXIF') {
      const data = image.subarray(at + 8, at + 8 + length)
      orientation = orientationIn(viewOf(data.toString('latin1', 0, EXIF.length) === EXIF ? data.subarray(EXIF.length) : data))
    }
    if (WEBP_CHUNKS.has(type)) kept.keep(at, next)
    at = next
  }
  const body = kept.result()
  const isExtended = body.toString('latin1', 0, 4) === 'VP8X'
  // Only the extended format can have an orientation.
  const tiff = isExtended ? tiffWith(orientation) : null
  if (isExtended) body[8] = ((body[8] as number) & ~(HAS_EXIF | HAS_XMP)) | (tiff ? HAS_EXIF : 0)
  const chunks = Buffer.concat([body, ...(tiff ? [webpChunk('EXIF', tiff)] : [])])
  const head = Buffer.from('RIFF\0\0\0\0WEBP', 'latin1')
  head.writeUInt32LE(4 + chunks.length, 4)
  return Buffer.concat([head, chunks])
}

const CLEANERS: Record<ImageType, Cleaner> = { 'image/png': png, 'image/jpeg': jpeg, 'image/webp': webp }

/** Removes the metadata of an image; null if the file is damaged. */
export const withoutMetadata = (bytes: Uint8Array, type: ImageType): Buffer | null =>
  CLEANERS[type](Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength))
