/**
 * The chain over an organization's audit log: what a seal is the hash of. Worker and API compute it by this one
 * definition, and so can anybody who keeps a head.
 *
 * Version 1: SHA-256 over the UTF-8 text `signalbox.audit.1`, then as netstrings (`<bytes>:<text>,`; `-,` for null) the
 * hash before it in hex (64 zeros before the first), its number, and the fields of the entry in the order below, as the
 * API shows them. Lengths keep one field from running into the next.
 */
import { sql } from '../platform/database.ts'

/** An entry as the API shows it, and as it is sealed. */
export interface AuditRecord {
  id: string
  organization_id: string
  workspace_id: string | null
  workspace_name: string | null
  actor_type: 'human' | 'token' | 'system'
  actor_id: string | null
  actor_name: string
  action: string
  resource_type: string
  resource_id: string | null
  detail: string
  ip_address: string | null
  created_at: string
}

/** The columns of `audit_log_entries as entry`. */
export const entryColumns = sql`
  entry.id, entry.organization_id, entry.workspace_id, entry.workspace_name, entry.actor_type, entry.actor_id,
  entry.actor_name, entry.action, entry.resource_type, entry.resource_id, entry.detail, entry.ip_address, entry.created_at
`

const FIELDS = [
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

/** Where every chain begins. */
export const GENESIS: Head = { seq: 0, hash: '0'.repeat(64) }

const netstring = (text: string | null): string => (text === null ? '-,' : `${Buffer.byteLength(text)}:${text},`)

/** The head of a chain after one more entry, which was read back from the database. */
export function sealEntry(before: Head, entry: AuditRecord): Head {
  const seq = before.seq + 1
  let text = `signalbox.audit.1${netstring(before.hash)}${netstring(String(seq))}`
  for (const field of FIELDS) text += netstring(entry[field])
  return { seq, hash: new Bun.CryptoHasher('sha256').update(text).digest('hex') }
}
