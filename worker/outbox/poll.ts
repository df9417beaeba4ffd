/**
 * Finds events that were not drained in time: their process died before its NOTIFY, no worker was listening, or the drain
 * failed. Adds a job for them, which operators can see and which is retried.
 */

import { queueDrain } from '../../core/jobs/drain.ts'
import { sql } from '../../core/platform/database.ts'
import { periodically } from '../process/periodically.ts'
import { hasLateEvents } from './waiting-tenants.ts'

const POLL_MS = 500

async function poll(): Promise<void> {
  if (await hasLateEvents()) await queueDrain(sql)
}

/** Polls until the process stops. */
export const pollOutbox = (): void => periodically(POLL_MS, 'could not poll the outbox', poll)
