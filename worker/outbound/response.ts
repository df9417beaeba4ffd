/** What is read of a response, whose body may be compressed, in another charset, or binary; and what is stored of it. */
import type { Transform } from 'node:stream'
import * as zlib from 'node:zlib'
import type { BodyNote } from '../../core/outbound/errors.ts'
import { type Mask, maskedBeginning } from '../../core/security/masking.ts'
import { storable } from '../../core/values/plain-text.ts'

/** How many bytes of a response's body, and of its headers, are stored. */
const STORED_BYTES = 16_384
/** How many bytes are read: more than are stored, so that a secret at the cut is found as a whole. */
export const READ_BYTES = 2 * STORED_BYTES

/** Makes a decoder return what it has at the end of its input, which may be cut. */
const ALLOW_CUT = { finishFlush: zlib.constants.Z_SYNC_FLUSH }

const DECODERS: Record<string, (bytes: Uint8Array, isCut: boolean) => Transform> = {
  gzip: (_, isCut) => zlib.createGunzip(isCut ? ALLOW_CUT : {}),
  br: (_, isCut) => zlib.createBrotliDecompress(isCut ? { finishFlush: zlib.constants.BROTLI_OPERATION_FLUSH } : {}),
  // Many servers omit the zlib header that RFC 9110, section 8.4.1.2, requires. The first byte shows whether it is there.
  deflate: ([first = 0], isCut) =>
    (first & 0x0f) === 8 ? zlib.createInflate(isCut ? ALLOW_CUT : {}) : zlib.createInflateRaw(isCut ? ALLOW_CUT : {}),
}

const isKnown = (coding: string): boolean => Object.hasOwn(DECODERS, coding.replace(/^x-/, ''))

interface ReceivedBody {
  headers: Record<string, string>
  body: Uint8Array
  /** Whether it was longer than what was read. */
  isCut: boolean
  /** The error that ended it early; null if it is complete or cut. */
  bodyError: unknown
}

const TOO_LONG: BodyNote = {
  code: 'body_too_long',
  detail: `The response is longer than ${STORED_BYTES} bytes. Only the first ${STORED_BYTES} bytes are stored.`,
}

/**
 * Decodes a body to text. Never throws: the status decides about success; the body is only recorded.
 *
 * The request accepts only `identity`. If the body is compressed nevertheless, it is decoded only up to the length that is read,
 * so that a compression bomb costs no more than another body.
 */
export async function readBody(received: ReceivedBody): Promise<{ text: string; note: BodyNote | null }> {
  const { headers, body, isCut, bodyError } = received
  const first = body.subarray(0, READ_BYTES)
  const coding = headers['content-encoding']?.trim().toLowerCase() || 'identity'
  const isPlain = coding === 'identity' || first.length === 0
  const decoded = isPlain ? unchanged(first) : await decode(first, coding, isCut || bodyError !== null)
  const cut = isCut || decoded.isCut
  const text = storable(textOf(decoded.bytes, headers['content-type'] ?? '', cut))
  const isLong = cut || Buffer.byteLength(text) > STORED_BYTES
  return { text, note: decoded.note ?? (isLong ? TOO_LONG : null) }
}

/** Determines the charset by the byte order mark, the zero bytes of UTF-16, or the content type. */
function charsetOf(bytes: Uint8Array, content_type: string): string {
  // Not destructured: that would use the iterator.
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

/** @param keepsState whether it decodes with `stream: true`, which a shared decoder must not */
function decoderFor(charset: string, keepsState: boolean): TextDecoder {
  if (!keepsState && charset.toLowerCase() === 'utf-8') return UTF_8
  try {
    return new TextDecoder(charset as Bun.Encoding)
  } catch {
    return new TextDecoder()
  }
}

/** Decodes bytes; a character that is cut off at the end is dropped. */
const textOf = (bytes: Uint8Array, content_type: string, isCut: boolean): string =>
  decoderFor(charsetOf(bytes, content_type), isCut).decode(bytes, { stream: isCut })

type Decoded = { bytes: Uint8Array; isCut: boolean; note: BodyNote | null }

const unchanged = (bytes: Uint8Array): Decoded => ({ bytes, isCut: false, note: null })

async function decode(bytes: Uint8Array, coding: string, isCut: boolean): Promise<Decoded> {
  const decoder = isKnown(coding) ? DECODERS[coding.replace(/^x-/, '')] : undefined
  const decoded = decoder && (await inflated(decoder(bytes, isCut), bytes))
  if (decoded) return { ...decoded, note: decoded.isBroken ? undecodable(coding, 'the rest could not be read') : null }
  return { ...unchanged(bytes), note: undecodable(coding, 'it is stored as received') }
}

/** An unknown coding is not repeated: it might be a secret that the receiver was sent. */
const undecodable = (coding: string, what: string): BodyNote => ({
  code: 'body_undecodable',
  detail: isKnown(coding)
    ? `The body of the response does not match its Content-Encoding (${coding}); ${what}.`
    : `The Content-Encoding of the response is not supported; ${what}.`,
})

/** @returns null if nothing could be decoded */
function inflated(decoder: Transform, bytes: Uint8Array): Promise<(Omit<Decoded, 'note'> & { isBroken: boolean }) | null> {
  return new Promise((resolve) => {
    const chunks: Uint8Array[] = []
    let length = 0
    const end = (isBroken: boolean) => {
      decoder.destroy()
      resolve({ bytes: Buffer.concat(chunks).subarray(0, READ_BYTES), isCut: length > READ_BYTES, isBroken })
    }
    decoder.on('data', (chunk: Uint8Array) => {
      chunks.push(chunk)
      length += chunk.length
      if (length > READ_BYTES) end(false)
    })
    decoder.on('end', () => end(false))
    decoder.on('error', () => (length > 0 ? end(true) : resolve(null)))
    decoder.end(bytes)
  })
}

/** The beginning of a text, at most `limit` bytes of UTF-8, cut between characters. */
function firstBytes(text: string, limit: number): string {
  if (Buffer.byteLength(text) <= limit) return text
  return new TextDecoder().decode(Buffer.from(text).subarray(0, limit), { stream: true })
}

function storedHeaders(headers: Record<string, string>, mask: Mask): Record<string, string> {
  const stored: [string, string][] = []
  let length = 0
  // Limited as for a body, because masking is slow.
  let left = READ_BYTES
  for (const [name, value] of Object.entries(headers)) {
    left -= name.length
    if (left < 0) break
    const maskedValue = storable(maskedBeginning(mask, value, left))
    const maskedName = mask(name)
    left = Math.max(0, left - value.length)
    length += maskedName.length + Buffer.byteLength(maskedValue)
    if (length > STORED_BYTES) break
    stored.push([maskedName, maskedValue])
  }
  return Object.fromEntries(stored)
}

interface Storable {
  headers: Record<string, string> | null
  body: string | null
  error: unknown
}

/** Masks first and cuts afterwards: a part of a secret would not be recognized. Classify the response before this. */
export function toStoredResponse<Response extends Storable>(result: Response, mask: Mask): Response {
  const { headers, body, error } = result
  // An incomplete body may end in the middle of a secret.
  const isPartial = error !== null
  return {
    ...result,
    headers: headers && storedHeaders(headers, mask),
    body: body === null ? null : firstBytes(mask(body, isPartial), STORED_BYTES),
  }
}
