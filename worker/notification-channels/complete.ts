/** Puts attempts of messages on record, many at once, with what follows from them: one transaction a batch. */

import { laneVersions } from '../../core/lanes.ts'
import { transaction } from '../../core/platform/database.ts'
import { disablePlanCache } from '../../sql/transaction.ts'
import type { Completed } from '../delivery/destination.ts'
import { type Health, type Response, recordHealth, responsesOf } from '../delivery/health.ts'
import { correctForMoves } from '../delivery/targets.ts'
import type { MessageAttempt } from './attempt.ts'
import { reasonsToDisable, switchOff } from './disable.ts'
import { outcomeOf, verdictAfterMove } from './outcome.ts'
import { recordAttempts } from './record-attempts.ts'

/** Another mail server may take the addresses that the former one refused. */
function afterMove(attempt: MessageAttempt): MessageAttempt {
  const { item, tried } = attempt
  const verdict = verdictAfterMove(tried.verdict)
  const outcome = outcomeOf(verdict, item.attempt_count + 1, item.max_attempts)
  return { ...attempt, tried: { ...tried, verdict, refused: {} }, outcome }
}

/**
 * How channels responded. A test says nothing, nor does the answer of a former target, nor a failure that is the fault of
 * our own message.
 */
const responses = (attempts: MessageAttempt[]): Response[] =>
  responsesOf(
    attempts.flatMap(({ lane, item, tried: { verdict, accepted = [] }, outcome, isStale }) => {
      const is_reached = verdict.kind === 'delivered' || accepted.length > 0
      const counts = verdict.kind !== 'permanent' || verdict.counts || is_reached
      if (item.event === 'test.ping' || isStale || !counts) return []
      const hold_seconds = outcome.status === 'pending' && outcome.hold ? outcome.after_seconds : null
      return { lane, is_reached, timed_out: false, hold_seconds }
    }),
  )

/** Records attempts, how their channels responded, and which channels are switched off. */
export function completeMessages(given: MessageAttempt[]): Promise<Completed<MessageAttempt>> {
  return transaction(async (tx) => {
    const attempts = await correctForMoves(tx, 'channel', given, afterMove)
    await disablePlanCache(tx)
    const recorded = await recordAttempts(tx, attempts)
    const counted = attempts.filter(({ item }) => recorded.has(item.id))
    const isNews = counted.some(({ succeeded, channel }) => !succeeded || channel.isFailing)
    const [versions, healths] = await Promise.all([
      laneVersions(
        tx,
        counted.map(({ lane }) => lane),
      ),
      isNews ? recordHealth(tx, responses(counted)) : ([] as Health[]),
    ])
    for (const [{ lane }, reason] of reasonsToDisable(counted, healths)) {
      await switchOff(tx, lane.organization_id, lane.id, reason)
    }
    return { attempts, versions }
  })
}
