/**
 * Finds events for which nobody asked for a drain: their process died between the commit and the asking, or they could
 * not be told before.
 */
import { sql } from '../../core/database.ts'
import { askForDrain } from '../../core/outbox.ts'
import { periodically } from '../periodically.ts'

const POLL_MS = 500

async function poll(): Promise<void> {
  const [{ waiting }] = await sql<[{ waiting: boolean }]>`
    select exists (
      select
      from outbox
      where drained_at is null
        and created_at < now() - interval '250 milliseconds'
        and (retry_at is null or retry_at <= now())
    ) as waiting
  `
  if (waiting) await askForDrain()
}

/** Polls until the process stops. */
export const pollOutbox = (): void => periodically(POLL_MS, 'the outbox could not be looked at', poll)
