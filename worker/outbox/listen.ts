/** Drains the outbox on NOTIFY. A job alone could have to wait for a free slot. */

import { OUTBOX_CHANNEL } from '../../core/jobs/drain.ts'
import { listener } from '../../core/platform/database.ts'
import { log } from '../../core/platform/log.ts'
import { drainOutbox } from './drain.ts'

function drainNow(): void {
  // The poll finds events that are still pending, and adds a job for them.
  drainOutbox().catch((error) => log.warn({ error }, 'drain failed; the poll will retry it'))
}

/** Listens until the process ends, and reconnects if the connection is lost. The poll finds events that were missed meanwhile. */
export function listenToOutbox(): void {
  listener
    .listen(OUTBOX_CHANNEL, drainNow, drainNow)
    .catch((error) => log.warn({ error }, 'could not listen for drain requests; the poll will find pending events'))
}
