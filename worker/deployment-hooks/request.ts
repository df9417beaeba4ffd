/** What a dispatch looks like on the wire. */
import { signatureHeaders } from '../../core/signing.ts'

/** A hook with its secrets open; it never leaves this process. */
export interface OpenHook {
  id: string
  url: string
  /** The one in force first, then the one before it while both sign; none where nothing is signed. */
  secrets: string[]
  headers: Record<string, string>
  enabled: boolean
}

/** A dispatch that is due. */
export interface DueDispatch {
  id: string
  event: string
  sequence: number | null
  body: string
  attempt_count: number
  max_attempts: number
  redelivery_of: string | null
  request_id: string | null
}

/**
 * The headers of one attempt. The id is that of the first dispatch, so that a receiver knows a repeat.
 *
 * @param timestamp seconds since 1970: each attempt is signed anew, as Standard Webhooks asks
 */
export function requestHeaders(hook: OpenHook, dispatch: DueDispatch, timestamp: number): Record<string, string> {
  return {
    ...hook.headers,
    'Content-Type': 'application/json',
    'User-Agent': 'Signalbox-Hooks/1',
    'X-Signalbox-Event': dispatch.event,
    'X-Signalbox-Delivery': dispatch.id,
    'X-Signalbox-Attempt': String(dispatch.attempt_count + 1),
    ...(dispatch.sequence === null ? {} : { 'X-Signalbox-Sequence': String(dispatch.sequence) }),
    ...signatureHeaders(hook.secrets, { id: dispatch.redelivery_of ?? dispatch.id, timestamp, body: dispatch.body }),
  }
}
