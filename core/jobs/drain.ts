/** How a drain of the outbox is requested. */
import type { Queryable } from '../../sql/index.ts'
import { sql } from '../platform/database.ts'
import { log } from '../platform/log.ts'

/** Workers listen on this channel. A job alone could have to wait for a free slot. */
export const OUTBOX_CHANNEL = 'signalbox_outbox'

/** Commits within this time share one notification. */
const COALESCE_MS = 5

let isRequesting = false
let requestAgain = false

/**
 * Requests a drain, after the commit of an event. The first call notifies at once; calls that follow within a few
 * milliseconds share one more notification.
 *
 * It is a statement of its own because NOTIFY takes a lock that is held until the commit: inside their transactions,
 * writers would wait for each other. If the request is lost in a crash, the worker's poll finds the event.
 */
export async function requestDrain(): Promise<void> {
  requestAgain = isRequesting
  if (isRequesting) return
  isRequesting = true
  try {
    do {
      requestAgain = false
      await notifyWorkers()
      await Bun.sleep(COALESCE_MS)
    } while (requestAgain)
  } catch (error) {
    log.warn({ error }, 'could not request a drain of the outbox; the poll of the workers will find the events')
  } finally {
    isRequesting = false
  }
}

/** Without a synchronous commit: if the notification is lost with the server, the poll finds the event. */
async function notifyWorkers(): Promise<void> {
  await sql`
    select pg_notify(${OUTBOX_CHANNEL}, '')
    from (select set_config('synchronous_commit', 'off', true) as setting) as fast
    where setting = 'off'
  `
}

/**
 * Requests a drain and adds a job for it, which is retried until it succeeds. For events that were not drained in time. All
 * such events share one job, and none is added while it runs.
 */
export async function queueDrain(db: Queryable): Promise<void> {
  await db`
    select
      pg_notify(${OUTBOX_CHANNEL}, ''),
      case
        when not exists (select 1 from graphile_worker.jobs where key = 'drain_outbox' and locked_at is not null) then (
          select id
          from graphile_worker.add_job(
            'drain_outbox', '{}', job_key := 'drain_outbox', priority := -10, flags := '{task:drain_outbox}'
          )
        )
      end as job_id
  `
}
