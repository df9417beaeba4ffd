/** Events that cannot be fanned out: found among the others, and quarantined, so that they hold up none. */

import { log } from '../../core/platform/log.ts'
import type { Tx } from '../../sql/index.ts'
import { savepoint } from '../../sql/transaction.ts'
import { errorClass, isOutage } from '../process/errors.ts'
import type { DrainedEvent } from './drained-event.ts'
import { fanOut } from './fan-out.ts'

/** An event that was quarantined, and why. The message is masked before it is stored. */
export interface Broken {
  id: string
  error: string
  message: string
}

/**
 * Fans out all events that can be, in their order: what fails together is tried half by half.
 *
 * @returns those that fail by themselves
 * @throws whatever is no event's fault
 */
export async function fanOutEach(tx: Tx, events: DrainedEvent[]): Promise<Broken[]> {
  const [first] = events
  if (!first) return []
  try {
    await savepoint(tx, (inner) => fanOut(inner, events))
    return []
  } catch (error) {
    if (isOutage(error)) throw error
    if (events.length === 1) {
      log.error({ error, event_id: first.id, event: first.name, attempts: first.attempts + 1 }, 'an event cannot be fanned out')
      return [{ id: first.id, error: errorClass(error), message: error instanceof Error ? error.message : String(error) }]
    }
    const middle = Math.ceil(events.length / 2)
    const broken = await fanOutEach(tx, events.slice(0, middle))
    return [...broken, ...(await fanOutEach(tx, events.slice(middle)))]
  }
}

/** Leaves events alone for a while: ten seconds at first, an hour at last. */
export async function quarantine(tx: Tx, broken: Broken[]): Promise<void> {
  if (broken.length === 0) return
  await tx`
    update outbox as event
    set attempts  = event.attempts + 1,
        failed_at = coalesce(event.failed_at, now()),
        retry_at  = now() + least(10 * 4 ^ least(event.attempts, 10), 3600) * interval '1 second',
        error     = concat_ws(': ', broken.error, nullif(ops.shown_error(broken.message), ''))
    from jsonb_to_recordset(${tx.json(broken as never)}) as broken (id uuid, error text, message text)
    where event.id = broken.id
  `
}
