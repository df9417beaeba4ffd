/** Seals what was written to the audit logs, soon after it was: each organization's entries into a chain of its own. */
import { type AuditEntry, entryColumns, GENESIS, type Head, sealEntry } from '../../core/audit-chain.ts'
import { sql } from '../../core/database.ts'
import type { Tx } from '../../sql/index.ts'
import { periodically } from '../periodically.ts'
import { isStopping } from '../process.ts'

const LOOK_MS = 1_000
const BATCH = 2_000
/** Organizations that share one batch. */
const TENANTS = 100

/**
 * The next organizations after one, in turns, for which something waits; each locked until the commit, so that one
 * process at a time adds to its chain. Those that another seals just now are left to it.
 */
async function lockTenants(tx: Tx, after: string): Promise<{ last: string | null; locked: string[] }> {
  const tenants = await tx<{ organization_id: string; is_locked: boolean }[]>`
    with recursive waiting as (
      (
        select organization_id, 1 as place
        from audit_log_unsealed
        where organization_id > ${after}
        order by organization_id
        limit 1
      )
      union all
      select next.organization_id, waiting.place + 1
      from waiting
      cross join lateral (
        select organization_id
        from audit_log_unsealed
        where organization_id > waiting.organization_id
        order by organization_id
        limit 1
      ) as next
      where waiting.place < ${TENANTS}
    )
    select
      organization_id,
      pg_try_advisory_xact_lock(hashtextextended('signalbox.seal ' || organization_id, 0)) as is_locked
    from waiting
  `
  return {
    last: tenants.length === TENANTS ? (tenants.at(-1)?.organization_id ?? null) : null,
    locked: tenants.flatMap(({ organization_id, is_locked }) => (is_locked ? organization_id : [])),
  }
}

/** The ends of the chains, and what comes next in each: as the locks were there before, nobody else adds to them. */
function readBatch(tx: Tx, tenants: string[]) {
  const share = Math.ceil(BATCH / tenants.length)
  return Promise.all([
    tx<(Head & { organization_id: string })[]>`
      select tenant.organization_id, head.seq, encode(head.hash, 'hex') as hash
      from unnest(${tenants}::uuid[]) as tenant (organization_id)
      cross join lateral (
        select seq, hash
        from audit_log_seals
        where organization_id = tenant.organization_id
        order by seq desc
        limit 1
      ) as head
    `,
    tx<AuditEntry[]>`
      select ${entryColumns}
      from unnest(${tenants}::uuid[]) as tenant (organization_id)
      cross join lateral (
        select entry_id
        from audit_log_unsealed
        where organization_id = tenant.organization_id
        order by entry_id
        limit ${share}
      ) as waiting
      join audit_log_entries as entry on entry.id = waiting.entry_id
      order by entry.organization_id, entry.id
    `,
  ])
}

interface Seal extends Head {
  organization_id: string
  entry_id: string
}

async function writeSeals(tx: Tx, seals: Seal[]): Promise<void> {
  const organizations = seals.map(({ organization_id }) => organization_id)
  const entries = seals.map(({ entry_id }) => entry_id)
  await Promise.all([
    tx`
      insert into audit_log_seals (organization_id, seq, entry_id, hash)
      select organization_id, seq, entry_id, decode(hash, 'hex')
      from unnest(
        ${organizations}::uuid[], ${seals.map(({ seq }) => seq)}::bigint[], ${entries}::uuid[],
        ${seals.map(({ hash }) => hash)}::text[]
      ) as seal (organization_id, seq, entry_id, hash)
    `,
    tx`
      insert into audit_log_counts as counts (organization_id, action, actor_id, day, entries)
      select organization_id, action collate "C", actor_id, (created_at at time zone 'UTC')::date, count(*)
      from audit_log_entries
      where id = any(${entries}::uuid[])
      group by 1, 2, 3, 4
      on conflict (organization_id, action, actor_id, day) do update
        set entries = counts.entries + excluded.entries
    `,
    tx`
      delete from audit_log_unsealed
      using unnest(${organizations}::uuid[], ${entries}::uuid[]) as sealed (organization_id, entry_id)
      where audit_log_unsealed.organization_id = sealed.organization_id
        and audit_log_unsealed.entry_id = sealed.entry_id
    `,
  ])
}

/** @returns how many were sealed, and the organization to go on behind; null after the last */
function sealBatch(after: string): Promise<{ sealed: number; last: string | null }> {
  return sql.begin(async (tx) => {
    const { last, locked } = await lockTenants(tx, after)
    if (locked.length === 0) return { sealed: 0, last }
    const [ends, entries] = await readBatch(tx, locked)
    const heads = new Map<string, Head>(ends.map(({ organization_id, ...head }) => [organization_id, head]))
    const seals = entries.map((entry) => {
      const head = sealEntry(heads.get(entry.organization_id) ?? GENESIS, entry)
      heads.set(entry.organization_id, head)
      return { ...head, organization_id: entry.organization_id, entry_id: entry.id }
    })
    if (seals.length > 0) await writeSeals(tx, seals)
    return { sealed: seals.length, last }
  })
}

const FIRST = '00000000-0000-0000-0000-000000000000'

/** Seals until nothing waits: round after round over all organizations, so that one with much to seal holds up no other. */
async function sealAll(): Promise<void> {
  let inRound = 0
  let after: string | null = FIRST
  while (!isStopping()) {
    const { sealed, last }: { sealed: number; last: string | null } = await sealBatch(after)
    inRound += sealed
    after = last
    if (after !== null) continue
    if (inRound === 0) return
    inRound = 0
    after = FIRST
  }
}

/** Seals until the process stops. */
export const sealAuditLogs = (): void => periodically(LOOK_MS, 'the audit logs could not be sealed', sealAll)
