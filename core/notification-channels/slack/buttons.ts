/** Clicks in Slack, shared by API and worker: what the buttons of a gate carry, and where answers may go. */
import { createHmac } from 'node:crypto'
import { isAllowedAddress } from '../../outbound/requests.ts'
import { config } from '../../platform/config.ts'
import { equalInConstantTime } from '../../security/tokens.ts'
import { isUuid } from '../../values/uuids.ts'
import { bareName } from '../../values/web-addresses.ts'

export const APPROVE = 'gate.approve'
export const REJECT = 'gate.reject'
/** The link to the page. Slack reports clicks on it as well. */
export const OPEN = 'gate.open'
/** The same, in place of Approve. */
export const OPEN_TO_APPROVE = 'gate.open_to_approve'
/** The same, for requesting changes, which needs a comment. */
export const OPEN_TO_REQUEST_CHANGES = 'gate.open_to_request_changes'

/** A message about a gate: the one that a button belongs to. */
export interface GateMessage {
  organization_id: string
  channel_id: string
  event_id: string
  gate_id: string
  /** The binding of the gate that the message shows; null if it has none. */
  binding?: string | null
}

const FIELDS = ['organization_id', 'channel_id', 'event_id', 'gate_id'] as const

const signed = (text: string, secret: string): Buffer =>
  createHmac('sha256', createHmac('sha256', secret).update('signalbox slack button').digest()).update(text).digest()

/**
 * The value of a button. Signed: the holder of a bot token can post messages with buttons of the same Slack app, and could
 * otherwise lead people to decide a gate of another tenant.
 */
export function buttonValue({ binding = null, ...message }: GateMessage): string {
  const text = [...FIELDS.map((field) => message[field]), ...(binding === null ? [] : [binding])].join('.')
  const [secret = ''] = config.JWT_SECRET
  return `${text}.${signed(text, secret).toString('base64url')}`
}

/** Verifies and parses the value of a button; null if it is not valid. */
export function readButtonValue(value: string): GateMessage | null {
  const parts = value.split('.')
  const signature = Buffer.from(parts.pop() ?? '', 'base64url')
  const [ids, [binding = null, ...more]] = [parts.slice(0, FIELDS.length), parts.slice(FIELDS.length)]
  if (ids.length < FIELDS.length || !ids.every(isUuid) || more.length > 0) return null
  const isValid = config.JWT_SECRET.some((secret) => equalInConstantTime(signature, signed(parts.join('.'), secret)))
  if (!isValid) return null
  const [organization_id = '', channel_id = '', event_id = '', gate_id = ''] = ids
  return { organization_id, channel_id, event_id, gate_id, binding }
}

/** Whether answers to a click may go to a URL: Slack's, or one that the operator allowed. */
export function isResponseUrl(text: string): boolean {
  if (text.length > 2048 || !/^https?:\/\//i.test(text) || !URL.canParse(text)) return false
  const { protocol, hostname, port, username, password } = new URL(text)
  if (username || password) return false
  if (isAllowedAddress(hostname, config.OUTBOUND_ALLOW)) return true
  return protocol === 'https:' && bareName(hostname) === 'hooks.slack.com' && port === ''
}
