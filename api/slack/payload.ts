/** Reads what Slack posts when a person clicks (https://docs.slack.dev/reference/interaction-payloads/block_actions-payload). */
import { createHmac } from 'node:crypto'
import {
  APPROVE,
  type GateMessage,
  isResponseUrl,
  REJECT,
  readButtonValue,
} from '../../core/notification-channels/slack/buttons.ts'
import { equalInConstantTime } from '../../core/security/tokens.ts'
import { isObject } from '../../core/values/json.ts'
import { storable } from '../../core/values/plain-text.ts'
import { Problem } from '../problems.ts'
import type { SlackAccount } from '../users/identities.ts'

/** Seconds that the timestamp of a request may differ from our clock. */
const TOLERANCE = 300

/** Whether a request is signed with one of the secrets, and is recent. @param body the raw body @param now seconds since 1970 */
export function isSignedBySlack(headers: Headers, body: Uint8Array, secrets: readonly string[], now: number): boolean {
  const timestamp = headers.get('x-slack-request-timestamp') ?? ''
  const given = headers.get('x-slack-signature') ?? ''
  if (!/^\d{1,12}$/.test(timestamp) || Math.abs(now - Number(timestamp)) > TOLERANCE) return false
  return secrets.some((secret) => {
    const expected = `v0=${createHmac('sha256', secret).update(`v0:${timestamp}:`).update(body).digest('hex')}`
    return equalInConstantTime(given, expected)
  })
}

export interface ClickedMessage {
  /** Null if the app is installed in an enterprise as a whole. */
  team_id: string | null
  slack_channel: string
  ts: string
}

/** A click on Approve or Reject. */
export interface Click {
  account: SlackAccount
  /** What Slack calls the person; null if it does not say. */
  user_name: string | null
  /** The domain of the person's Slack workspace; null if Slack does not say. */
  team_domain: string | null
  /** Null if Slack names no message. */
  clicked: ClickedMessage | null
  decision: 'approve' | 'reject'
  message: GateMessage
  /** Where the person is answered; null if Slack named no address, or one that is not its own. */
  response_url: string | null
}

type Json = Record<string, unknown>

const invalidInteraction = (detail: string): Problem => new Problem('invalid_interaction', detail)

const asId = (value: unknown): string | null => (typeof value === 'string' && /^[A-Z0-9]{1,64}$/.test(value) ? value : null)

const at = (value: unknown, field: string): unknown => (isObject(value) ? value[field] : undefined)

const idOf = (value: unknown): string | null => asId(at(value, 'id'))

const textAt = (value: unknown, field: string): string | null => {
  const text = at(value, field)
  return typeof text === 'string' ? storable(text).slice(0, 200) || null : null
}

/** The person: `team` says where the app is, and is null if an enterprise has it; `user.team_id` says whose the person is. */
function accountOf({ user, team, enterprise }: Json): SlackAccount | null {
  const [team_id, external_id] = [asId(at(user, 'team_id')) ?? idOf(team) ?? idOf(enterprise), idOf(user)]
  return team_id === null || external_id === null ? null : { team_id, external_id }
}

function clickedMessageOf({ team, channel, container, message }: Json): ClickedMessage | null {
  const slack_channel = asId(at(container, 'channel_id')) ?? idOf(channel)
  const ts = textAt(container, 'message_ts') ?? textAt(message, 'ts')
  return slack_channel === null || ts === null ? null : { team_id: idOf(team), slack_channel, ts }
}

function readPayload(body: Uint8Array): Json {
  const text = new URLSearchParams(new TextDecoder().decode(body)).get('payload')
  if (text === null) throw invalidInteraction('The form has no field payload.')
  let payload: unknown
  try {
    payload = JSON.parse(text)
  } catch {
    throw invalidInteraction('The field payload is not valid JSON.')
  }
  if (!isObject(payload) || typeof payload.type !== 'string') throw invalidInteraction('The payload has no type.')
  return payload
}

/**
 * Reads a form that Slack has signed.
 * @returns null for another interaction than a click on a button that this service made
 * @throws Problem `invalid_interaction`
 */
export function readClick(body: Uint8Array): Click | null {
  const payload = readPayload(body)
  if (payload.type !== 'block_actions') return null
  if (!Array.isArray(payload.actions) || !isObject(payload.actions[0])) throw invalidInteraction('The payload has no actions.')
  const { action_id, value } = payload.actions[0]
  if (action_id !== APPROVE && action_id !== REJECT) return null
  const account = accountOf(payload)
  if (!account) throw invalidInteraction('The payload does not say who clicked.')
  const message = typeof value === 'string' ? readButtonValue(value) : null
  if (!message) return null
  const { response_url } = payload
  return {
    account,
    user_name: textAt(payload.user, 'username') ?? textAt(payload.user, 'name'),
    team_domain: idOf(payload.team) === account.team_id ? textAt(payload.team, 'domain') : null,
    clicked: clickedMessageOf(payload),
    decision: action_id === APPROVE ? 'approve' : 'reject',
    message,
    response_url: typeof response_url === 'string' && isResponseUrl(response_url) ? response_url : null,
  }
}
