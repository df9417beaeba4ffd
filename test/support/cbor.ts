/** Writes the parts of CBOR (RFC 8949) that passkeys use. */

function head(major: number, value: number): number[] {
  if (value < 24) return [(major << 5) | value]
  return value < 256 ? [(major << 5) | 24, value] : [(major << 5) | 25, value >> 8, value & 0xff]
}

/** @param value numbers below 65,536, texts, bytes, lists and maps of them */
export function encodeCbor(value: unknown): Uint8Array {
  if (typeof value === 'number') return Uint8Array.from(value < 0 ? head(1, -1 - value) : head(0, value))
  if (value instanceof Uint8Array) return Buffer.concat([Uint8Array.from(head(2, value.length)), value])
  if (typeof value === 'string') {
    const bytes = Buffer.from(value)
    return Buffer.concat([Uint8Array.from(head(3, bytes.length)), bytes])
  }
  if (Array.isArray(value)) return Buffer.concat([Uint8Array.from(head(4, value.length)), ...value.map(encodeCbor)])
  if (value instanceof Map) {
    return Buffer.concat([Uint8Array.from(head(5, value.size)), ...[...value].flat().map(encodeCbor)])
  }
  throw new Error(`There is no CBOR for ${value}`)
}
