/** Sends a dispatch once. */

import type { Lane } from '../../core/delivery/lanes.ts'
import { mayBeSentTo } from '../../core/dispatches/bodies.ts'
import { OTHER_ORIGIN } from '../../core/dispatches/errors.ts'
import { requestHeaders } from '../../core/dispatches/request-headers.ts'
import { databaseMs } from '../../core/platform/clock.ts'
import { type Span, traceparentOf } from '../../core/platform/traces.ts'
import { type Mask, maskOf } from '../../core/security/masking.ts'
import { reportToken } from '../../core/security/report-token.ts'
import type { AttemptResult } from '../delivery/destination.ts'
import type { OutboundResult } from '../outbound/outbound.ts'
import { post } from '../outbound/outbound.ts'
import { toStoredResponse } from '../outbound/stored-response.ts'
import type { DecryptedHook, DueDispatch } from './due-dispatch.ts'
import { beginAttempt } from './observe.ts'
import { classifyResponse, type DispatchOutcome, withheld } from './outcome.ts'

/** One attempt of a dispatch, with its outcome. */
export interface DispatchAttempt extends AttemptResult<DueDispatch> {
  hook: DecryptedHook
  started_at: string
  /** Masked and cut, as it is stored. */
  result: OutboundResult
  outcome: DispatchOutcome
  span: Span | null
}

/** Masks the secrets of the hook, those of the body and, if the dispatch has one, its report token. */
function maskFor(hook: DecryptedHook, { id, report_within_seconds, mask: bodyMask }: DueDispatch): Mask {
  const mask = bodyMask ?? hook.mask
  if (report_within_seconds === null) return mask
  const maskToken = maskOf([reportToken(id)])
  return (text, isPartial) => maskToken(mask(text, isPartial), isPartial)
}

const NOTHING: OutboundResult = {
  status: null,
  headers: null,
  body: null,
  error: null,
  address: null,
  dns_ms: null,
  first_byte_ms: null,
  duration_ms: 0,
}

/** Sends a dispatch once and classifies the response. A body with secrets of another receiver is not sent. */
export async function attempt(lane: Lane, hook: DecryptedHook, dispatch: DueDispatch): Promise<DispatchAttempt> {
  const startedMs = databaseMs(hook.clock)
  const started_at = new Date(startedMs).toISOString()
  const number = dispatch.attempt_count + 1
  const span = beginAttempt(hook, dispatch)
  const { target_since } = hook
  if (!mayBeSentTo(dispatch.origin, hook.url)) {
    const outcome = withheld(OTHER_ORIGIN)
    return { lane, item: dispatch, hook, target_since, started_at, result: NOTHING, outcome, span, succeeded: false }
  }
  const timestamp = Math.floor(startedMs / 1000)
  const headers = requestHeaders(hook, dispatch, timestamp, traceparentOf(span))
  const response = await post(hook.url, headers, dispatch.body, hook.id)
  const mask = maskFor(hook, dispatch)
  const outcome = classifyResponse(response, number, dispatch.max_attempts, startedMs + response.duration_ms, mask)
  const result = toStoredResponse(response, mask)
  const succeeded = outcome.kind === 'succeeded'
  return { lane, item: dispatch, hook, target_since, started_at, result, outcome, span, succeeded }
}
