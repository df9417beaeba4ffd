/** Reads what Slack posts when a person clicks (https://docs.slack.dev/reference/interaction-payloads/block_actions-payload). */
import { APPROVE, type GateMessage, isResponseUrl, REJECT, readButtonValue } from '../../core/slack.ts'
import { Problem } from '../problems.ts'

/** A person as Slack knows them. */
export interface SlackAccount {
  team_id: string
  external_id: string
}

/** A click on Approve or Reject. */
export interface Click {
  account: SlackAccount
  decision: 'approve' | 'reject'
  message: GateMessage
  /** Where the person is answered; null if Slack named no address, or one that is not its own. */
  response_url: string | null
}

type Json = Record<string, unknown>

const isObject = (value: unknown): value is Json => value !== null && typeof value === 'object' && !Array.isArray(value)

const invalidInteraction = (detail: string): Problem => new Problem('invalid_interaction', detail)

const idOf = (value: unknown): string | null =>
  isObject(value) && typeof value.id === 'string' && /^[A-Z0-9]{1,64}$/.test(value.id) ? value.id : null

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
 *
 * @returns null for another interaction than a click on a button that this service made
 * @throws Problem `invalid_interaction`
 */
export function readClick(body: Uint8Array): Click | null {
  const payload = readPayload(body)
  if (payload.type !== 'block_actions') return null
  if (!Array.isArray(payload.actions) || !isObject(payload.actions[0])) throw invalidInteraction('The payload has no actions.')
  const { action_id, value } = payload.actions[0]
  if (action_id !== APPROVE && action_id !== REJECT) return null
  const [team_id, external_id] = [idOf(payload.team), idOf(payload.user)]
  if (team_id === null || external_id === null) throw invalidInteraction('The payload does not say who clicked.')
  const message = typeof value === 'string' ? readButtonValue(value) : null
  if (!message) return null
  const { response_url } = payload
  return {
    account: { team_id, external_id },
    decision: action_id === APPROVE ? 'approve' : 'reject',
    message,
    response_url: typeof response_url === 'string' && isResponseUrl(response_url) ? response_url : null,
  }
}
