/** What attempts of dispatches say about the health of their hooks. */
import { config } from '../../core/platform/config.ts'
import { type HealthUpdate, healthUpdates } from '../delivery/health.ts'
import type { DispatchAttempt } from './attempt.ts'

/** How often the success of a healthy hook is recorded: a write for each would be wasteful. */
export const SUCCESS_INTERVAL_SECONDS = Math.min(60, config.HOOK_DISABLE_SECONDS / 10)

/** Tests and responses of a former url do not count. */
const counts = ({ item, targetChanged }: DispatchAttempt): boolean => item.event !== 'test.ping' && !targetChanged

const mustRecord = ({ hook, succeeded }: DispatchAttempt): boolean => !succeeded || !hook.isHealthy

/** Health updates of hooks, except those that change nothing. */
export function hookHealthUpdates(attempts: DispatchAttempt[]): HealthUpdate[] {
  const byHook = Map.groupBy(attempts.filter(counts), ({ lane }) => lane.id)
  const relevant = [...byHook.values()].filter((each) => each.some(mustRecord)).flat()
  return healthUpdates(
    relevant.map(({ lane, succeeded, result }) => ({
      lane,
      has_succeeded: succeeded,
      timed_out: result.status === null && result.error?.code === 'timeout',
      hold_seconds: null,
    })),
  )
}
