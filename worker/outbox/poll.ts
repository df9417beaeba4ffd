/**
 * Finds events for which nobody asked for a drain: their process died between the commit and the asking, or they could
 * not be told before.
 */
import { sql } from '../../core/database.ts'
import { askForDrain } from '../../core/outbox.ts'
import { pausedTenants } from '../pauses.ts'
import { periodically } from '../periodically.ts'
import { waitingTenants } from './tenants.ts'

const POLL_MS = 500

async function poll(): Promise<void> {
  const [{ waiting }] = await sql<[{ waiting: boolean }]>`
    with recursive ${waitingTenants}
    select exists (
      select
      from tenants
      join outbox as event on event.organization_id = tenants.organization_id
      where event.drained_at is null
        and event.created_at < now() - interval '250 milliseconds'
        and tenants.organization_id <> all(${pausedTenants()}::uuid[])
        and (event.retry_at is null or event.retry_at <= now())
    ) as waiting
  `
  if (waiting) await askForDrain()
}

/** Polls until the process stops. */
export const pollOutbox = (): void => periodically(POLL_MS, 'the outbox could not be looked at', poll)
