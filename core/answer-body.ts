/** The body of an answer, as it is kept: no more of it is read than that, and what came compressed is made readable. */
import type { Transform } from 'node:stream'
import * as zlib from 'node:zlib'

/** How much of an answer's body, and of its headers, is kept. */
export const KEPT_BYTES = 16_384

const INFLATED_TO_HERE = { finishFlush: zlib.constants.Z_SYNC_FLUSH }

/** Decoders that hand out what they have when their input ends too early, since it may have been cut here. */
const DECODERS: Record<string, (bytes: Uint8Array) => Transform> = {
  gzip: () => zlib.createGunzip(INFLATED_TO_HERE),
  br: () => zlib.createBrotliDecompress({ finishFlush: zlib.constants.BROTLI_OPERATION_FLUSH }),
  // Half of the world leaves out the zlib header that RFC 9110, section 8.4.1.2, asks for; its first byte tells.
  deflate: ([first = 0]) =>
    (first & 0x0f) === 8 ? zlib.createInflate(INFLATED_TO_HERE) : zlib.createInflateRaw(INFLATED_TO_HERE),
}

/** That a body is not all here, or not as its sender meant it. */
export interface BodyNote {
  code: 'body_too_long' | 'body_undecodable'
  detail: string
}

/** What was kept of a body, and what was wrong with it. */
export interface AnswerBody {
  text: string
  /** What ended the reading of it, if anything did. */
  broken: unknown
  note: BodyNote | null
}

/**
 * Reads a body as far as it is kept. It never throws: the status has come, and it decides; the body is only evidence.
 *
 * Nothing was asked for but `identity`. What came compressed all the same is decoded for the record: only what was
 * kept of it, and only as far as it would be kept, so that a bomb costs what any other body costs.
 */
export async function readBody(response: Response): Promise<AnswerBody> {
  const { bytes, broken, isCut } = await readFirst(response)
  const decoded = await decode(bytes, response.headers.get('content-encoding')?.trim().toLowerCase() || 'identity')
  const cut = isCut || decoded.isCut
  return {
    // Of a text that was cut in the middle of a letter the whole letters are kept.
    text: new TextDecoder().decode(decoded.bytes, { stream: cut }),
    broken,
    note: decoded.note ?? (cut ? TOO_LONG : null),
  }
}

const TOO_LONG: BodyNote = {
  code: 'body_too_long',
  detail: `The answer is longer than the ${KEPT_BYTES} bytes that are kept of it.`,
}

interface Read {
  bytes: Uint8Array
  /** There was more. */
  isCut: boolean
}

const firstOf = (chunks: Uint8Array[], isCut: boolean): Read => ({ bytes: Buffer.concat(chunks).subarray(0, KEPT_BYTES), isCut })

async function readFirst(response: Response): Promise<Read & { broken: unknown }> {
  const chunks: Uint8Array[] = []
  let length = 0
  let broken: unknown = null
  const reader = response.body?.getReader()
  try {
    while (reader && length <= KEPT_BYTES) {
      const { done, value } = await reader.read()
      if (done) break
      chunks.push(value)
      length += value.length
    }
  } catch (error) {
    broken = error
  }
  // What is left is not drained: its sender could go on for ever.
  reader?.cancel().catch(() => {})
  return { ...firstOf(chunks, length > KEPT_BYTES), broken }
}

async function decode(bytes: Uint8Array, coding: string): Promise<Read & { note: BodyNote | null }> {
  const asItCame = { bytes, isCut: false, note: null }
  if (coding === 'identity' || bytes.length === 0) return asItCame
  const decoder = DECODERS[coding.replace(/^x-/, '')]
  const decoded = decoder && (await inflated(decoder(bytes), bytes))
  if (decoded) return { ...decoded, note: null }
  const detail = `The answer is not what its Content-Encoding says (${coding.slice(0, 40)}); it is kept as it came.`
  return { ...asItCame, note: { code: 'body_undecodable', detail } }
}

/** @returns null where nothing could be made of the bytes */
function inflated(decoder: Transform, bytes: Uint8Array): Promise<Read | null> {
  return new Promise((resolve) => {
    const chunks: Uint8Array[] = []
    let length = 0
    decoder.on('data', (chunk: Uint8Array) => {
      chunks.push(chunk)
      length += chunk.length
      if (length > KEPT_BYTES) end()
    })
    decoder.on('end', end)
    decoder.on('error', () => (length > 0 ? end() : resolve(null)))
    function end(): void {
      decoder.destroy()
      resolve(firstOf(chunks, length > KEPT_BYTES))
    }
    decoder.end(bytes)
  })
}
