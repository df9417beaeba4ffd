/** drain_outbox: reads pending events in order, fans them out and marks them drained, one transaction per batch. */

import { isActiveOrganization } from '../../core/active-organizations.ts'
import { monotonicMs } from '../../core/platform/clock.ts'
import { sql, transaction } from '../../core/platform/database.ts'
import { log } from '../../core/platform/log.ts'
import type { Tx } from '../../sql/index.ts'
import { isOutage } from '../process/errors.ts'
import { isStopping } from '../process/heartbeat.ts'
import { isPaused, pausedTenants } from '../process/pauses.ts'
import type { DrainedEvent } from './drained-event.ts'
import { fanOut } from './fan-out.ts'
import { observeDrain } from './observe.ts'
import { pendingTenants } from './pending-tenants.ts'
import { fanOutBisecting, type QuarantinedEvent, quarantine } from './quarantine.ts'

const BATCH = 500
/** Minimum interval between drains. A drain costs the same for one event as for ten, so events of a burst share one. */
const MIN_INTERVAL_MS = 20

const eventColumns = sql`
  event.id, event.name, event.data, event.actor_id, event.request_id, event.traceparent, event.created_at, event.attempts,
  event.organization_id, event.workspace_id, event.project_id
`

/**
 * The next events to drain. Tenants take turns (the first event of each, then the second of each), so that many events of one
 * tenant do not delay the others. Paused tenants are skipped.
 */
function nextEvents(tx: Tx): Promise<DrainedEvent[]> {
  return tx<DrainedEvent[]>`
    with recursive ${pendingTenants},
    turns as (
      select waiting.id, tenants.organization_id, row_number() over (partition by tenants.organization_id order by waiting.id) as turn
      from tenants
      cross join lateral (
        select id
        from outbox
        where organization_id = tenants.organization_id
          and drained_at is null
          and (retry_at is null or retry_at <= now())
        order by id
        limit ${BATCH}
      ) as waiting
      where tenants.organization_id <> all(${pausedTenants()}::uuid[])
        and ${isActiveOrganization(sql`tenants.organization_id`)}
      order by turn, waiting.id
      limit ${BATCH}
    )
    select
      ${eventColumns},
      (select name from organizations where id = event.organization_id) as organization_name,
      (
        select name from workspaces where id = event.workspace_id and organization_id = event.organization_id
      ) as workspace_name,
      (
        select name from projects where id = event.project_id and organization_id = event.organization_id
      ) as project_name
    from turns
    -- The limit makes PostgreSQL look up each event by its key. Without it, a plan that was cached while the table was small
    -- reads all events of the organization for each row.
    cross join lateral (
      select ${eventColumns}
      from outbox as event
      where event.id = turns.id
        and event.organization_id = turns.organization_id
      limit 1
    ) as event
    order by turns.turn, event.id
  `
}

/**
 * Drains one batch.
 *
 * @param isolateFailures whether to find and quarantine the events that cannot be fanned out
 * @returns how many events were drained or quarantined; 0 if another process is draining
 */
async function drainBatch(isolateFailures: boolean): Promise<number> {
  let reportDrained = () => {}
  const count = await transaction(async (tx) => {
    // One drain at a time over all workers: two could give a newer event the lower sequence. PostgreSQL releases the lock when
    // the connection closes, so a killed worker does not block the others.
    const [{ locked }] = await tx<[{ locked: boolean }]>`
      select pg_try_advisory_xact_lock(hashtext('signalbox.drain')) as locked
    `
    const events = locked ? await nextEvents(tx) : []
    if (events.length === 0) return 0
    const report = observeDrain(events)
    const [fresh, retried] = [events.filter(({ attempts }) => attempts === 0), events.filter(({ attempts }) => attempts > 0)]
    const failed: QuarantinedEvent[] = []
    if (!isolateFailures && retried.length === 0) await fanOut(tx, fresh)
    else {
      failed.push(...(await fanOutBisecting(tx, fresh)))
      // One by one: an event that failed before will probably fail again, and its batch with it.
      for (const event of retried) failed.push(...(await fanOutBisecting(tx, [event])))
      await quarantine(tx, failed)
    }
    reportDrained = () => report(failed.map(({ id }) => id))
    return events.length
  })
  reportDrained()
  return count
}

/** Drains a batch. If an event makes it fail, drains again and isolates that event. */
async function drain(): Promise<number> {
  try {
    return await drainBatch(false)
  } catch (error) {
    if (isOutage(error)) throw error
    log.warn({ error }, 'fan-out of a batch of events failed; looking for the events that cause it')
    return drainBatch(true)
  }
}

const mayDrain = (): boolean => !isStopping() && !isPaused('drain_outbox', null)

let isRequested = false
let lastStart = Number.NEGATIVE_INFINITY
let draining: Promise<void> | null = null

async function drainAll(): Promise<void> {
  // Lets `drainOutbox` assign `draining` before the code below can reset it.
  await Promise.resolve()
  try {
    while (isRequested && mayDrain()) {
      const wait = lastStart + MIN_INTERVAL_MS - monotonicMs()
      if (wait > 0) await Bun.sleep(wait)
      lastStart = monotonicMs()
      isRequested = false
      // A batch that is not full had all pending events. Later events request another drain.
      while (mayDrain() && (await drain()) === BATCH);
    }
  } finally {
    // No await since `isRequested` was read: a later request starts a new drain.
    draining = null
  }
}

/**
 * Drains until no event is pending. Callers share one drain per process: concurrent ones would wait for each other, each on a
 * connection that lanes need.
 */
export function drainOutbox(): Promise<void> {
  isRequested = true
  draining ??= drainAll()
  return draining
}
