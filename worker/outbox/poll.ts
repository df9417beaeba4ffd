/** Finds events for which nobody asked for a drain: their process died between the commit and the asking. */
import { sql } from '../../core/database.ts'
import { log } from '../../core/log.ts'
import { askForDrain } from '../../core/outbox.ts'

const POLL_MS = 500

async function poll(): Promise<void> {
  try {
    const [{ waiting }] = await sql<[{ waiting: boolean }]>`
      select exists (
        select
        from outbox
        where drained_at is null
          and created_at < now() - interval '250 milliseconds'
      ) as waiting
    `
    if (waiting) await askForDrain()
  } catch (error) {
    log.debug({ error }, 'the outbox could not be looked at')
  }
}

/** Polls until the process ends. */
export function pollOutbox(): void {
  setInterval(poll, POLL_MS).unref()
}
