/** Sends a message once. */

import type { Lane } from '../../core/delivery/lanes.ts'
import { databaseMs } from '../../core/platform/clock.ts'
import { type Span, traceparentOf } from '../../core/platform/traces.ts'
import type { AttemptResult } from '../delivery/destination.ts'
import type { DueMessage, OpenChannel } from './due-message.ts'
import { beginAttempt } from './observe.ts'
import { type MessageOutcome, outcomeOf, type SendResult } from './outcome.ts'
import { send } from './send.ts'

/** One attempt of a message, with its outcome. */
export interface MessageAttempt extends AttemptResult<DueMessage> {
  channel: OpenChannel
  started_at: string
  result: SendResult
  outcome: MessageOutcome
  span: Span | null
}

/** Sends a message once and classifies the response. */
export async function attempt(lane: Lane, channel: OpenChannel, message: DueMessage): Promise<MessageAttempt> {
  const started_at = new Date(databaseMs(channel.clock)).toISOString()
  const span = beginAttempt(channel, message)
  const result = await send(channel, message, traceparentOf(span))
  const outcome = outcomeOf(result.classification, message.attempt_count + 1, message.max_attempts)
  const { target_since } = channel
  const succeeded = outcome.status === 'succeeded'
  return { lane, item: message, channel, target_since, started_at, result, outcome, span, succeeded }
}
