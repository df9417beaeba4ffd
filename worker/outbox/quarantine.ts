/** Finds events that cannot be fanned out and quarantines them, so that they do not block others. */

import { log } from '../../core/platform/log.ts'
import type { Tx } from '../../sql/index.ts'
import { savepoint } from '../../sql/transaction.ts'
import { errorClass, isLockTimeout, isOutage } from '../process/errors.ts'
import type { DrainedEvent } from './drained-event.ts'

/** Writes everything that follows from events, and marks them drained. */
export type FanOut = (tx: Tx, events: DrainedEvent[]) => Promise<void>

/** An event to quarantine, and its error. The message is masked before it is stored. */
export type QuarantinedEvent = {
  id: string
  organization_id: string
  error: string
  message: string
}

/**
 * Fans events out in their order, and finds those that fail by bisection.
 *
 * @returns the events that cannot be fanned out
 * @throws errors that are not caused by an event, such as a lost connection
 */
export async function fanOutBisecting(tx: Tx, events: DrainedEvent[], fanOut: FanOut): Promise<QuarantinedEvent[]> {
  const [first] = events
  if (!first) return []
  try {
    await savepoint(tx, (inner) => fanOut(inner, events))
    return []
  } catch (error) {
    if (isOutage(error) || isLockTimeout(error)) throw error
    if (events.length === 1) {
      log.error({ error, event_id: first.id, event: first.name, attempts: first.attempts + 1 }, 'event fan-out failed')
      const message = error instanceof Error ? error.message : String(error)
      return [{ id: first.id, organization_id: first.organization_id, error: errorClass(error), message }]
    }
    const middle = Math.ceil(events.length / 2)
    const failed = await fanOutBisecting(tx, events.slice(0, middle), fanOut)
    return [...failed, ...(await fanOutBisecting(tx, events.slice(middle), fanOut))]
  }
}

/** Postpones events: by ten seconds after the first failure, by four times as much after each further one, at most an hour. */
export async function quarantine(tx: Tx, events: QuarantinedEvent[]): Promise<void> {
  if (events.length === 0) return
  const failed = await tx<{ id: string; organization_id: string; error: string }[]>`
    select id, organization_id, concat_ws(': ', error, nullif(ops.shown_error(message), '')) as error
    from jsonb_to_recordset(${tx.json(events)}) as failed (id uuid, organization_id uuid, error text, message text)
  `
  await tx`
    update outbox as event
    set attempts  = event.attempts + 1,
        failed_at = least(event.failed_at, now()),
        retry_at  = seconds_after(now(), least(10 * 4 ^ least(event.attempts, 10), 3600)),
        error     = failed.error
    from jsonb_to_recordset(${tx.json(failed)}) as failed (id uuid, organization_id uuid, error text)
    where event.id = failed.id
      and event.organization_id = failed.organization_id
  `
}
