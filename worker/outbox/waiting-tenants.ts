/** Tenants with pending events. */
import { sql } from '../../core/platform/database.ts'
import { pausedTenants } from '../process/pauses.ts'

/**
 * The tenants with events that are due, those whose first event waits longest first. Paused tenants are skipped.
 *
 * @param limit maximum number of tenants
 */
export async function waitingTenants(limit: number): Promise<string[]> {
  const tenants = await sql<{ organization_id: string }[]>`
    select organization_id
    from waiting_tenants()
    where organization_id <> all(${pausedTenants()}::uuid[])
    limit ${limit}
  `
  return tenants.map(({ organization_id }) => organization_id)
}

/** Whether an event was not drained in time. */
export async function hasLateEvents(): Promise<boolean> {
  const [{ waiting }] = await sql<[{ waiting: boolean }]>`
    select exists (
      select from waiting_tenants('250 milliseconds') where organization_id <> all(${pausedTenants()}::uuid[])
    ) as waiting
  `
  return waiting
}
