/** Periodic work that no event triggers. */
import { log } from '../../core/platform/log.ts'
import { isStopping } from './heartbeat.ts'

/**
 * Runs work every `ms` milliseconds until the process stops, also after failures. Skips a run while the last one is active.
 *
 * @param failure the log message if the work fails
 */
export function periodically(ms: number, failure: string, work: () => Promise<unknown>): void {
  let busy = false
  const timer = setInterval(async () => {
    if (busy || isStopping()) return
    busy = true
    try {
      await work()
    } catch (error) {
      log.debug({ error }, failure)
    } finally {
      busy = false
    }
  }, ms)
  timer.unref()
}
