/** Finds the events that cannot be fanned out, and postpones them, so that the others do not wait for them. */
import { log } from '../../core/platform/log.ts'
import type { Tx } from '../../sql/index.ts'
import { savepoint } from '../../sql/transaction.ts'
import { errorClass, isLockTimeout, isOutage } from '../process/errors.ts'
import type { DrainedEvent, FanOut } from './drained-event.ts'

/** An event to quarantine, and its error. The message is masked before it is stored. */
type QuarantinedEvent = { id: string; organization_id: string; error: string; message: string }

/** Finds the events that cannot be fanned out by bisection. @throws errors that no event causes, such as a lost connection */
async function fanOutBisecting(tx: Tx, events: DrainedEvent[], fanOut: FanOut): Promise<QuarantinedEvent[]> {
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
async function quarantine(tx: Tx, events: QuarantinedEvent[]): Promise<void> {
  if (events.length === 0) return
  const failed = await tx<{ id: string; organization_id: string; error: string }[]>`
    select id, organization_id, concat_ws(': ', error, nullif(ops.shown_error(message), '')) as error
    from jsonb_to_recordset(${tx.json(events)}) as failed (id uuid, organization_id uuid, error text, message text)
  `
  await tx`
    update waiting_events as waiting
    set attempts  = waiting.attempts + 1,
        failed_at = least(waiting.failed_at, now()),
        retry_at  = seconds_after(now(), least(10 * 4 ^ least(waiting.attempts, 10), 3600)),
        error     = failed.error
    from jsonb_to_recordset(${tx.json(failed)}) as failed (id uuid, organization_id uuid, error text)
    where waiting.id = failed.id and waiting.organization_id = failed.organization_id
  `
}

/** Fans events out without those that cannot be. @returns the ids of the latter */
export async function fanOutIsolating(tx: Tx, events: DrainedEvent[], fanOut: FanOut): Promise<string[]> {
  const failed = await fanOutBisecting(
    tx,
    events.filter(({ attempts }) => attempts === 0),
    fanOut,
  )
  // One by one: an event that failed before will probably fail again, and its batch with it.
  for (const event of events) if (event.attempts > 0) failed.push(...(await fanOutBisecting(tx, [event], fanOut)))
  await quarantine(tx, failed)
  return failed.map(({ id }) => id)
}
