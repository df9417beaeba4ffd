/** What attempts of dispatches say about their hooks. */
import { config } from '../../core/platform/config.ts'
import { type Response, responsesOf } from '../delivery/health.ts'
import type { DispatchAttempt } from './attempt.ts'

/** A success is noted so often, to spare a write for each. */
export const SUCCESS_SECONDS = Math.min(60, config.HOOK_DISABLE_SECONDS / 10)

/** Whether an attempt says anything: a test does not, and neither does an answer of a former url. */
const counts = ({ item, isStale }: DispatchAttempt): boolean => item.event !== 'test.ping' && !isStale

/** Whether an attempt says more of its hook than is known. */
const isNews = ({ hook, succeeded }: DispatchAttempt): boolean => !succeeded || !hook.isWell

/** How hooks responded, where that is news. */
export function newsOf(attempts: DispatchAttempt[]): Response[] {
  const byHook = Map.groupBy(attempts.filter(counts), ({ lane }) => lane.id)
  const news = [...byHook.values()].filter((each) => each.some(isNews)).flat()
  return responsesOf(
    news.map(({ lane, succeeded, result }) => ({
      lane,
      is_reached: succeeded,
      timed_out: result.status === null && result.error?.code === 'timeout',
      hold_seconds: null,
    })),
  )
}
