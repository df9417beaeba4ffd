/** The request of a dispatch, as it is sent, or handed out when it is claimed. */

import { reportHeaders } from '../rollouts.ts'
import { reportToken } from '../security/report-token.ts'
import type { Signer } from '../security/signers.ts'
import { dispatchHeaders, traceHeader } from './create.ts'

/** What the headers need of a hook. */
export interface SigningHook {
  sign: Signer
  headers: Record<string, string>
}

/** What the headers need of a dispatch. */
export interface SignedDispatch {
  id: string
  event: string
  sequence: number | null
  body: string
  /** The number of attempts already made. */
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
export function requestHeaders(
  hook: SigningHook,
  dispatch: SignedDispatch,
  timestamp: number,
  traceparent: string | null,
): Record<string, string> {
  return {
    ...traceHeader(hook.headers, traceparent),
    ...dispatchHeaders(hook.headers, dispatch, dispatch.attempt_count + 1),
    ...reportHeaders(dispatch.id, dispatch.report_within_seconds, () => reportToken(dispatch.id)),
    ...hook.sign({ id: dispatch.redelivery_of ?? dispatch.id, timestamp, body: dispatch.body }),
  }
}
