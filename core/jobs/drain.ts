/** How a drain of the outbox is requested. */
import type { Queryable } from '../../sql/index.ts'
import { sql } from '../platform/database.ts'
import { log } from '../platform/log.ts'

/**
 * Workers listen on this channel. A job alone could have to wait for a free slot. The payload names organizations with new events; if it is
 * empty, any may have some.
 */
export const OUTBOX_CHANNEL = 'signalbox_outbox'

/** Commits within this time share one notification. */
const COALESCE_MS = 5

/** Organizations in one NOTIFY, whose payload is limited to 8,000 bytes. With more, workers look for those that wait. */
const MAX_NAMED = 200

let isRequesting = false
const waiting = new Set<string>()

/**
 * Requests a drain, after the commit of events. The first call notifies at once; calls that follow within a few
 * milliseconds share one more notification.
 *
 * It is a statement of its own because NOTIFY takes a lock that is held until the commit: inside their transactions,
 * writers would wait for each other. If the request is lost in a crash, the worker's poll finds the event.
 */
export async function requestDrain(organization_ids: string[]): Promise<void> {
  for (const id of organization_ids) waiting.add(id)
  if (isRequesting) return
  isRequesting = true
  try {
    while (waiting.size > 0) {
      const named = [...waiting]
      waiting.clear()
      await notifyWorkers(named.length > MAX_NAMED ? [] : named)
      await Bun.sleep(COALESCE_MS)
    }
  } catch (error) {
    waiting.clear()
    log.warn({ error }, 'could not request a drain of the outbox; the poll of the workers will find the events')
  } finally {
    isRequesting = false
  }
}

/**
 * Without a synchronous commit: if the notification is lost with the server, the poll finds the event.
 *
 * @param organization_ids those with new events; none: any
 */
async function notifyWorkers(organization_ids: string[]): Promise<void> {
  await sql`
    select pg_notify(${OUTBOX_CHANNEL}, ${organization_ids.join(' ')})
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
