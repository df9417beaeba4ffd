/** Seals new audit log entries, in one hash chain per organization. */
import { attestGates } from '../../core/jobs/tasks.ts'
import { sql } from '../../core/platform/database.ts'
import { entryColumns } from '../../core/security/audit.ts'
import { type AuditRecord, GENESIS, type Head, sealEntry } from '../../core/security/audit-chain.ts'
import { FIRST_ID } from '../../core/values/uuids.ts'
import { cluster } from '../../sql/cluster.ts'
import type { Tx } from '../../sql/index.ts'
import { acrossTenants } from '../../sql/reach.ts'
import { isStopping } from '../process/heartbeat.ts'
import { serveTenants } from '../process/tenant-groups.ts'

const BATCH = 2_000
const TENANTS = 100
const PAGE = 1_000

/** A cluster reads them from all nodes, which a recursive query cannot do. */
const unsealedAfter = (id: string) =>
  cluster()
    ? sql`
        (
          select organization_id as id
          from audit_log_unsealed
          where organization_id > ${id}
          group by organization_id
          order by organization_id
          limit ${PAGE}
        )
      `
    : sql`unsealed_tenants(${id}, ${PAGE})`

async function unsealedTenants(): Promise<string[]> {
  const found: string[] = []
  for (let page: { id: string }[] | undefined; page === undefined || page.length === PAGE; ) {
    page = await acrossTenants(sql<{ id: string }[]>`select id from ${unsealedAfter(found.at(-1) ?? FIRST_ID)} as id`, 'partly')
    found.push(...page.map(({ id }) => id))
  }
  return found
}

/** Locks organizations until the commit, so that only one process at a time adds to a chain; of these, returns those it could lock. */
async function lockTenants(tx: Tx, tenants: string[]): Promise<string[]> {
  const locked = await tx<{ id: string }[]>`
    select id
    from unnest(${tenants}::uuid[]) as tenant (id)
    where pg_try_advisory_xact_lock(hashtextextended('signalbox.seal ' || id, 0))
  `
  return locked.map(({ id }) => id)
}

/** The heads of the chains. Must be read after locking. */
const readHeads = (tx: Tx, tenants: string[]) => tx<(Head & { organization_id: string })[]>`
  select tenant.organization_id, head.seq, encode(head.hash, 'hex') as hash
  from unnest(${tenants}::uuid[]) as tenant (organization_id)
  cross join lateral (
    select seq, hash
    from audit_log_seals
    where organization_id = tenant.organization_id
    order by seq desc
    limit 1
  ) as head
`

async function readUnsealed(tx: Tx, tenants: string[], limit: number, passed: Passed): Promise<AuditRecord[]> {
  const entries = await tx<AuditRecord[]>`
    select ${entryColumns}
    from unnest(
      ${tenants}::uuid[],
      ${tenants.map((tenant) => passed.get(tenant) ?? FIRST_ID)}::uuid[]
    ) as tenant (organization_id, passed)
    cross join lateral (
      select entry_id
      from audit_log_unsealed
      where organization_id = tenant.organization_id
        and entry_id > tenant.passed
      order by entry_id
      limit ${limit}
    ) as waiting
    -- The limit makes PostgreSQL look up each entry by its key. With a join or a sort, it reads the whole log for every batch.
    cross join lateral (
      select ${entryColumns}
      from audit_log_entries as entry
      where entry.id = waiting.entry_id and entry.organization_id = tenant.organization_id
      limit 1
    ) as entry
  `
  return entries.sort((a, b) => (a.id < b.id ? -1 : 1))
}

async function attestApproved(tx: Tx, entries: AuditRecord[]): Promise<void> {
  const approvals = entries.filter(({ action }) => action === 'gate.approved')
  if (approvals.length === 0) return
  const gates = await tx<{ id: string; organization_id: string }[]>`
    select id, organization_id
    from gates
    where id = any(${approvals.map(({ resource_id }) => resource_id)}::uuid[])
      and organization_id = any(${[...new Set(approvals.map(({ organization_id }) => organization_id))]}::uuid[])
      and subject is not null
  `
  await attestGates(tx, gates)
}

async function writeSeals(tx: Tx, seals: (Head & { entry: AuditRecord })[]): Promise<void> {
  const entries = seals.map(({ entry }) => entry)
  const ids = entries.map(({ id }) => id)
  const organizations = entries.map(({ organization_id }) => organization_id)
  await Promise.all([
    tx`
      insert into audit_log_seals (organization_id, seq, entry_id, hash)
      select organization_id, seq, entry_id, decode(hash, 'hex')
      from unnest(
        ${organizations}::uuid[], ${seals.map(({ seq }) => seq)}::bigint[], ${ids}::uuid[],
        ${seals.map(({ hash }) => hash)}::text[]
      ) as seal (organization_id, seq, entry_id, hash)
    `,
    tx`
      insert into audit_log_counts as counts (organization_id, action, actor_id, day, entries)
      select organization_id, action collate "C", actor_id, day, count(*)
      from unnest(
        ${organizations}::uuid[], ${entries.map(({ action }) => action)}::text[],
        ${entries.map(({ actor_id }) => actor_id ?? FIRST_ID)}::uuid[],
        ${entries.map(({ created_at }) => created_at.slice(0, 10))}::date[]
      ) as sealed (organization_id, action, actor_id, day)
      group by 1, 2, 3, 4
      on conflict (organization_id, action, actor_id, day) do update
        set entries = counts.entries + excluded.entries
    `,
    tx`
      delete from audit_log_unsealed
      using unnest(${organizations}::uuid[], ${ids}::uuid[]) as sealed (organization_id, entry_id)
      where audit_log_unsealed.organization_id = sealed.organization_id
        and audit_log_unsealed.entry_id = sealed.entry_id
    `,
  ])
}

/**
 * The last entry sealed in each organization during this run. Reading starts after it: otherwise each batch scans the dead rows
 * of the batches before, which takes most of the time.
 */
type Passed = Map<string, string>

/** @returns whether an organization may have more entries */
async function sealBatch(tenants: string[], passed: Passed): Promise<boolean> {
  if (isStopping()) return false
  const [entries, limit] = await sql.begin(async (tx): Promise<[AuditRecord[], number]> => {
    // The queue changes faster than its statistics: with outdated ones, PostgreSQL sorts the whole queue for every batch.
    await tx`
      select set_config(name, 'off', true)
      from unnest(array['enable_bitmapscan', 'enable_seqscan', 'enable_sort']) as name
    `
    const locked = await lockTenants(tx, tenants)
    if (locked.length === 0) return [[], 1]
    const limit = Math.ceil(BATCH / locked.length)
    const [current, entries] = await Promise.all([readHeads(tx, locked), readUnsealed(tx, locked, limit, passed)])
    const heads = new Map<string, Head>(current.map(({ organization_id, ...head }) => [organization_id, head]))
    const seals = entries.map((entry) => {
      const head = sealEntry(heads.get(entry.organization_id) ?? GENESIS, entry)
      heads.set(entry.organization_id, head)
      return { ...head, entry }
    })
    if (seals.length > 0) await Promise.all([writeSeals(tx, seals), attestApproved(tx, entries)])
    return [entries, limit]
  })
  for (const { organization_id, id } of entries) passed.set(organization_id, id)
  const counts = Map.groupBy(entries, ({ organization_id }) => organization_id).values()
  return counts.some(({ length }) => length === limit)
}

/** A batch of every organization, so that one with many entries does not delay the others. @returns whether there may be more */
async function sealRound(passed: Passed): Promise<boolean> {
  return (await serveTenants(await unsealedTenants(), (group) => sealBatch(group, passed), TENANTS)).includes(true)
}

/**
 * Seals what waits. What is committed meanwhile, or was committed out of order, is sealed by the next run: a round for every few
 * entries would cost more than the changes that they record.
 */
export async function sealAuditLogs(): Promise<void> {
  const passed: Passed = new Map()
  while (await sealRound(passed));
}
