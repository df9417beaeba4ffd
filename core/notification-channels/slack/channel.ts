/** Slack: an incoming webhook, or a bot that posts through the API. */
import { createHash } from 'node:crypto'
import { type Flaw, isAllowedAddress, urlError } from '../../outbound/requests.ts'
import { config as settings } from '../../platform/config.ts'
import { secretsOfUrl } from '../../security/secret-forms.ts'
import { Maybe, Shape, type Static, Text } from '../../values/schema.ts'
import { bareName, bareUrl } from '../../values/web-addresses.ts'
import { type ConfigError, declareChannel, flawed, Matching, serverOf, WebhookUrl, webhookError } from '../declaration.ts'

/** Where bots post, unless a channel says otherwise. */
const SLACK_API_URL = 'https://slack.com/api'

const BotToken = Text(256, {
  description:
    'A bot token of the Slack app, with the scope `chat:write`. Posts one thread per execution, with buttons for gates. Requires `slack_channel`. Write-only.',
  examples: ['xoxb-123456789012-abcdefghijkl'],
})

const SlackChannel = Text(32, {
  description: 'The id of the Slack channel to post to, not its name. Requires `bot_token`.',
  examples: ['C0123456789'],
})

const config = Shape('SlackConfig', {
  webhook_url: Maybe(
    WebhookUrl(
      'https://hooks.slack.com/services/T000/B000/XXXX',
      'An incoming webhook of Slack, on `hooks.slack.com` or `hooks.slack-gov.com`. Write-only. Either this, or `bot_token` and `slack_channel`.',
    ),
  ),
  bot_token: Maybe(Matching(BotToken, /^xoxb-[A-Za-z0-9-]+$/, 'must be a bot token of Slack, which starts with xoxb-')),
  slack_channel: Maybe(Matching(SlackChannel, /^[CG][A-Z0-9]+$/, 'must be the id of a Slack channel, such as C0123456789')),
  api_url: Maybe(
    Text(2048, {
      description: `Base URL of Slack's API, default \`${SLACK_API_URL}\`; https, or http to an address in \`OUTBOUND_ALLOW\`. If it changes, \`bot_token\` must be sent again.`,
      examples: [SLACK_API_URL],
    }),
  ),
})
export type SlackConfig = Static<typeof config>

export type BotConfig = SlackConfig & { bot_token: string; slack_channel: string }

/** Whether a channel posts as a bot. A bot token without a Slack channel is not used yet. */
export const isBot = (channel: SlackConfig): channel is BotConfig =>
  channel.bot_token !== undefined && channel.slack_channel !== undefined

export const apiUrlOf = ({ api_url }: Pick<SlackConfig, 'api_url'>): string =>
  bareUrl(api_url ?? SLACK_API_URL).replace(/\/+$/, '')

/** Whether bot tokens may be sent to an API: over https, or to an address that the operator allowed. */
export function isSafeApiUrl(url: string): boolean {
  const { protocol, hostname } = new URL(url)
  return protocol === 'https:' || isAllowedAddress(hostname, settings.OUTBOUND_ALLOW)
}

const SLACK_HOSTS = new Set(['slack.com', 'slack-gov.com'])

/** Whether the API of a channel is Slack's own, or one that the operator set or allowed. */
function isTrustedApi(channel: SlackConfig): boolean {
  const url = apiUrlOf(channel)
  const { protocol, hostname } = new URL(url)
  if (url === apiUrlOf({ api_url: settings.SLACK_API_URL }) || isAllowedAddress(hostname, settings.OUTBOUND_ALLOW)) return true
  return protocol === 'https:' && SLACK_HOSTS.has(bareName(hostname))
}

/**
 * Whether the messages of a channel can ask for decisions. A click counts only under a message that the service has posted, and the API of
 * the channel says which one that is: an API of a tenant could name any.
 */
export const takesClicks = (channel: SlackConfig): channel is BotConfig => isBot(channel) && isTrustedApi(channel)

/** A hash of the API and the bot token of a channel, which says whether a message was posted with them. */
export const tokenHashOf = (channel: BotConfig): Buffer =>
  createHash('sha256')
    .update(`${apiUrlOf(channel)} ${channel.bot_token}`)
    .digest()

const SLACK = {
  name: 'Slack',
  host: /^hooks\.slack(-gov)?\.com$/,
  path: /^\/services\/./,
  hint: 'must be an incoming webhook (/services/…); triggers and workflows of Slack expect other messages',
}

function apiUrlError(text: string): Flaw | null {
  const error = urlError(text)
  if (error) return error
  if (/[?#]/.test(text)) return ['malformed', 'must not contain a query or a fragment']
  return isSafeApiUrl(text) ? null : ['not_https', 'must start with https://']
}

/** A bot token next to a webhook waits for its Slack channel: "Add to Slack" stores one. */
function combinationErrors({ webhook_url, bot_token, slack_channel, api_url }: SlackConfig, isTokenNew: boolean): ConfigError[] {
  if (webhook_url !== undefined && slack_channel !== undefined) {
    return flawed(['webhook_url', ['not_allowed', 'cannot be used with bot_token and slack_channel; clear it with null']])
  }
  if (webhook_url === undefined && bot_token === undefined && slack_channel === undefined) {
    return flawed(['webhook_url', ['required', 'is required, or bot_token and slack_channel instead']])
  }
  const lacksToken = slack_channel !== undefined && bot_token === undefined
  const lacksChannel = slack_channel === undefined && (webhook_url === undefined || isTokenNew)
  const api: Flaw | null =
    api_url === undefined || bot_token !== undefined ? null : ['not_allowed', 'can only be used with bot_token']
  return flawed(
    ['bot_token', lacksToken ? ['required', 'is required with slack_channel'] : null],
    ['slack_channel', lacksChannel ? ['required', 'is required with bot_token'] : null],
    ['api_url', api ?? (api_url === undefined ? null : apiUrlError(api_url))],
  )
}

export const slack = declareChannel(config, {
  title: 'Slack',
  format: 'Block Kit',
  fields: { webhook_url: 'secret', bot_token: 'secret', slack_channel: 'public', api_url: 'public' },
  labels: { webhook_url: 'Webhook URL', bot_token: 'Bot token', slack_channel: 'Slack channel', api_url: 'URL of the API' },
  masks: ({ webhook_url, bot_token }) => [
    ...(webhook_url === undefined ? [] : secretsOfUrl(webhook_url)),
    ...(bot_token === undefined ? [] : [bot_token]),
  ],
  serverOf: (channel, secret) => (secret === 'bot_token' ? apiUrlOf(channel) : serverOf(channel.webhook_url)),
  defaults: { api_url: { with: 'bot_token', value: SLACK_API_URL } },
  clearedWith: { api_url: 'bot_token' },
  errors: (channel, stored) => [
    ...flawed(['webhook_url', channel.webhook_url === undefined ? null : webhookError(SLACK, channel.webhook_url)]),
    ...combinationErrors(channel, channel.bot_token !== undefined && channel.bot_token !== stored?.bot_token),
  ],
})
