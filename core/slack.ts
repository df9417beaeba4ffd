/** Slack, shared by API and worker: how channels are addressed, and what the buttons of a gate carry. */

import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { type DecryptedConfig, SLACK_API_URL } from './notification-channels.ts'
import { isAllowedAddress } from './outbound-addresses.ts'
import { config } from './platform/config.ts'
import { isUuid } from './values/uuids.ts'

/** Whether a channel posts as a bot. A bot token without a Slack channel is not used yet. */
export const isBot = ({ bot_token, slack_channel }: DecryptedConfig): boolean =>
  bot_token !== undefined && slack_channel !== undefined

/** The base URL of Slack's API for a channel. */
export const apiUrlOf = ({ api_url }: DecryptedConfig): string => (api_url ?? SLACK_API_URL).replace(/\/+$/, '')

/** Whether bot tokens may be sent to an API: over https, or to an address that the operator allowed. */
export function isSafeApiUrl(url: string): boolean {
  const { protocol, hostname } = new URL(url)
  return protocol === 'https:' || isAllowedAddress(hostname, config.OUTBOUND_ALLOW)
}

const SLACK_HOSTS = new Set(['slack.com', 'slack-gov.com'])

/** Whether the API of a channel is Slack's own, or one that the operator set or allowed. */
export function isTrustedApi(channel: DecryptedConfig): boolean {
  const url = apiUrlOf(channel)
  const { protocol, hostname } = new URL(url)
  if (url === apiUrlOf({ api_url: config.SLACK_API_URL }) || isAllowedAddress(hostname, config.OUTBOUND_ALLOW)) return true
  return protocol === 'https:' && SLACK_HOSTS.has(hostname)
}

/** A hash of the API and the bot token of a channel, which says whether a message was posted with them. */
export const tokenHashOf = (channel: DecryptedConfig): Buffer =>
  createHash('sha256')
    .update(`${apiUrlOf(channel)} ${channel.bot_token}`)
    .digest()

export const APPROVE = 'gate.approve'
export const REJECT = 'gate.reject'
/** The link to the page. Slack reports clicks on it as well. */
export const OPEN = 'gate.open'

/** A message about a gate: the one that a button belongs to. */
export interface GateMessage {
  organization_id: string
  channel_id: string
  event_id: string
  gate_id: string
}

const FIELDS = ['organization_id', 'channel_id', 'event_id', 'gate_id'] as const

const signed = (text: string, secret: string): Buffer =>
  createHmac('sha256', createHmac('sha256', secret).update('signalbox slack button').digest()).update(text).digest()

/**
 * The value of a button. Signed: the holder of a bot token can post messages with buttons of the same Slack app, and could
 * otherwise lead people to decide a gate of another tenant.
 */
export function buttonValue(message: GateMessage): string {
  const text = FIELDS.map((field) => message[field]).join('.')
  const [secret = ''] = config.JWT_SECRET
  return `${text}.${signed(text, secret).toString('base64url')}`
}

/** Verifies and parses the value of a button; null if it is not valid. */
export function readButtonValue(value: string): GateMessage | null {
  const parts = value.split('.')
  const signature = Buffer.from(parts.pop() ?? '', 'base64url')
  if (parts.length !== FIELDS.length || !parts.every(isUuid)) return null
  const isValid = config.JWT_SECRET.some((secret) => {
    const expected = signed(parts.join('.'), secret)
    return expected.length === signature.length && timingSafeEqual(expected, signature)
  })
  if (!isValid) return null
  const [organization_id = '', channel_id = '', event_id = '', gate_id = ''] = parts
  return { organization_id, channel_id, event_id, gate_id }
}

/** Whether answers to a click may go to a URL: Slack's, or one that the operator allowed. */
export function isResponseUrl(text: string): boolean {
  if (text.length > 2048 || !/^https?:\/\//i.test(text) || !URL.canParse(text)) return false
  const { protocol, hostname, port, username, password } = new URL(text)
  if (username || password) return false
  if (isAllowedAddress(hostname, config.OUTBOUND_ALLOW)) return true
  return protocol === 'https:' && hostname === 'hooks.slack.com' && port === ''
}
