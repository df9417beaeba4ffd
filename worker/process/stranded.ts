/**
 * Finds due destinations without a worker or a job, and jobs and lanes of workers that no longer exist. None should
 * exist: lanes are woken in the transaction that adds work, and live workers release dead ones. If there is a bug in that, this
 * sweep limits the delay to a minute.
 */

import { wakeLanes } from '../../core/delivery/lanes.ts'
import { sql, transaction } from '../../core/platform/database.ts'
import { log } from '../../core/platform/log.ts'
import { strandedDestinations } from '../../core/platform/metrics.ts'
import { cluster } from '../../sql/cluster.ts'
import { releaseWorkers } from './heartbeat.ts'
import { unlockOrphanedJobs } from './lost-jobs.ts'

/** The next sweep finds the rest. */
const BATCH = 1_000

interface StrandedDestination {
  kind: 'hook' | 'channel'
  id: string
  organization_id: string
}

async function wakeDue(): Promise<void> {
  const found = await transaction(async (tx) => {
    const stranded = await tx<StrandedDestination[]>`
      select kind, id, organization_id from ops.stranded_detail where why = 'not_woken' order by due_at limit ${BATCH}
    `
    await wakeLanes(tx, stranded)
    return stranded
  })
  for (const { kind } of found) strandedDestinations.count([kind])
  if (found.length > 0)
    log.error({ found: found.slice(0, 100), count: found.length }, 'woke hooks or channels that were due without a job')
}

/** Wakes what is due without a job, and unlocks what workers that no longer exist have left locked. */
export async function wakeStranded(): Promise<void> {
  const pools = await unlockOrphanedJobs(sql)
  if (pools.length > 0) log.warn({ pools }, 'unlocked jobs of workers that no longer exist')
  await releaseWorkers((await cluster()?.unregisteredOwners()) ?? [])
  await wakeDue()
}
