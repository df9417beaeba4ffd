/**
 * Finds events that were not drained in time: their process died before its NOTIFY, no worker was listening, or the drain
 * failed. Adds a job for them, which operators can see and which is retried.
 */

import { queueDrain } from '../../core/jobs/drain.ts'
import { sql } from '../../core/platform/database.ts'
import { pausedTenants } from '../process/pauses.ts'
import { periodically } from '../process/periodically.ts'
import { pendingTenants } from './pending-tenants.ts'

const POLL_MS = 500

async function poll(): Promise<void> {
  const [{ waiting }] = await sql<[{ waiting: boolean }]>`
    with recursive ${pendingTenants}
    select exists (
      select
      from tenants
      cross join lateral (
        select
        from outbox
        where organization_id = tenants.organization_id
          and drained_at is null
          and created_at < now() - interval '250 milliseconds'
          and (retry_at is null or retry_at <= now())
        limit 1
      ) as late
      where tenants.organization_id <> all(${pausedTenants()}::uuid[])
    ) as waiting
  `
  if (waiting) await queueDrain(sql)
}

/** Polls until the process stops. */
export const pollOutbox = (): void => periodically(POLL_MS, 'could not poll the outbox', poll)
