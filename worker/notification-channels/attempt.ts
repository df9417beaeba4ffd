/** Sends a message once. */

import type { Lane } from '../../core/lanes.ts'
import { nowIso } from '../../core/platform/clock.ts'
import { type Span, traceparentOf } from '../../core/platform/traces.ts'
import type { Attempted } from '../delivery/destination.ts'
import type { DueMessage, OpenChannel } from './fetch-due.ts'
import { beginAttempt } from './observe.ts'
import { type Outcome, outcomeOf, type Tried } from './outcome.ts'
import { send } from './send.ts'

/** One attempt of a message, judged. */
export interface MessageAttempt extends Attempted<DueMessage> {
  channel: OpenChannel
  started_at: string
  tried: Tried
  outcome: Outcome
  span: Span | null
}

/** Sends a message once and judges the answer. */
export async function attempt(lane: Lane, channel: OpenChannel, message: DueMessage): Promise<MessageAttempt> {
  const started_at = nowIso()
  const span = beginAttempt(channel, message)
  const tried = await send(channel, message, traceparentOf(span))
  const outcome = outcomeOf(tried.verdict, message.attempt_count + 1, message.max_attempts)
  const { target_since } = channel
  const succeeded = outcome.status === 'succeeded'
  return { lane, item: message, channel, target_since, started_at, tried, outcome, span, succeeded }
}
