import { type AuditRecord, entryColumns, GENESIS, type Head, sealEntry } from '../../core/security/audit-chain.ts'
import type { Queryable } from '../../sql/index.ts'
import { invalidField } from '../problems.ts'
import type { Verification, VerifyQuery } from './schema.ts'

/** What one call checks at the most. */
const MAX_ENTRIES = 100_000
/** What is held in memory at once. */
const CHUNK = 2_000

type Sealed = Head & { entry_id: string; entry: AuditRecord | null }

async function readChunk(db: Queryable, organization_id: string, after: number, limit: number): Promise<Sealed[]> {
  const rows = await db<(AuditRecord & Head & { entry_id: string })[]>`
    select seal.seq, encode(seal.hash, 'hex') as hash, seal.entry_id, ${entryColumns}
    from audit_log_seals as seal
    -- Under a limit, each is looked up by its key.
    left join lateral (
      select ${entryColumns}
      from audit_log_entries as entry
      where entry.id = seal.entry_id
        and entry.organization_id = seal.organization_id
      limit 1
    ) as entry on true
    where seal.organization_id = ${organization_id}
      and seal.seq > ${after}
    order by seal.seq
    limit ${limit}
  `
  return rows.map(({ seq, hash, entry_id, ...entry }) => ({ seq, hash, entry_id, entry: entry.id === null ? null : entry }))
}

/** The end of the chain as it is stored, what is not in it yet, and how many entries there are: all of one moment. */
async function readState(db: Queryable, organization_id: string) {
  const [state] = await db<[{ seq: number | null; hash: string | null; unsealed: number; entries: number }]>`
    select
      head.seq, encode(head.hash, 'hex') as hash,
      (
        select count(*)
        from audit_log_unsealed
        where organization_id = ${organization_id}
          -- Only an entry that is there can wait for its seal: a number alone would make room for one that does not.
          and (
            select true
            from audit_log_entries
            where id = audit_log_unsealed.entry_id
              and organization_id = audit_log_unsealed.organization_id
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

/** The oldest entry that neither has a seal nor waits for one: it was added without the trigger. */
async function strayEntry(db: Queryable, organization_id: string): Promise<string | null> {
  const [stray] = await db<{ id: string }[]>`
    select id
    from audit_log_entries as entry
    where organization_id = ${organization_id}
      and not exists (select from audit_log_seals where organization_id = ${organization_id} and entry_id = entry.id)
      and not exists (select from audit_log_unsealed where organization_id = ${organization_id} and entry_id = entry.id)
    order by created_at, id
    limit 1
  `
  return stray?.id ?? null
}

/** The head to begin behind, as it is stored. */
async function beginning(db: Queryable, organization_id: string, after_seq: number) {
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
 * Walks the chain: every entry is hashed again with the hash before it, and compared with its seal. The call that reaches
 * the end of the chain also counts: an entry that was added past it is in no seal.
 *
 * @throws Problem `validation_failed` for an `after_hash` without a number
 */
export async function verify(db: Queryable, organization_id: string, query: VerifyQuery): Promise<Verification> {
  const { after_seq, after_hash } = query
  if (after_seq === 0 && after_hash) throw invalidField('/after_hash', 'incomplete', 'needs the after_seq that it belongs to')
  const { head, unsealed, entries } = await readState(db, organization_id)
  const sealed = head?.seq ?? 0
  const answer = { sealed, unsealed, head, broken_at: null }
  const broken = (seq: number, entry_id: string | null) => ({ ...answer, valid: false, broken_at: { seq, entry_id } })

  const begun = await beginning(db, organization_id, after_seq)
  if (!begun || (after_hash && after_hash.toLowerCase() !== begun.hash)) return broken(after_seq, begun?.entry_id ?? null)
  let last: Head = begun
  const end = Math.min(sealed, after_seq + MAX_ENTRIES)
  while (last.seq < end) {
    const chunk = await readChunk(db, organization_id, last.seq, Math.min(CHUNK, end - last.seq))
    if (chunk.length === 0) return broken(last.seq + 1, null)
    for (const { seq, hash, entry_id, entry } of chunk) {
      if (seq !== last.seq + 1) return broken(last.seq + 1, null)
      if (!entry) return broken(seq, entry_id)
      const expected: Head = sealEntry(last, entry)
      if (expected.hash !== hash) return broken(seq, entry_id)
      last = expected
    }
  }
  if (last.seq < sealed) return { ...answer, valid: true, next_seq: last.seq }
  if (entries > sealed + unsealed) return broken(sealed + 1, await strayEntry(db, organization_id))
  return { ...answer, valid: true }
}
