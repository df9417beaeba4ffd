/** When a dispatch is sent again. */
import { config } from '../platform/config.ts'

const MINUTE = 60
const HOUR = 60 * MINUTE
const SCHEDULE = [5, MINUTE, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 10 * HOUR]

const delays: number[] = config.HOOK_RETRY_SECONDS ?? SCHEDULE

/** Maximum number of attempts of a dispatch. */
export const MAX_ATTEMPTS = delays.length + 1

/**
 * The delay after a failed attempt, in seconds.
 *
 * @param attempt the number of the attempt, from 1
 * @param random from 0 to 1, for the jitter of ± 20 %
 */
export function retryDelay(attempt: number, random = Math.random()): number {
  const delay = delays[Math.min(attempt, delays.length) - 1] ?? 0
  return config.HOOK_RETRY_SECONDS ? delay : delay * (0.8 + 0.4 * random)
}
