/** Reads type and size from the headers of an image, without decoding it. */

/** Pixels. Limits the memory that decoding takes. */
const MAX_SIDE = 4096

interface Size {
  width: number
  height: number
}

/** Reads the size from the header of an image; null if it is not of the reader's type. */
type Reader = (image: DataView) => Size | null

const text = (image: DataView, at: number, length: number): string =>
  Buffer.from(image.buffer, image.byteOffset, image.byteLength).toString('latin1', at, at + length)

/** Checks the signature, the first chunk (IHDR) and the last chunk (IEND). */
const png: Reader = (image) => {
  if (image.byteLength < 45 || text(image, 0, 8) !== '\x89PNG\r\n\x1a\n') return null
  if (image.getUint32(8) !== 13 || text(image, 12, 4) !== 'IHDR' || text(image, image.byteLength - 8, 4) !== 'IEND') return null
  return { width: image.getUint32(16), height: image.getUint32(20) }
}

/** Skips segments up to the frame header, which contains the size. */
const jpeg: Reader = (image) => {
  if (text(image, 0, 2) !== '\xff\xd8') return null
  let at = 2
  while (at + 9 <= image.byteLength && image.getUint8(at) === 0xff) {
    const marker = image.getUint8(at + 1)
    if (marker === 0xff) at += 1
    else if (marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)) {
      return { height: image.getUint16(at + 5), width: image.getUint16(at + 7) }
    } else at += 2 + image.getUint16(at + 2)
  }
  return null
}

const uint24 = (image: DataView, at: number): number => image.getUint16(at, true) + image.getUint8(at + 2) * 65_536

/** A RIFF container whose first chunk is one of three. */
const webp: Reader = (image) => {
  if (image.byteLength < 30 || text(image, 0, 4) !== 'RIFF' || text(image, 8, 4) !== 'WEBP') return null
  if (image.getUint32(4, true) + 8 > image.byteLength) return null
  switch (text(image, 12, 4)) {
    case 'VP8X':
      return { width: uint24(image, 24) + 1, height: uint24(image, 27) + 1 }
    case 'VP8L': {
      const bits = image.getUint32(21, true)
      return image.getUint8(20) === 0x2f ? { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 } : null
    }
    case 'VP8 ':
      return uint24(image, 23) === 0x2a019d
        ? { width: image.getUint16(26, true) & 0x3fff, height: image.getUint16(28, true) & 0x3fff }
        : null
    default:
      return null
  }
}

const READERS = { 'image/png': png, 'image/jpeg': jpeg, 'image/webp': webp } as const

export type ImageType = keyof typeof READERS

export const IMAGE_TYPES = Object.keys(READERS) as ImageType[]

/**
 * Validates an image.
 *
 * @returns the end of a sentence that starts with "The body"; null if the image is valid
 */
export function imageError(bytes: Uint8Array, type: ImageType): string | null {
  const size = READERS[type](new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength))
  if (!size) return `is not a complete ${type} file`
  const { width, height } = size
  if (width < 1 || height < 1 || width > MAX_SIDE || height > MAX_SIDE) {
    return `is ${width} × ${height} pixels; each side must be 1 to ${MAX_SIDE} pixels`
  }
  return null
}
