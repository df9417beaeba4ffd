/** What a worker looks for by itself, again and again, because nothing wakes it for that. */
import { log } from '../../core/platform/log.ts'
import { isStopping } from './heartbeat.ts'

/**
 * Does something every so often until the process stops: never twice at once, and again after it failed.
 *
 * @param what could not be done, for the log
 */
export function periodically(ms: number, what: string, work: () => Promise<unknown>): void {
  let busy = false
  const timer = setInterval(async () => {
    if (busy || isStopping()) return
    busy = true
    try {
      await work()
    } catch (error) {
      log.debug({ error }, what)
    } finally {
      busy = false
    }
  }, ms)
  timer.unref()
}
