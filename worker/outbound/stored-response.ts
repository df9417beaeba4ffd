/** An answer as it is stored: without secrets, and cut. */

import { storable } from '../../core/values/plain-text.ts'
import { type Mask, maskedBeginning } from './masking.ts'
import type { OutboundResult } from './outbound.ts'
import { KEPT_BYTES, WANTED_BYTES } from './response-body.ts'

/** The beginning of a text, of so many bytes at most; no character is torn. */
function firstBytes(text: string, most: number): string {
  if (Buffer.byteLength(text) <= most) return text
  return new TextDecoder().decode(Buffer.from(text).subarray(0, most), { stream: true })
}

function storedHeaders(headers: Record<string, string>, mask: Mask): Record<string, string> {
  const kept: [string, string][] = []
  let length = 0
  // As of a body, more is read than is stored, and no more than that: masking takes its time.
  let left = WANTED_BYTES
  for (const [name, value] of Object.entries(headers)) {
    left -= name.length
    if (left < 0) break
    const shown = storable(maskedBeginning(mask, value, left))
    const shownName = mask(name)
    left = Math.max(0, left - value.length)
    length += shownName.length + Buffer.byteLength(shown)
    if (length > KEPT_BYTES) break
    kept.push([shownName, shown])
  }
  return Object.fromEntries(kept)
}

/** Masks first and cuts then, as a secret that is cut is no longer found. What the answer means is judged before that. */
export function storedAnswer(result: OutboundResult, mask: Mask): OutboundResult {
  const { headers, body, error } = result
  // Text that ends too early, whatever for, may end in the middle of a secret.
  const isPartial = error !== null
  return {
    ...result,
    headers: headers && storedHeaders(headers, mask),
    body: body === null ? null : firstBytes(mask(body, isPartial), KEPT_BYTES),
  }
}
