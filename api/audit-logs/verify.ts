import { sql } from '../../core/platform/database.ts'
import { entryColumns } from '../../core/security/audit.ts'
import { type AuditRecord, GENESIS, type Head, sealEntry } from '../../core/security/audit-chain.ts'
import type { Queryable } from '../../sql/index.ts'
import { invalidField } from '../problems.ts'
import { joinEntry } from './audit-logs.ts'
import type { Verification, VerifyQuery } from './schema.ts'

const MAX_ENTRIES = 100_000
/** Entries held in memory. */
const CHUNK = 2_000

type Sealed = Head & { entry_id: string; entry: AuditRecord | null }

async function readChunk(db: Queryable, organization_id: string, after: number, limit: number): Promise<Sealed[]> {
  const rows = await db<(AuditRecord & Head & { entry_id: string })[]>`
    select seal.seq, encode(seal.hash, 'hex') as hash, seal.entry_id, ${entryColumns}
    from audit_log_seals as seal
    ${joinEntry(organization_id, sql`seal.entry_id`)}
    where seal.organization_id = ${organization_id}
      and seal.seq > ${after}
    order by seal.seq
    limit ${limit}
  `
  return rows.map(({ seq, hash, entry_id, ...entry }) => ({ seq, hash, entry_id, entry: entry.id === null ? null : entry }))
}

/** The stored end of the chain, the number of unsealed entries, and the number of all entries, in one snapshot. */
async function readState(db: Queryable, organization_id: string) {
  const [state] = await db<[{ seq: number | null; hash: string | null; unsealed: number; entries: number }]>`
    select
      head.seq, encode(head.hash, 'hex') as hash,
      (
        select count(*)
        from audit_log_unsealed
        where organization_id = ${organization_id}
          -- Only existing entries count: otherwise a row without an entry would hide one that was inserted without a seal.
          and (
            select true
            from audit_log_entries
            where id = audit_log_unsealed.entry_id and organization_id = ${organization_id}
          )
      ) as unsealed,
      (select count(*) from audit_log_entries where organization_id = ${organization_id}) as entries
    from (select 1) as one
    left join (
      select seq, hash
      from audit_log_seals
      where organization_id = ${organization_id}
      order by seq desc
      limit 1
    ) as head on true
  `
  const { seq, hash, unsealed, entries } = state
  return { head: seq !== null && hash !== null ? { seq, hash } : null, unsealed, entries }
}

/** The oldest entry that has no seal and does not wait for one: it was inserted without the trigger. */
async function findUnsealedStray(db: Queryable, organization_id: string): Promise<string | null> {
  const [stray] = await db<{ id: string }[]>`
    select id
    from audit_log_entries as entry
    where organization_id = ${organization_id}
      and not exists (select 1 from audit_log_seals where organization_id = ${organization_id} and entry_id = entry.id)
      and not exists (select 1 from audit_log_unsealed where organization_id = ${organization_id} and entry_id = entry.id)
    order by created_at, id
    limit 1
  `
  return stray?.id ?? null
}

async function findStart(db: Queryable, organization_id: string, after_seq: number) {
  if (after_seq === 0) return { ...GENESIS, entry_id: null }
  const [stored] = await db<(Head & { entry_id: string })[]>`
    select seq, encode(hash, 'hex') as hash, entry_id
    from audit_log_seals
    where organization_id = ${organization_id}
      and seq = ${after_seq}
  `
  return stored
}

/**
 * Verifies the chain: hashes every entry again with the previous hash, and compares the result with its seal. The call that
 * reaches the end of the chain also counts entries, to detect those without a seal.
 *
 * @throws Problem `validation_failed` for an `after_hash` without `after_seq`
 */
export async function verify(db: Queryable, organization_id: string, query: VerifyQuery): Promise<Verification> {
  const { after_seq, after_hash } = query
  if (after_seq === 0 && after_hash) throw invalidField('/after_hash', 'incomplete', 'requires the after_seq that it belongs to')
  const { head, unsealed, entries } = await readState(db, organization_id)
  const sealed = head?.seq ?? 0
  const result = { sealed, unsealed, head, broken_at: null }
  const invalid = (seq: number, entry_id: string | null) => ({ ...result, valid: false, broken_at: { seq, entry_id } })

  const start = await findStart(db, organization_id, after_seq)
  if (!start || (after_hash && after_hash.toLowerCase() !== start.hash)) return invalid(after_seq, start?.entry_id ?? null)
  let last: Head = start
  const end = Math.min(sealed, after_seq + MAX_ENTRIES)
  while (last.seq < end) {
    const chunk = await readChunk(db, organization_id, last.seq, Math.min(CHUNK, end - last.seq))
    if (chunk.length === 0) return invalid(last.seq + 1, null)
    for (const { seq, hash, entry_id, entry } of chunk) {
      if (seq !== last.seq + 1) return invalid(last.seq + 1, null)
      if (!entry) return invalid(seq, entry_id)
      const expected: Head = sealEntry(last, entry)
      if (expected.hash !== hash) return invalid(seq, entry_id)
      last = expected
    }
  }
  if (last.seq < sealed) return { ...result, valid: true, next_seq: last.seq }
  if (entries > sealed + unsealed) return invalid(sealed + 1, await findUnsealedStray(db, organization_id))
  return { ...result, valid: true }
}
