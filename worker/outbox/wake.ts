/** Asks for a drain soon after a commit: NOTIFY says so at once, and a poll finds what a crash kept silent. */
import { sql } from '../../core/database.ts'
import { wakeDrain } from '../../core/jobs.ts'
import { log } from '../../core/log.ts'
import { OUTBOX_CHANNEL } from '../../core/outbox.ts'

const POLL_MS = 500

let asked = false
let again = false

/** Many notices of one moment add one job. */
async function wake(): Promise<void> {
  if (asked) {
    again = true
    return
  }
  asked = true
  try {
    do {
      again = false
      await wakeDrain(sql)
    } while (again)
  } catch (error) {
    log.warn({ error }, 'a drain could not be asked for; the poll will')
  } finally {
    asked = false
  }
}

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
    if (waiting) await wake()
  } catch (error) {
    log.debug({ error }, 'the outbox could not be looked at')
  }
}

/** Listens and polls until the process ends. A connection that breaks is opened again, and looks at what it missed. */
export async function watchOutbox(): Promise<void> {
  setInterval(poll, POLL_MS).unref()
  await sql.listen(OUTBOX_CHANNEL, wake, wake)
}
