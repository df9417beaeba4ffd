/** The request of a dispatch, as it is sent, or handed out when it is claimed. */

import { reportHeaders } from '../rollouts/rollouts.ts'
import { reportToken } from '../security/report-token.ts'
import type { Signer } from '../security/signing.ts'

/** The `traceparent` header, unless the hook's own headers contain one. */
export const traceHeader = (custom: Record<string, string>, traceparent: string | null): { traceparent?: string } =>
  traceparent === null || Object.keys(custom).some((name) => name.toLowerCase() === 'traceparent') ? {} : { traceparent }

/** Without signatures. @param custom the hook's own headers, none with a name of those added here @param attempt from 1 */
export const dispatchHeaders = (
  custom: Record<string, string>,
  { id, event, sequence }: Pick<SignedDispatch, 'id' | 'event' | 'sequence'>,
  attempt: number,
) => ({
  ...custom,
  'Content-Type': 'application/json',
  'User-Agent': 'Signalbox-Hooks/1',
  'X-Signalbox-Event': event,
  'X-Signalbox-Delivery': id,
  'X-Signalbox-Attempt': String(attempt),
  ...(sequence === null ? {} : { 'X-Signalbox-Sequence': String(sequence) }),
})

export type SigningHook = { sign: Signer; headers: Record<string, string> }

export interface SignedDispatch {
  id: string
  event: string
  sequence: number | null
  body: string
  attempt_count: number
  /** Null if the receiver does not report the outcome of the deployment. */
  report_within_seconds: number | null
  redelivery_of: string | null
}

/**
 * The headers of one attempt. A redelivery has the id of the original dispatch, so that receivers recognize it.
 *
 * @param timestamp seconds since 1970; each attempt is signed again, as Standard Webhooks requires
 * @param traceparent trace context of the attempt; a header of that name in the hook's own headers takes precedence
 */
export function requestHeaders(hook: SigningHook, dispatch: SignedDispatch, timestamp: number, traceparent: string | null) {
  return {
    ...traceHeader(hook.headers, traceparent),
    ...dispatchHeaders(hook.headers, dispatch, dispatch.attempt_count + 1),
    ...reportHeaders(dispatch.id, dispatch.report_within_seconds, () => reportToken(dispatch.id)),
    ...hook.sign({ id: dispatch.redelivery_of ?? dispatch.id, timestamp, body: dispatch.body }),
  }
}
