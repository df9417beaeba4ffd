/** Sends a dispatch once. */

import type { Lane } from '../../core/lanes.ts'
import { nowIso } from '../../core/platform/clock.ts'
import { type Span, traceparentOf } from '../../core/platform/traces.ts'
import type { Attempted } from '../delivery/destination.ts'
import type { OutboundResult } from '../outbound/outbound.ts'
import { post } from '../outbound/outbound.ts'
import { storedAnswer } from '../outbound/stored-response.ts'
import { beginAttempt } from './observe.ts'
import { judge, type Outcome } from './outcome.ts'
import { type DueDispatch, type OpenHook, requestHeaders } from './request.ts'

/** One attempt of a dispatch, judged. */
export interface DispatchAttempt extends Attempted<DueDispatch> {
  hook: OpenHook
  started_at: string
  /** As it is stored. */
  result: OutboundResult
  outcome: Outcome
  span: Span | null
}

/** Sends a dispatch once and judges the answer. */
export async function attempt(lane: Lane, hook: OpenHook, dispatch: DueDispatch): Promise<DispatchAttempt> {
  const started_at = nowIso()
  const number = dispatch.attempt_count + 1
  const span = beginAttempt(hook, dispatch)
  const timestamp = Math.floor(Date.parse(started_at) / 1000)
  const headers = requestHeaders(hook, dispatch, timestamp, traceparentOf(span))
  const answer = await post(hook.url, headers, dispatch.body, hook.id)
  const outcome = judge(answer, number, dispatch.max_attempts, Date.parse(started_at) + answer.duration_ms, hook.mask)
  const result = storedAnswer(answer, hook.mask)
  const { target_since } = hook
  const succeeded = outcome.kind === 'succeeded'
  return { lane, item: dispatch, hook, target_since, started_at, result, outcome, span, succeeded }
}
