/** What attempts of dispatches say about the health of their hooks. */
import { config } from '../../core/platform/config.ts'
import { type HealthUpdate, healthUpdates } from '../delivery/health.ts'
import type { DispatchAttempt } from './attempt.ts'
import { isWithheld } from './outcome.ts'

/** How often the success of a healthy hook is recorded: a write for each would be wasteful. */
export const SUCCESS_INTERVAL_SECONDS = Math.min(60, config.HOOK_DISABLE_SECONDS / 10)

/** Tests, responses of a former url and attempts that sent nothing do not count. */
export const counts = ({ item, targetChanged, outcome }: DispatchAttempt): boolean =>
  item.event !== 'test.ping' && !targetChanged && !isWithheld(outcome)

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
