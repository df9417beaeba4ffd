/**
 * Finds destinations that are due and that no job serves, and jobs that are locked for a worker that is gone. Neither
 * should exist: wakes are written with the work, and live workers take over from dead ones. This bounds what a fault in
 * that costs to about two minutes instead of forever.
 */

import { wakeLanes } from '../../core/jobs/lanes.ts'
import { sql, transaction } from '../../core/platform/database.ts'
import { log } from '../../core/platform/log.ts'
import { strandedDestinations } from '../../core/platform/metrics.ts'
import { workerId } from './heartbeat.ts'
import { unlockOrphanedJobs } from './lost-jobs.ts'
import { periodically } from './periodically.ts'

const SWEEP_MS = 60_000
/** The others are found a minute later. */
const BATCH = 1_000

interface Stranded {
  kind: 'hook' | 'channel'
  id: string
}

/** One worker sweeps for all of them: the live one that was started first. */
async function isFirst(): Promise<boolean> {
  const [first] = await sql<{ id: string }[]>`
    select id from workers where seen_at > now() - interval '15 seconds' order by started_at, id limit 1
  `
  return first?.id === workerId
}

async function wakeStranded(): Promise<void> {
  const found = await transaction(async (tx) => {
    const stranded = await tx<Stranded[]>`
      select kind, id from ops.stranded_detail where why = 'not_woken' order by due_at limit ${BATCH}
    `
    await wakeLanes(
      tx,
      stranded.map(({ id }) => id),
    )
    return stranded
  })
  for (const { kind } of found) strandedDestinations.count([kind])
  if (found.length > 0) log.error({ found: found.slice(0, 100), count: found.length }, 'hooks or channels were due without a job')
}

async function sweep(): Promise<void> {
  if (!(await isFirst())) return
  const pools = await unlockOrphanedJobs(sql)
  if (pools.length > 0) log.warn({ pools }, 'jobs of workers that are gone were unlocked')
  await wakeStranded()
}

/** Sweeps until the process stops. */
export const sweepStranded = (): void => periodically(SWEEP_MS, 'the sweep for stranded destinations failed', sweep)
