/** Drains the outbox on NOTIFY. A job alone could have to wait for a free slot. */

import { OUTBOX_CHANNEL } from '../../core/jobs/drain.ts'
import { listener } from '../../core/platform/database.ts'
import { log } from '../../core/platform/log.ts'
import type { Drain, Wanted } from './drain.ts'

/** Listens until the process ends, and reconnects if the connection is lost. The poll finds events that were missed meanwhile. */
export function listenToOutbox(drain: Drain): void {
  // If it fails, the poll finds events that are still pending, and adds a job for them.
  const drainNow = (wanted: Wanted) =>
    void drain.run(wanted).catch((error) => log.warn({ error }, 'drain failed; the poll will retry it'))
  listener
    .listen(
      OUTBOX_CHANNEL,
      (organization_ids) => drainNow(organization_ids === '' ? 'any' : organization_ids.split(' ')),
      () => drainNow('any'),
    )
    .catch((error) => log.warn({ error }, 'could not listen for drain requests; the poll will find pending events'))
}
