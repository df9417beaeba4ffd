/**
 * Finds events that were not drained in time: their process died before its NOTIFY, no worker was listening, or the drain
 * failed. Adds a job for them, which operators can see and which is retried.
 */
import { queueDrain } from '../../core/jobs/drain.ts'
import { sql } from '../../core/platform/database.ts'
import { pausedTenants } from '../process/pauses.ts'

/** Adds a job for events that were not drained in time. */
export async function queueLateEvents(): Promise<void> {
  const [{ waiting }] = await sql<[{ waiting: boolean }]>`
    select exists (
      select from waiting_tenants('250 milliseconds') where organization_id <> all(${pausedTenants()}::uuid[])
    ) as waiting
  `
  if (waiting) await queueDrain(sql)
}
