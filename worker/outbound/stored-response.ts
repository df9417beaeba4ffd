/** A response as it is stored: with secrets masked, and cut. */

import { type Mask, maskedBeginning } from '../../core/security/masking.ts'
import { storable } from '../../core/values/plain-text.ts'
import type { OutboundResult } from './outbound.ts'
import { READ_BYTES, STORED_BYTES } from './response-body.ts'

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

/** Masks first and cuts afterwards: a part of a secret would not be recognized. Classify the response before this. */
export function toStoredResponse(result: OutboundResult, mask: Mask): OutboundResult {
  const { headers, body, error } = result
  // An incomplete body may end in the middle of a secret.
  const isPartial = error !== null
  return {
    ...result,
    headers: headers && storedHeaders(headers, mask),
    body: body === null ? null : firstBytes(mask(body, isPartial), STORED_BYTES),
  }
}
