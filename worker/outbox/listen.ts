/** Drains as soon as somebody asks for it, also while lanes hold all slots for jobs: the job would wait for one of them. */

import { OUTBOX_CHANNEL } from '../../core/jobs/drain.ts'
import { listener } from '../../core/platform/database.ts'
import { log } from '../../core/platform/log.ts'
import { drainOutbox } from './drain.ts'

function drainNow(): void {
  // The job and the poll come after it.
  drainOutbox().catch((error) => log.warn({ error }, 'a drain failed; it is tried again'))
}

/** Listens until the process ends, and again whenever the connection was lost; what was missed meanwhile the poll finds. */
export function listenToOutbox(): void {
  listener
    .listen(OUTBOX_CHANNEL, drainNow, drainNow)
    .catch((error) => log.warn({ error }, 'nobody can be heard asking for a drain; the poll finds what waits'))
}
