/**
 * drain_outbox: reads pending events in order, fans them out and takes them off their queue, one transaction per batch. Begins on NOTIFY: a job
 * alone could have to wait for a free slot.
 */

import { OUTBOX_CHANNEL } from '../../core/events/outbox.ts'
import { listenTo } from '../../core/platform/announcements.ts'
import { monotonicMs } from '../../core/platform/clock.ts'
import { eagerTransaction, sql } from '../../core/platform/database.ts'
import { log } from '../../core/platform/log.ts'
import { announceChange, scopePath } from '../../core/tenants/changes.ts'
import { cluster } from '../../sql/cluster.ts'
import type { Tx } from '../../sql/index.ts'
import { acrossTenants } from '../../sql/reach.ts'
import { isLockTimeout, isOutage } from '../process/errors.ts'
import { isStopping } from '../process/heartbeat.ts'
import { pace } from '../process/pace.ts'
import { isPaused, pausedTenants } from '../process/pauses.ts'
import { ReadCursors } from '../process/read-cursors.ts'
import { Cooldown, serveTenants, Turns } from '../process/tenant-groups.ts'
import type { Drained, DrainedEvent, DrainTimes, FanOut } from './drained-event.ts'
import { NOTHING, observeDrain, organizationsOf } from './drained-event.ts'
import { fanOutIsolating } from './quarantine.ts'
import { waitingTenants } from './waiting.ts'

const BATCH = 500
/** What the data of a batch may take after its first event. The dispatches are written from it, with several copies in memory. */
const BATCH_BYTES = 1_048_576
const MAX_TENANTS = 500
/** How long a drain waits for each lock. Longer than PostgreSQL takes to find a deadlock. */
const LOCK_TIMEOUT_MS = 2_000
/**
 * Tenants whose rows others hold locked, such as by deleting a hook with all of its dispatches: they wait alone, and not all that are drained
 * with them.
 */
const cooldown = new Cooldown(10_000)
/**
 * How far the events of each organization were drained. An id is made before its transaction commits; one that is found behind the cursor, or
 * that is tried again, waits for a drain of any organization.
 */
const cursors = new ReadCursors(10_000)

/** The organizations that a drain serves: some, or those of all that wait. */
type Wanted = Set<string> | 'any'

const eventColumns = sql`
  event.id, event.name, event.data, event.actor_id, event.request_id, event.traceparent, event.created_at,
  event.organization_id, event.workspace_id, event.project_id
`

/** The tenants with events that are due, those whose first event waits longest first. Paused tenants are skipped. */
async function findTenants(): Promise<string[]> {
  const tenants = await acrossTenants(
    sql<{ organization_id: string }[]>`
      select organization_id
      from ${waitingTenants(sql`interval '0'`)} as tenant
      where organization_id <> all(${pausedTenants()}::uuid[])
      order by first_id
      limit ${MAX_TENANTS}
    `,
    'partly',
  )
  return tenants.map(({ organization_id }) => organization_id)
}

/**
 * Locks tenants until the commit, so that one drain at a time numbers the dispatches of each: two could give a newer event the lower
 * sequence. Those that another process drains are left to it. PostgreSQL releases the locks when the connection closes, so a
 * killed worker does not block the others.
 */
async function lockTenants(tx: Tx, tenants: string[]): Promise<{ locked: Set<string>; now: string }> {
  const [{ locked, now }] = await tx<[{ locked: string; now: string }]>`
    select
      set_config('signalbox.locked', coalesce(string_agg(id::text, ' '), ''), true) as locked,
      set_config('lock_timeout', ${String(LOCK_TIMEOUT_MS)}, true),
      now() as now
    from unnest(${tenants}::uuid[]) as tenant (id)
    where pg_try_advisory_xact_lock(hashtextextended('signalbox.drain ' || id, 0))
  `
  return { locked: new Set(locked.split(' ')), now }
}

/** The nodes of a cluster do not have what is in the session. There, a tenant is drained alone, and its events are left out if it is not locked. */
const isLocked = () =>
  cluster()
    ? sql``
    : sql`where tenant.organization_id = any(string_to_array(current_setting('signalbox.locked', true), ' ')::uuid[])`

/**
 * The next events of locked tenants. It is sent together with the statement that locks them, which leaves their ids in the session.
 *
 * Tenants take turns (the first event of each in the given order, then the second of each), so that many events of
 * one tenant do not delay the others.
 *
 * @param since for each tenant, when its first event was made; null: any
 */
function nextEvents(tx: Tx, tenants: string[], since: (string | null)[]) {
  return tx<(DrainedEvent & { is_deleted: boolean; found: number })[]>`
    with turns as (
      select
        waiting.id, waiting.attempts, tenant.organization_id, tenant.place,
        row_number() over (partition by organization_id order by waiting.id) as turn
      from unnest(${tenants}::uuid[], ${since}::timestamptz[]) with ordinality as tenant (organization_id, since, place)
      cross join lateral (
        select id, attempts
        from waiting_events
        where organization_id = tenant.organization_id
          and id >= partition_boundary(coalesce(tenant.since, 'epoch'))
          and (retry_at is null or retry_at <= now())
        order by id
        limit ${BATCH}
      ) as waiting
      ${isLocked()}
      order by turn, tenant.place
      limit ${BATCH}
    )
    select
      ${eventColumns}, event.attempts, event.found,
      (select name from organizations where id = event.organization_id) as organization_name,
      (select deleted_at is not null from organizations where id = event.organization_id) as is_deleted,
      (select name from workspaces where id = event.workspace_id and organization_id = event.organization_id) as workspace_name,
      (select name from projects where id = event.project_id and organization_id = event.organization_id) as project_name
    from (
      select
        event.*, turns.turn, turns.attempts,
        count(*) over () as found,
        sum(event.bytes) over (order by turns.turn, turns.place) - event.bytes as bytes_before
      from turns
      -- The limit makes PostgreSQL look up each event by its key. Without it, a plan that was cached while the table was small
      -- reads all events of the organization for each row.
      cross join lateral (
        select
          ${eventColumns},
          -- An estimate of what is stored compressed, which is not read yet.
          pg_column_size(event.data) * case when pg_column_compression(event.data) is null then 1 else 64 end as bytes
        from outbox as event
        where event.id = turns.id and event.organization_id = turns.organization_id
        limit 1
      ) as event
    ) as event
    where event.bytes_before < ${BATCH_BYTES}
    order by event.turn, event.id
  `
}

/**
 * @param isComplete whether to read their events from the first one that waits, and not from the cursor
 * @param isolateFailures whether to find and quarantine the events that cannot be fanned out
 */
async function drainBatch(fanOut: FanOut, tenants: string[], isComplete: boolean, times: DrainTimes, isolateFailures: boolean) {
  let afterwards = () => {}
  const since = tenants.map((id) => (isComplete ? null : cursors.since(id)))
  const drained = await eagerTransaction(async (tx): Promise<Drained> => {
    // Read after the locks: what their last holder drained is visible then.
    const [{ locked, now }, read] = await Promise.all([lockTenants(tx, tenants), nextEvents(tx, tenants, since)])
    const found = read[0]?.found ?? 0
    const hasMore = found === BATCH || read.length < found
    const noteRead = () => {
      if (hasMore) return
      for (const [index, id] of tenants.entries()) if (locked.has(id)) cursors.note(id, since[index] ?? null, now)
    }
    afterwards = noteRead
    // A deleted organization gets no more events.
    const deleted = new Set(organizationsOf(read.filter(({ is_deleted }) => is_deleted !== false)))
    const more = hasMore ? tenants.filter((id) => locked.has(id) && !deleted.has(id)) : []
    const events = read.filter(({ organization_id }) => locked.has(organization_id) && !deleted.has(organization_id))
    if (events.length === 0) return { served: [], more }
    // What events cause: dispatches, messages and notifications.
    announceChange(tx, ...events.map(scopePath))
    const report = observeDrain(events, times)
    const mayFail = isolateFailures || events.some(({ attempts }) => attempts > 0)
    const failed = mayFail ? await fanOutIsolating(tx, events, fanOut) : []
    if (!mayFail) await fanOut(tx, events)
    afterwards = () => {
      noteRead()
      report(failed)
    }
    return { served: organizationsOf(events), more }
  })
  afterwards()
  return drained
}

/** Leaves a tenant alone for a while. @throws the error if there are several, which are then drained one by one */
function coolDown(tenants: string[], error: unknown): Drained {
  const [organization_id, ...others] = tenants
  if (organization_id === undefined || others.length > 0) throw error
  cooldown.add(organization_id)
  log.warn({ organization_id, error }, 'rows of an organization are locked; its events wait for some seconds')
  return NOTHING
}

/** Drains a batch of tenants. If an event makes it fail, drains again and isolates that event. */
async function drainTenants(fanOut: FanOut, tenants: string[], isComplete: boolean, times: DrainTimes): Promise<Drained> {
  const drain = (isolateFailures: boolean) =>
    drainBatch(fanOut, tenants, isComplete, times, isolateFailures).catch((error: unknown) => {
      if (isLockTimeout(error)) return coolDown(tenants, error)
      throw error
    })
  try {
    return await drain(false)
  } catch (error) {
    if (isOutage(error) || isLockTimeout(error)) throw error
    log.warn({ error }, 'fan-out of a batch of events failed; looking for the events that cause it')
    return drain(true)
  }
}

/** Drains a batch of each tenant that is wanted and not paused. @returns those for which more may be waiting; null: none */
async function drainWanted(fanOut: FanOut, wanted: Wanted, turns: Turns, times: DrainTimes): Promise<Wanted | null> {
  const tenants = wanted === 'any' ? await findTenants() : exceptPaused(wanted)
  const drained = await serveTenants(turns.order(cooldown.without(tenants)), async (group) =>
    mayDrain() ? drainTenants(fanOut, group, wanted === 'any', times) : NOTHING,
  )
  const served = drained.flatMap((each) => each.served)
  turns.note(served)
  const more = drained.flatMap((each) => each.more)
  // If others drain all that were read, they also drain those behind them.
  if (wanted === 'any') return more.length > 0 || (tenants.length === MAX_TENANTS && served.length > 0) ? 'any' : null
  return more.length > 0 ? new Set(more) : null
}

const union = (one: Wanted, other: Wanted): Wanted => (one === 'any' || other === 'any' ? 'any' : one.union(other))

function exceptPaused(tenants: Iterable<string>): string[] {
  const paused = new Set(pausedTenants())
  return [...tenants].filter((id) => !paused.has(id))
}

const mayDrain = (): boolean => !isStopping() && !isPaused('drain_outbox', null)

export class Drain {
  /** When the next drain was first requested; null if nothing requests one. */
  #requested: number | null = null
  #wanted: Set<string> | 'any' = new Set()
  #lastStart = Number.NEGATIVE_INFINITY
  #running: Promise<void> | null = null

  constructor(private readonly fanOut: FanOut) {}

  /** Drains until no event is pending. Callers share one drain per process: concurrent ones would wait for each other. */
  run(wanted: Iterable<string> | 'any'): Promise<void> {
    this.#requested ??= monotonicMs()
    if (wanted === 'any' || this.#wanted === 'any') this.#wanted = 'any'
    else for (const id of wanted) this.#wanted.add(id)
    this.#running ??= this.#drainAll()
    return this.#running
  }

  /** Resolves when no drain is running. */
  async done(): Promise<void> {
    // Who runs it reports its failure.
    await this.#running?.catch(() => {})
  }

  #takeWanted(): Wanted {
    const wanted = this.#wanted
    this.#requested = null
    this.#wanted = new Set()
    return wanted
  }

  async #drainAll(): Promise<void> {
    // Lets `run` assign `#running` before the code below can reset it.
    await Promise.resolve()
    try {
      while (this.#requested !== null && mayDrain()) {
        const wait = this.#lastStart + pace().drainMs - monotonicMs()
        if (wait > 0) await Bun.sleep(wait)
        this.#lastStart = monotonicMs()
        const times = { requested: this.#requested, started: this.#lastStart }
        const turns = new Turns()
        let wanted: Wanted | null = this.#takeWanted()
        while (wanted && mayDrain()) {
          const more = await drainWanted(this.fanOut, wanted, turns, times)
          // What does not fit into a batch waits for its turn alongside the events of others.
          wanted = more && union(more, this.#takeWanted())
        }
      }
    } finally {
      // No await since `#requested` was read: a later request starts a new drain.
      this.#running = null
    }
  }
}

/** Listens until the process ends, and reconnects if the connection is lost. The poll finds events that were missed meanwhile. */
export function listenToOutbox(drain: Drain): void {
  // If it fails, the poll finds events that are still pending, and adds a job for them.
  const drainNow = (wanted: string[] | 'any') =>
    void drain.run(wanted).catch((error) => log.warn({ error }, 'drain failed; the poll will retry it'))
  listenTo(
    OUTBOX_CHANNEL,
    (organization_ids) => drainNow(organization_ids.length === 0 ? 'any' : organization_ids),
    () => drainNow('any'),
  )
}
