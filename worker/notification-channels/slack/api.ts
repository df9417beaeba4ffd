/** Calls of Slack's Web API as a bot (https://docs.slack.dev/apis/web-api). */
import { apiUrlOf, type BotConfig, isSafeApiUrl } from '../../../core/notification-channels/slack/channel.ts'
import { type OutboundResult, post } from '../../outbound/outbound.ts'
import { retryAfter } from '../../outbound/retry-after.ts'
import type { Classification } from '../outcome.ts'
import { gone, isIncomplete, jsonOf, noResponse, permanent, transient } from '../outcome.ts'
import { MESSAGE_ERRORS, type SlackMessage, shortened } from './webhook.ts'

export interface SlackCall {
  classification: Classification
  /** Slack's error code; null if there is none. */
  error: string | null
  /** The timestamp of the message, which identifies it in its Slack channel. */
  ts: string
  /** The Slack workspace of the message; null if Slack did not say. */
  team_id: string | null
  response_status: number | null
  duration_ms: number
}

const TOKEN = 'The bot token no longer works. Add the app to Slack again, or set a new bot_token.'

/** Error codes for errors in the configuration of the channel, and what its owner can do. */
const CHANNEL_ERRORS: Record<string, string> = {
  channel_not_found: 'The bot cannot see this Slack channel. Check slack_channel, and invite the bot if the channel is private.',
  is_archived: 'The Slack channel is archived. Unarchive it, or set another slack_channel.',
  not_in_channel: 'The bot is not in the Slack channel. Invite it there.',
  invalid_auth: TOKEN,
  not_authed: TOKEN,
  token_revoked: TOKEN,
  token_expired: TOKEN,
  account_inactive: TOKEN,
  missing_scope: 'The bot token lacks the scope chat:write.',
  restricted_action: 'A setting of the Slack workspace does not allow the bot to post in this channel.',
}

const failedWith =
  (...codes: string[]) =>
  ({ error }: SlackCall): boolean =>
    error !== null && codes.includes(error)

export const isDeleted = failedWith('message_not_found', 'thread_not_found')

/** Whether the message exists, and this bot cannot change it. */
export const isUnchangeable = failedWith('cant_update_message', 'edit_window_closed')

const isTooLong = failedWith('msg_too_long', 'msg_blocks_too_long')

/** Whether Slack does not accept what the message shows. */
export const isRefused = (classification: Classification): boolean =>
  classification.kind === 'permanent' && !classification.countsAsFailure

function teamOf(message: unknown): string | null {
  const { team } = Object(message) as { team?: unknown }
  return typeof team === 'string' && /^[A-Z0-9]{1,64}$/.test(team) ? team : null
}

/** Success is `ok: true` with the timestamp of the message. Everything else is a failure. */
function classifyCall(result: OutboundResult, now: number): Pick<SlackCall, 'classification' | 'error' | 'ts' | 'team_id'> {
  const { status, headers } = result
  const { ok, ts, message, error } = jsonOf(result)
  // Only what looks like an error code is shown: the body may contain anything.
  const code = ok === false && typeof error === 'string' && /^[a-z_]{1,60}$/.test(error) ? error : null
  const isPosted = status === 200 && ok === true && typeof ts === 'string' && /^\d{1,12}\.\d{1,12}$/.test(ts)
  return {
    classification:
      isPosted && !isIncomplete(result) ? { kind: 'delivered' } : failureOf(result, code, retryAfter(headers ?? {}, now)),
    error: code,
    ts: isPosted ? ts : '',
    team_id: teamOf(message),
  }
}

function failureOf(result: OutboundResult, code: string | null, asked: number): Classification {
  const { status, error } = result
  if (status === null || isIncomplete(result)) return noResponse(error)
  const answer = `Slack answered ${status}${code ? ` ${code}` : ''}.`
  if (status === 429 || code === 'ratelimited' || code === 'rate_limited') {
    return transient('rate_limited', answer, Math.max(1, asked))
  }
  if (code && Object.hasOwn(CHANNEL_ERRORS, code)) return permanent(code, `${answer} ${CHANNEL_ERRORS[code]}`)
  if (code && MESSAGE_ERRORS.has(code)) return permanent('invalid_payload', answer, false)
  if (status === 410) return gone(`${answer} Check api_url.`)
  if (status >= 500 || status === 408) return transient('http_error', answer, asked)
  if (code) return transient(code, answer)
  if (status === 413) return permanent('payload_too_large', answer, false)
  if (status < 400) return transient('not_understood', `${answer} Expected 200 with JSON that contains ok and ts.`)
  return permanent('http_error', answer)
}

const NOT_SENT = { error: null, ts: '', team_id: null, response_status: null, duration_ms: 0 }

/** Calls a method that posts or changes a message. @param owner the id of the channel, whose connections are reused */
async function callSlack(config: BotConfig, owner: string, method: string, payload: object): Promise<SlackCall> {
  const url = apiUrlOf(config)
  // The operator may have allowed its address when it was stored.
  if (!isSafeApiUrl(url)) return { ...NOT_SENT, classification: permanent('not_https', 'api_url must start with https://.') }
  const headers = {
    Authorization: `Bearer ${config.bot_token}`,
    'Content-Type': 'application/json; charset=utf-8',
    'User-Agent': 'Signalbox-Notifications/1',
  }
  const result = await post(`${url}/${method}`, headers, JSON.stringify(payload), owner)
  return { ...classifyCall(result, Date.now()), response_status: result.status, duration_ms: result.duration_ms }
}

/** Posts or changes a message. One that Slack finds too long is sent without its long parts, rather than not at all. */
export async function sendCard(
  config: BotConfig,
  owner: string,
  method: 'chat.postMessage' | 'chat.update',
  target: object,
  card: SlackMessage,
): Promise<SlackCall> {
  const call = await callSlack(config, owner, method, { ...target, ...card })
  if (!isTooLong(call)) return call
  const again = await callSlack(config, owner, method, { ...target, ...shortened(card) })
  return { ...again, duration_ms: call.duration_ms + again.duration_ms }
}
