/** The body of an answer as text, whatever it came as: compressed, in another charset, or no text at all. */
import type { Transform } from 'node:stream'
import * as zlib from 'node:zlib'
import { storable } from '../../core/values/plain-text.ts'

/** How many bytes of an answer's body, and of its headers, are stored. */
export const KEPT_BYTES = 16_384
/** How many bytes of it are read: more than are stored, so that a secret that crosses the cut is found whole. */
export const WANTED_BYTES = 2 * KEPT_BYTES

/** Decoders that hand out what they have when their input ends, since it may have been cut here. */
const INFLATED_TO_HERE = { finishFlush: zlib.constants.Z_SYNC_FLUSH }

const DECODERS: Record<string, (bytes: Uint8Array, isCut: boolean) => Transform> = {
  gzip: (_, isCut) => zlib.createGunzip(isCut ? INFLATED_TO_HERE : {}),
  br: (_, isCut) => zlib.createBrotliDecompress(isCut ? { finishFlush: zlib.constants.BROTLI_OPERATION_FLUSH } : {}),
  // Half of the world leaves out the zlib header that RFC 9110, section 8.4.1.2, asks for; its first byte tells.
  deflate: ([first = 0], isCut) =>
    (first & 0x0f) === 8
      ? zlib.createInflate(isCut ? INFLATED_TO_HERE : {})
      : zlib.createInflateRaw(isCut ? INFLATED_TO_HERE : {}),
}

const isKnown = (coding: string): boolean => Object.hasOwn(DECODERS, coding.replace(/^x-/, ''))

/** That a body is not all here, or not as its sender meant it. */
export interface BodyNote {
  code: 'body_too_long' | 'body_undecodable'
  detail: string
}

/** An answer whose body is to be read. */
export interface ReceivedBody {
  headers: Record<string, string>
  body: Uint8Array
  /** There was more, which was left where it was. */
  isCut: boolean
  /** What ended it early; null where nothing did. */
  broken: unknown
}

const TOO_LONG: BodyNote = {
  code: 'body_too_long',
  detail: `The answer is longer than the ${KEPT_BYTES} bytes that are kept of it.`,
}

/**
 * Makes text of a body. It never throws: the status has come, and it decides; the body is only evidence.
 *
 * Only `identity` was asked for. What came compressed all the same is decoded for the record, and only as far as it is
 * wanted, so that a bomb costs what any other body costs.
 */
export async function readBody({ headers, body, isCut, broken }: ReceivedBody): Promise<{ text: string; note: BodyNote | null }> {
  const first = body.subarray(0, WANTED_BYTES)
  const coding = headers['content-encoding']?.trim().toLowerCase() || 'identity'
  const isPlain = coding === 'identity' || first.length === 0
  const decoded = isPlain ? asItCame(first) : await decode(first, coding, isCut || broken !== null)
  const cut = isCut || decoded.isCut
  const text = storable(textOf(decoded.bytes, headers['content-type'] ?? '', cut))
  const isLong = cut || Buffer.byteLength(text) > KEPT_BYTES
  return { text, note: decoded.note ?? (isLong ? TOO_LONG : null) }
}

/** The charset that bytes are in: by their byte order mark, their header, or the zeros of UTF-16 without either. */
function charsetOf(bytes: Uint8Array, content_type: string): string {
  // Not as a pattern: that would iterate.
  const first = bytes[0]
  const second = bytes[1]
  const third = bytes[2]
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8'
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  if (first === 0xfe && second === 0xff) return 'utf-16be'
  if (first === 0 && second) return 'utf-16be'
  if (first && second === 0) return 'utf-16le'
  return /;\s*charset\s*=\s*"?([^\s";]+)/i.exec(content_type)?.[1] ?? 'utf-8'
}

const UTF_8 = new TextDecoder()

/** @param keepsState whether it is to be used for pieces of a text */
function decoderFor(charset: string, keepsState: boolean): TextDecoder {
  if (!keepsState && charset.toLowerCase() === 'utf-8') return UTF_8
  try {
    return new TextDecoder(charset as Bun.Encoding)
  } catch {
    return new TextDecoder()
  }
}

/** Of a text that was cut in the middle of a letter the whole letters are kept. */
const textOf = (bytes: Uint8Array, content_type: string, isCut: boolean): string =>
  decoderFor(charsetOf(bytes, content_type), isCut).decode(bytes, { stream: isCut })

interface Decoded {
  bytes: Uint8Array
  /** There is more. */
  isCut: boolean
  note: BodyNote | null
}

const asItCame = (bytes: Uint8Array): Decoded => ({ bytes, isCut: false, note: null })

async function decode(bytes: Uint8Array, coding: string, isCut: boolean): Promise<Decoded> {
  const decoder = isKnown(coding) ? DECODERS[coding.replace(/^x-/, '')] : undefined
  const decoded = decoder && (await inflated(decoder(bytes, isCut), bytes))
  if (decoded) return { ...decoded, note: decoded.isBroken ? undecodable(coding, 'the rest could not be read') : null }
  return { ...asItCame(bytes), note: undecodable(coding, 'it is kept as it came') }
}

/** An unknown coding is not repeated: it may be anything that the receiver was sent. */
const undecodable = (coding: string, what: string): BodyNote => ({
  code: 'body_undecodable',
  detail: isKnown(coding)
    ? `The answer is not what its Content-Encoding says (${coding}); ${what}.`
    : `The Content-Encoding of the answer cannot be decoded here; ${what}.`,
})

/** @returns null where nothing could be made of the bytes */
function inflated(decoder: Transform, bytes: Uint8Array): Promise<(Omit<Decoded, 'note'> & { isBroken: boolean }) | null> {
  return new Promise((resolve) => {
    const chunks: Uint8Array[] = []
    let length = 0
    const end = (isBroken: boolean) => {
      decoder.destroy()
      resolve({ bytes: Buffer.concat(chunks).subarray(0, WANTED_BYTES), isCut: length > WANTED_BYTES, isBroken })
    }
    decoder.on('data', (chunk: Uint8Array) => {
      chunks.push(chunk)
      length += chunk.length
      if (length > WANTED_BYTES) end(false)
    })
    decoder.on('end', () => end(false))
    decoder.on('error', () => (length > 0 ? end(true) : resolve(null)))
    decoder.end(bytes)
  })
}
