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

const POLL_MS = 5_000
/** Lanes are vacuumed long before they have as many dead rows, unless something prevents it. */
const MIN_DEAD_ROWS = 10_000

let current = USUAL

export const pace = (): Pace => current

/** The more dead versions a row has, the less often it is changed, so that a dispatch costs about the same. */
function paceAmong(deadRows: number): Pace {
  const drainMs = Math.min(1_000, Math.round((200 * deadRows) / MIN_DEAD_ROWS))
  return { drainMs, lingerMs: drainMs + 50, recordMs: 50, lateMs: 5_000 }
}

async function setPace(): Promise<void> {
  // On a cluster, lanes are on its nodes, and have none here.
  const [{ live, dead }] = await sql<[{ live: number; dead: number }]>`
    select pg_stat_get_live_tuples('lanes'::regclass) as live, pg_stat_get_dead_tuples('lanes'::regclass) as dead
  `
  const wasUsual = current === USUAL
  const isHeldUp = dead > MIN_DEAD_ROWS + 3 * live
  current = isHeldUp ? paceAmong(dead) : USUAL
  if (isHeldUp && wasUsual)
    log.warn('dead rows of lanes are not removed, probably because of an open transaction (ops.health); drains are less frequent')
  if (!isHeldUp && !wasUsual) log.info('dead rows of lanes were removed; drains are as frequent as usual')
}

/** Adapts the pace periodically until the process stops. */
export const watchDeadRows = (): void => periodically(POLL_MS, 'could not count dead rows', setPace)
