/**
 * How often this worker writes to rows that change with every batch, such as lanes and counters.
 *
 * While another session holds its snapshot, their dead versions cannot be removed, and each access reads past all of them. Batches are
 * then fewer and larger.
 */
import { sql } from '../../core/platform/database.ts'
import { log } from '../../core/platform/log.ts'
import { periodically } from './periodically.ts'

interface Pace {
  /** Minimum interval between drains. A drain costs the same for one event as for ten, so events of a burst share one. */
  drainMs: number
  /** How long recorded attempts wait for others. */
  recordMs: number
  /** How old an event is before the poll requests a drain. */
  lateMs: number
}

const USUAL: Pace = { drainMs: 10, recordMs: 4, lateMs: 250 }

const POLL_MS = 5_000
/** With fewer, reading past them costs little. */
const MIN_DEAD_ROWS = 10_000

let current = USUAL

export const pace = (): Pace => current

/** The more dead versions a row has, the less often it is changed, so that a dispatch costs about the same. */
function paceAmong(deadRows: number): Pace {
  const drainMs = Math.min(800, Math.round((200 * deadRows) / MIN_DEAD_ROWS))
  return { drainMs, recordMs: 50, lateMs: 5_000 }
}

/** Since when lanes have many dead rows, by the clock of the database; null if they do not. */
let since: string | null = null

/** Lanes may gather many dead rows between two vacuums. Those that are left by a vacuum cannot be removed. */
async function setPace(): Promise<void> {
  const [{ live, dead, now, vacuumed_at }] = await sql<[{ live: number; dead: number; now: string; vacuumed_at: string | null }]>`
    select
      pg_stat_get_live_tuples('lanes'::regclass) as live,
      pg_stat_get_dead_tuples('lanes'::regclass) as dead,
      now() as now,
      greatest(
        pg_stat_get_last_vacuum_time('lanes'::regclass),
        pg_stat_get_last_autovacuum_time('lanes'::regclass)
      ) as vacuumed_at
  `
  since = dead > MIN_DEAD_ROWS + 3 * live ? (since ?? now) : null
  const isHeldUp = since !== null && vacuumed_at !== null && vacuumed_at > since
  if (isHeldUp && current === USUAL)
    log.warn(
      'dead rows of lanes cannot be removed, probably because of an open transaction (ops.health); drains are less frequent',
    )
  if (!isHeldUp && current !== USUAL) log.info('dead rows of lanes were removed; drains are as frequent as usual')
  current = isHeldUp ? paceAmong(dead) : USUAL
}

export const watchDeadRows = (): void => periodically(POLL_MS, 'could not count dead rows', setPace)
