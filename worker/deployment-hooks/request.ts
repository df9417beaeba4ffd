/** What a dispatch looks like on the wire. */
import { dispatchHeaders, traceHeader } from '../../core/deployment-hooks.ts'
import { signatureHeaders } from '../../core/security/signing.ts'
import type { Mask } from '../outbound/masking.ts'

/** A hook with its secrets open; it never leaves this process. */
export interface OpenHook {
  id: string
  organization_id: string
  url: string
  /** Since when it has led to this url. */
  target_since: string
  /** The signing key in force first, then the one before it while both sign; none where nothing is signed. */
  keys: Uint8Array[]
  headers: Record<string, string>
  /** Takes all secrets out of what comes back. */
  mask: Mask
  /** It succeeded lately, and did not fail since: another success says nothing new. */
  isWell: boolean
}

/** A dispatch that is due. */
export interface DueDispatch {
  id: string
  workspace_id: string
  project_id: string
  environment: string
  created_at: string
  /** From when on it is not to be sent any more; null where that is never. */
  expires_at: string | null
  event: string
  sequence: number | null
  body: string
  attempt_count: number
  max_attempts: number
  redelivery_of: string | null
  request_id: string | null
  traceparent: string | null
}

/**
 * The headers of one attempt. The id is that of the first dispatch, so that a receiver knows a repeat.
 *
 * @param timestamp seconds since 1970: each attempt is signed anew, as Standard Webhooks asks
 * @param traceparent the place of the attempt in a trace, if it has one; a hook's own header of that name goes before
 */
export function requestHeaders(
  hook: OpenHook,
  dispatch: DueDispatch,
  timestamp: number,
  traceparent: string | null,
): Record<string, string> {
  return {
    ...traceHeader(hook.headers, traceparent),
    ...dispatchHeaders(hook.headers, dispatch, dispatch.attempt_count + 1),
    ...signatureHeaders(hook.keys, { id: dispatch.redelivery_of ?? dispatch.id, timestamp, body: dispatch.body }),
  }
}
