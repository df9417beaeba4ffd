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
  /**
   * How long a lane with nothing to send is kept: releasing and leasing it again costs more than sending a dispatch, and a busy hook has
   * something to send with each drain. What another process has drained meanwhile waits for the release.
   */
  lingerMs: number
  /** How long recorded attempts wait for others. */
  recordMs: number
  /** How old an event is before the poll requests a drain. */
  lateMs: number
}

const USUAL: Pace = { drainMs: 10, lingerMs: 30, recordMs: 4, lateMs: 250 }
const HELD_UP: Pace = { drainMs: 200, lingerMs: 250, recordMs: 50, lateMs: 5_000 }

const POLL_MS = 5_000
/** Lanes are vacuumed long before they have as many dead rows, unless something prevents it. */
const MIN_DEAD_ROWS = 10_000

let current = USUAL

export const pace = (): Pace => current

async function setPace(): Promise<void> {
  // On a cluster, lanes are on its nodes, and have none here.
  const [{ has_dead_rows }] = await sql<[{ has_dead_rows: boolean }]>`
    select pg_stat_get_dead_tuples(oid) > ${MIN_DEAD_ROWS} + 3 * pg_stat_get_live_tuples(oid) as has_dead_rows
    from pg_class
    where oid = 'lanes'::regclass
  `
  const next = has_dead_rows ? HELD_UP : USUAL
  if (next === current) return
  if (has_dead_rows)
    log.warn('dead rows of lanes are not removed, probably because of an open transaction (ops.health); drains wait 200 ms')
  else log.info('dead rows of lanes were removed; drains are as frequent as usual')
  current = next
}

/** Adapts the pace periodically until the process stops. */
export const watchDeadRows = (): void => periodically(POLL_MS, 'could not count dead rows', setPace)
