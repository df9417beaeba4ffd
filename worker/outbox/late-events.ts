/**
 * Finds events that were not drained in time: their process died before its NOTIFY, no worker was listening, or the drain
 * failed. Adds a job for them, which operators can see and which is retried.
 */
import { OUTBOX_CHANNEL } from '../../core/events/outbox.ts'
import { sql } from '../../core/platform/database.ts'
import type { Queryable } from '../../sql/index.ts'
import { acrossTenants } from '../../sql/reach.ts'
import { pace } from '../process/pace.ts'
import { pausedTenants } from '../process/pauses.ts'
import { waitingTenants } from './waiting.ts'

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

export async function queueLateEvents(): Promise<void> {
  const late = await acrossTenants(
    sql`
      select organization_id
      from ${waitingTenants(sql`${pace().lateMs} * interval '1 millisecond'`)} as tenant
      where organization_id <> all(${pausedTenants()}::uuid[])
      limit 1
    `,
    'partly',
  )
  if (late.length > 0) await queueDrain(sql)
}
