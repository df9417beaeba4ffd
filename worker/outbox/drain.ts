/** drain_outbox: takes events in their order, fans them out, and marks them drained, one transaction a batch. */

import { isLiving } from '../../core/living-organizations.ts'
import { monotonicMs } from '../../core/platform/clock.ts'
import { sql, transaction } from '../../core/platform/database.ts'
import { log } from '../../core/platform/log.ts'
import type { Tx } from '../../sql/index.ts'
import { isOutage } from '../process/errors.ts'
import { isStopping } from '../process/heartbeat.ts'
import { isPaused, pausedTenants } from '../process/pauses.ts'
import { type Broken, fanOutEach, quarantine } from './broken.ts'
import type { DrainedEvent } from './drained-event.ts'
import { fanOut } from './fan-out.ts'
import { observeDrain } from './observe.ts'
import { waitingTenants } from './tenants.ts'

const BATCH = 500
/** A drain costs the same for one event as for ten: those of a busy moment are drained together. */
const PACE_MS = 20

const eventColumns = sql`
  event.id, event.name, event.data, event.actor_id, event.request_id, event.traceparent, event.created_at, event.attempts,
  event.organization_id, event.workspace_id, event.project_id
`

/** Tenants take turns: the first event of each, then the second of each, so that one tenant's flood holds nobody up. Those that are paused wait. */
function nextEvents(tx: Tx): Promise<DrainedEvent[]> {
  return tx<DrainedEvent[]>`
    with recursive ${waitingTenants},
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
        and ${isLiving(sql`tenants.organization_id`)}
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
    -- Under a limit, each is looked up by its key. A plan that was made while the table was small read all events of the
    -- organization for each, and was kept in a flood.
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
 * @param careful whether an event that cannot be fanned out is looked for, and quarantined
 * @returns how many events were drained, or quarantined; none where another drains
 */
async function drainBatch(careful: boolean): Promise<number> {
  let drained = () => {}
  const count = await transaction(async (tx) => {
    // One drain at a time over all workers: two would give the newer event the lower sequence. The lock
    // goes with its connection, so a killed worker holds nobody up.
    const [{ locked }] = await tx<[{ locked: boolean }]>`
      select pg_try_advisory_xact_lock(hashtext('signalbox.drain')) as locked
    `
    const events = locked ? await nextEvents(tx) : []
    if (events.length === 0) return 0
    const observed = observeDrain(events)
    const [fresh, again] = [events.filter(({ attempts }) => attempts === 0), events.filter(({ attempts }) => attempts > 0)]
    const broken: Broken[] = []
    if (!careful && again.length === 0) await fanOut(tx, fresh)
    else {
      broken.push(...(await fanOutEach(tx, fresh)))
      // What failed before would most likely take others down with it.
      for (const event of again) broken.push(...(await fanOutEach(tx, [event])))
      await quarantine(tx, broken)
    }
    drained = () => observed(broken.map(({ id }) => id))
    return events.length
  })
  drained()
  return count
}

/** Drains a batch; if that fails for what is in it, once more with care. */
async function drain(): Promise<number> {
  try {
    return await drainBatch(false)
  } catch (error) {
    if (isOutage(error)) throw error
    log.warn({ error }, 'a batch of events could not be fanned out, and is taken apart')
    return drainBatch(true)
  }
}

const mayDrain = (): boolean => !isStopping() && !isPaused('drain_outbox', null)

let asked = false
let begun = Number.NEGATIVE_INFINITY
let draining: Promise<void> | null = null

async function drainAll(): Promise<void> {
  // Not before its caller has kept it.
  await Promise.resolve()
  try {
    while (asked && mayDrain()) {
      const early = begun + PACE_MS - monotonicMs()
      if (early > 0) await Bun.sleep(early)
      begun = monotonicMs()
      asked = false
      // One that is not full held all that was there: for what came since, somebody asks.
      while (mayDrain() && (await drain()) === BATCH);
    }
  } finally {
    // In the same breath as the last look at `asked`: who asks from here on begins anew.
    draining = null
  }
}

/**
 * Drains until nothing waits. One drain at a time in this process, which all who ask wait for: others would be in its
 * way, each on a connection that lanes and records need.
 */
export function drainOutbox(): Promise<void> {
  asked = true
  draining ??= drainAll()
  return draining
}
