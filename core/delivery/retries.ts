/**
 * How often something is sent again, and after how long.
 *
 * @param configured delays in seconds, which are kept exactly
 * @param defaults delays in seconds, with jitter
 */
export function retrySchedule(configured: number[] | null | undefined, defaults: number[]) {
  const delays = configured ?? defaults
  return {
    maxAttempts: delays.length + 1,
    /**
     * The delay after a failed attempt, in seconds.
     *
     * @param attempt the number of the attempt, from 1
     * @param random from 0 to 1, for the jitter of ± 20 %
     */
    delay(attempt: number, random = Math.random()): number {
      const delay = delays[Math.min(attempt, delays.length) - 1] ?? 0
      return configured ? delay : delay * (0.8 + 0.4 * random)
    },
  }
}
