/** Records a batch of attempts and what follows from them, in one transaction. */

import { announceChange, scopePath } from '../../core/changes.ts'
import { laneVersions } from '../../core/delivery/lanes.ts'
import { transaction } from '../../core/platform/database.ts'
import type { Tx } from '../../sql/index.ts'
import { joinByKeys } from '../../sql/transaction.ts'
import type { RecordedBatch } from '../delivery/destination.ts'
import { correctForTargetChanges, type Health, type HealthUpdate, healthUpdates, recordHealth } from '../delivery/health.ts'
import type { MessageAttempt } from './attempt.ts'
import { disableChannel, reasonsToDisable } from './disable.ts'
import { classificationAfterTargetChange, outcomeOf } from './outcome.ts'
import { recordAttempts } from './record-attempts.ts'
import { UPDATED_TYPES } from './senders.ts'

/** Refused addresses are forgotten: the new mail server may accept them. */
function afterTargetChange(attempt: MessageAttempt): MessageAttempt {
  const { item, result } = attempt
  const classification = classificationAfterTargetChange(result.classification)
  const outcome = outcomeOf(classification, item.attempt_count + 1, item.max_attempts)
  return { ...attempt, result: { ...result, classification, refused: {} }, outcome }
}

/** Health updates of channels. Tests, responses of a former target and failures caused by our own message do not count. */
const channelHealthUpdates = (attempts: MessageAttempt[]): HealthUpdate[] =>
  healthUpdates(
    attempts.flatMap(({ lane, item, result: { classification, accepted = [] }, outcome, targetChanged }) => {
      const has_succeeded = classification.kind === 'delivered' || accepted.length > 0
      const countsAsFailure = classification.kind !== 'permanent' || classification.countsAsFailure || has_succeeded
      if (item.event === 'test.ping' || targetChanged || !countsAsFailure) return []
      const hold_seconds = outcome.status === 'pending' && outcome.hold ? outcome.after_seconds : null
      return { lane, has_succeeded, timed_out: false, hold_seconds }
    }),
  )

/** Records what attempts changed in posted messages. */
async function recordChanges(tx: Tx, attempts: MessageAttempt[]): Promise<void> {
  for (const { type, updates } of UPDATED_TYPES) {
    const changes = attempts.flatMap(({ lane, channel, result: { change } }) =>
      channel.channel_type === type && change ? { ...change, organization_id: lane.organization_id, channel_id: lane.id } : [],
    )
    await updates.record(tx, changes)
  }
}

/** Records attempts, updates the health of their channels, and disables failing channels. */
export function completeMessages(given: MessageAttempt[]): Promise<RecordedBatch<MessageAttempt>> {
  return transaction(async (tx) => {
    const attempts = await correctForTargetChanges(tx, 'channel', given, afterTargetChange)
    await joinByKeys(tx)
    // Before the deliveries, because it locks channels.
    await recordChanges(tx, attempts)
    const recorded = await recordAttempts(tx, attempts)
    const newlyRecorded = attempts.filter(({ item }) => recorded.has(item.id))
    announceChange(tx, ...newlyRecorded.map(({ channel }) => scopePath({ ...channel, project_id: null })))
    const changesHealth = newlyRecorded.some(({ succeeded, channel }) => !succeeded || channel.isFailing)
    const [versions, healths] = await Promise.all([
      laneVersions(
        tx,
        newlyRecorded.map(({ lane }) => lane),
      ),
      changesHealth ? recordHealth(tx, channelHealthUpdates(newlyRecorded)) : ([] as Health[]),
    ])
    for (const [{ lane }, reason] of reasonsToDisable(newlyRecorded, healths)) {
      await disableChannel(tx, lane.organization_id, lane.id, reason)
    }
    return { attempts, versions }
  })
}
