/** UUIDs as text, in either case, and those that are derived from others. */

/** For JSON Schema, which has no flags. */
export const UUID_PATTERN = '^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$'

const UUID = new RegExp(UUID_PATTERN)

export const isUuid = (value: unknown): value is string => typeof value === 'string' && UUID.test(value)

/** Sorts before every other id. */
export const FIRST_ID = '00000000-0000-0000-0000-000000000000'

const bytesOf = (uuid: string): Buffer => Buffer.from(uuid.replaceAll('-', ''), 'hex')

/**
 * The id of a dispatch or message, so that the primary key prevents duplicates: the timestamp and version of the event's id (a UUIDv7), so that both have the same time, and a
 * hash of event and receiver in place of the random bits (RFC 9562, section 5.7).
 */
export const derivedId = (event_id: string, receiver_id: string): string =>
  withHash(
    bytesOf(event_id).subarray(0, 8),
    new Bun.CryptoHasher('sha256').update(bytesOf(event_id)).update(bytesOf(receiver_id)),
  )

/** The id of what has a time and a name, but no id here. @param at milliseconds since 1970 */
export function derivedIdAt(at: number, name: string): string {
  const time = Buffer.alloc(8)
  time.writeUIntBE(at, 0, 6)
  const hash = new Bun.CryptoHasher('sha256').update(name)
  // Version 7 (RFC 9562, section 5.7).
  time.writeUInt16BE(0x7000, 6)
  return withHash(time, hash)
}

function withHash(time: Uint8Array, hasher: Bun.CryptoHasher): string {
  const hash = hasher.digest()
  hash[0] = ((hash[0] ?? 0) & 0x3f) | 0x80
  const id = Buffer.concat([time, hash.subarray(0, 8)]).toString('hex')
  return `${id.slice(0, 8)}-${id.slice(8, 12)}-${id.slice(12, 16)}-${id.slice(16, 20)}-${id.slice(20)}`
}
