/** Filling audit logs, and tampering with them. */
import type { Box } from '../support/signalbox.ts'

/** Rows of one statement: a statement takes at most 30 seconds. */
const CHUNK = 10_000

/** Inserts entries a minute apart, the last one dated now. */
export async function write(box: Box, organization_id: string, count: number, action = 'thing.done'): Promise<void> {
  for (let first = 1; first <= count; first += CHUNK) {
    await box.sql`
      insert into audit_log_entries (
        organization_id, actor_type, actor_id, actor_name, action, resource_type, resource_id, detail, created_at
      )
      select
        ${organization_id}, 'human', '00000000-0000-7000-8000-000000000001', 'Someone', ${action}, 'thing', uuidv7(),
        'Done, number ' || number, now() - (${count} - number) * interval '1 minute'
      from generate_series(${first}::integer, ${Math.min(first + CHUNK - 1, count)}::integer) as number
    `
  }
}

/**
 * Waits until every entry is sealed.
 *
 * @param patience in milliseconds: 100,000 entries take a while on a busy machine
 */
export const sealed = (box: Box, patience?: number) =>
  box.until(
    'every entry is sealed',
    async () => {
      const [{ waits }] = await box.sql<[{ waits: boolean }]>`select exists (select 1 from audit_log_unsealed) as waits`
      return !waits
    },
    patience,
  )

/** Changes rows with triggers disabled, as only a superuser can. */
export async function tamper(box: Box, change: (sql: Box['sql']) => Promise<unknown>): Promise<void> {
  await box.sql.begin(async (tx) => {
    // On a cluster, for the node that has the rows.
    await tx`set local session_replication_role = replica`
    await change(tx as unknown as Box['sql'])
  })
}
