/**
 * The hash chain over an organization's audit log. The worker seals entries with it, the API verifies them, and users who keep a
 * head can verify it themselves.
 *
 * Version 1: SHA-256 of the UTF-8 text `signalbox.audit.1`, followed by netstrings (`<bytes>:<text>,`; `-,` for null) of the
 * previous hash in hex (64 zeros for the first entry), the sequence number, and the fields of the entry in the order below, as
 * in the API. The lengths make the encoding unambiguous.
 *
 * Version 2 seals entries that have a `via`: the same with `signalbox.audit.2`, and `via` as the last field.
 */
import type { Via } from '../tenants/actors.ts'

/** The fields of an entry that are sealed, as in the API. */
export interface AuditRecord {
  id: string
  organization_id: string
  workspace_id: string | null
  workspace_name: string | null
  actor_type: 'human' | 'token' | 'service_account' | 'system'
  actor_id: string | null
  actor_name: string
  action: string
  resource_type: string
  resource_id: string | null
  detail: string
  ip_address: string | null
  created_at: string
  via: Via | null
}

/** The fields that every entry has, in the order in which they are hashed and exported. */
export const ENTRY_FIELDS = [
  'id',
  'organization_id',
  'workspace_id',
  'workspace_name',
  'actor_type',
  'actor_id',
  'actor_name',
  'action',
  'resource_type',
  'resource_id',
  'detail',
  'ip_address',
  'created_at',
] as const satisfies (keyof AuditRecord)[]

/** The end of a chain. */
export interface Head {
  seq: number
  /** In hex. */
  hash: string
}

/** The start of every chain. */
export const GENESIS: Head = { seq: 0, hash: '0'.repeat(64) }

const netstring = (text: string | null): string => (text === null ? '-,' : `${Buffer.byteLength(text)}:${text},`)

/** The head of a chain after one more entry. The entry must have been read from the database. */
export function sealEntry(before: Head, entry: AuditRecord): Head {
  const seq = before.seq + 1
  // Exports of earlier versions do not have it.
  const via = entry.via ?? null
  let text = `signalbox.audit.${via === null ? 1 : 2}${netstring(before.hash)}${netstring(String(seq))}`
  for (const field of ENTRY_FIELDS) text += netstring(entry[field])
  if (via !== null) text += netstring(via)
  return { seq, hash: new Bun.CryptoHasher('sha256').update(text).digest('hex') }
}
