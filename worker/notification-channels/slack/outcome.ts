/** What the answer of an incoming webhook of Slack means. */
import { retryAfter } from '../../deployment-hooks/outcome.ts'
import type { OutboundResult } from '../../outbound/outbound.ts'
import { type Classification, gone, isIncomplete, jsonOf, noResponse, permanent, transient } from '../outcome.ts'

/** Error codes for errors in the message that Signalbox made. */
export const MESSAGE_ERRORS = new Set([
  'invalid_payload',
  'invalid_blocks',
  'invalid_blocks_format',
  'invalid_attachments',
  'no_text',
  'missing_text_or_fallback_or_attachments',
  'too_many_attachments',
  'msg_blocks_too_long',
  'msg_too_long',
  'invalid_arguments',
])

const GONE = 'The webhook no longer exists. Create a new one in Slack and set it here.'
const FORBIDDEN = 'Slack does not allow this webhook to post. Ask an admin of the Slack workspace.'

/** Error codes for errors in the configuration of the channel, and what its owner can do. */
const CHANNEL_ERRORS: Record<string, string> = {
  user_not_found: 'The user that the webhook posts to no longer exists.',
  channel_not_found: 'The Slack channel that the webhook posts to no longer exists.',
  channel_is_archived: 'The Slack channel is archived. Unarchive it, or create a webhook for another one.',
  action_prohibited: FORBIDDEN,
  posting_to_general_channel_denied: FORBIDDEN,
  invalid_token: GONE,
  team_disabled: 'The Slack workspace is disabled.',
  no_team: 'The Slack workspace no longer exists.',
  no_service: GONE,
  no_service_id: GONE,
  no_active_hooks: GONE,
}

/** Success is 200 with the body `ok`. Everything else is a failure. */
export function classifySlack(result: OutboundResult, now: number): Classification {
  const { status, body, headers, error } = result
  if (status === null || isIncomplete(result)) return noResponse(error)
  const text = (body ?? '').trim()
  if (status === 200 && text === 'ok') return { kind: 'delivered' }
  const reported = jsonOf(result).error ?? text
  // Only what looks like an error code is shown: the body may contain anything.
  const code = typeof reported === 'string' && /^[a-z_]{1,60}$/.test(reported) ? reported : null
  const answer = `Slack answered ${status}${code ? ` ${code}` : ''}.`
  if (code && MESSAGE_ERRORS.has(code)) return permanent('invalid_payload', answer, false)
  if (status === 410) return gone(`${answer} The Slack channel is archived, or the webhook was removed.`)
  if (code && Object.hasOwn(CHANNEL_ERRORS, code)) return permanent(code, `${answer} ${CHANNEL_ERRORS[code]}`)
  if (status === 429 || code === 'rate_limited') {
    return transient('rate_limited', answer, Math.max(1, retryAfter(headers ?? {}, now)))
  }
  if (status === 413) return permanent('payload_too_large', answer, false)
  if (status >= 500 || status === 408) return transient('http_error', answer, retryAfter(headers ?? {}, now))
  if (status < 400) return transient('not_understood', `${answer} Expected 200 with the body "ok".`)
  return permanent('http_error', answer)
}
