/**
 * Finds events that were not drained in time: their process died before its NOTIFY, no worker was listening, or the drain
 * failed. Adds a job for them, which operators can see and which is retried.
 */

import { queueDrain } from '../../core/jobs/drain.ts'
import { sql } from '../../core/platform/database.ts'
import { hasLateEvents } from './waiting-tenants.ts'

/** Adds a job for events that were not drained in time. */
export async function queueLateEvents(): Promise<void> {
  if (await hasLateEvents()) await queueDrain(sql)
}
