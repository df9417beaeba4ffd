/** Work that a process repeats until it stops. */
import { monotonicMs } from '../../core/platform/clock.ts'
import { log } from '../../core/platform/log.ts'
import { isStopping } from './heartbeat.ts'

/** During an outage every run fails: later failures of the same work are logged this often. */
const REMIND_MS = 60_000

/** Runs work every `ms` milliseconds until the process stops, also after failures, but never twice at once. */
export function periodically(ms: number, failure: string, work: () => Promise<unknown>): void {
  let busy = false
  let loggedAt: number | null = null
  const timer = setInterval(async () => {
    if (busy || isStopping()) return
    busy = true
    try {
      await work()
      loggedAt = null
    } catch (error) {
      const isDue = loggedAt === null || monotonicMs() - loggedAt >= REMIND_MS
      if (isDue) loggedAt = monotonicMs()
      log[isDue ? 'warn' : 'debug']({ error }, failure)
    } finally {
      busy = false
    }
  }, ms)
  timer.unref()
}
