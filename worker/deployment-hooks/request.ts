/** The HTTP request of a dispatch. */
import { dispatchHeaders, traceHeader } from '../../core/deployment-hooks.ts'
import { reportHeaders } from '../../core/rollouts.ts'
import { reportToken } from '../../core/security/report-token.ts'
import type { Signer } from '../../core/security/signers.ts'
import type { Mask } from '../outbound/masking.ts'

/** A hook with its secrets decrypted; it must not leave this process. */
export interface DecryptedHook {
  id: string
  organization_id: string
  url: string
  /** When this url was set. */
  target_since: string
  sign: Signer
  headers: Record<string, string>
  /** Removes all secrets from responses. */
  mask: Mask
  /** Whether it succeeded recently and has not failed since. Another success then need not be recorded. */
  isHealthy: boolean
}

export interface DueDispatch {
  id: string
  workspace_id: string
  project_id: string
  environment: string
  created_at: string
  /** When it expires; null if it does not. */
  expires_at: string | null
  event: string
  sequence: number | null
  body: string
  attempt_count: number
  max_attempts: number
  /** Null if the receiver does not report what becomes of it. */
  report_within_seconds: number | null
  redelivery_of: string | null
  request_id: string | null
  traceparent: string | null
}

/**
 * The headers of one attempt. A redelivery has the id of the original dispatch, so that receivers recognize it.
 *
 * @param timestamp seconds since 1970; each attempt is signed again, as Standard Webhooks requires
 * @param traceparent trace context of the attempt; a header of that name in the hook's own headers takes precedence
 */
export function requestHeaders(
  hook: DecryptedHook,
  dispatch: DueDispatch,
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
