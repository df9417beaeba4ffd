/** Validation of the `config` of channels. Every error names its field. */

import { type ChannelType, type DecryptedConfig, SECRET_FIELDS } from '../../core/notification-channels.ts'
import { isAllowedAddress, literalAddress } from '../../core/outbound-addresses.ts'
import { config as settings } from '../../core/platform/config.ts'
import { MASK } from '../../core/security/secrets.ts'
import { apiUrlOf, isSafeApiUrl } from '../../core/slack.ts'
import { asciiLowerCase } from '../../core/values/email-addresses.ts'
import { headerErrors, secretError, urlError } from '../deployment-hooks/rules.ts'
import { requireReadable, UNREADABLE } from '../deployment-hooks/unreadable-secrets.ts'
import { bodyInput } from '../plugins/validation.ts'
import { escapePointer, type FieldError, invalidFields, Problem } from '../problems.ts'
import { CONFIGS } from './schema.ts'

const SHAPES = {
  slack: bodyInput(CONFIGS.slack),
  teams: bodyInput(CONFIGS.teams),
  feishu: bodyInput(CONFIGS.feishu),
  webhook: bodyInput(CONFIGS.webhook),
  email: bodyInput(CONFIGS.email),
} as const

type Invalid = [code: string, detail: string]

interface Tool {
  name: string
  host: RegExp
  path: RegExp
  /** The error for a URL on the right host with a wrong path. */
  hint: string
}

/** The hosts and paths at which each tool receives messages. */
const TOOLS: Partial<Record<ChannelType, Tool>> = {
  slack: {
    name: 'Slack',
    host: /^hooks\.slack(-gov)?\.com$/,
    path: /^\/services\/./,
    hint: 'must be an incoming webhook (/services/…); triggers and workflows of Slack expect other messages',
  },
  teams: {
    name: 'Teams',
    host: /\.(logic\.azure\.com|api\.powerplatform\.com|api\.powerautomate\.com|flow\.microsoft\.com)$/,
    path: /./,
    hint: '',
  },
  feishu: {
    name: 'Feishu',
    host: /^open\.(feishu\.cn|larksuite\.com)$/,
    path: /^\/open-apis\/bot\/v2\/hook\/[A-Za-z0-9-]+$/,
    hint: 'must be the webhook of a custom bot (/open-apis/bot/v2/hook/…)',
  },
}

function toolError(tool: Tool, text: string): Invalid | null {
  const error = urlError(text)
  if (error) return error
  const url = new URL(text)
  if (isAllowedAddress(url.hostname, settings.OUTBOUND_ALLOW)) return null
  if (url.protocol !== 'https:') return ['not_https', 'must start with https://']
  if (/(^|\.)webhook\.office\.com$/.test(url.hostname)) {
    return [
      'wrong_host',
      'is a connector, which Teams has retired; create a Workflow "when a webhook request is received" instead',
    ]
  }
  if (!tool.host.test(url.hostname) || url.port !== '') return ['wrong_host', `must be a webhook URL of ${tool.name}`]
  return tool.path.test(url.pathname) ? null : ['wrong_path', tool.hint]
}

function hostError(host: string): Invalid | null {
  // Checked as a URL, since the same hosts are blocked as for hooks.
  const bare = literalAddress(host)
  const url = `http://${bare?.includes(':') ? `[${bare}]` : host}/`
  if (!URL.canParse(url) || new URL(url).port !== '' || (host.includes(':') && !bare))
    return ['malformed', 'must be a host name or an IP address']
  return urlError(url)
}

/** A bot token beside a webhook waits for its Slack channel: "Add to Slack" stores one. */
function slackErrors(
  { webhook_url, bot_token, slack_channel, api_url }: DecryptedConfig,
  isTokenNew: boolean,
): [field: string, error: Invalid][] {
  if (webhook_url !== undefined && slack_channel !== undefined) {
    return [['webhook_url', ['not_allowed', 'cannot be used with bot_token and slack_channel; clear it with null']]]
  }
  if (webhook_url === undefined && bot_token === undefined && slack_channel === undefined) {
    return [['webhook_url', ['required', 'is required, or bot_token and slack_channel instead']]]
  }
  const errors: [string, Invalid][] = []
  if (slack_channel !== undefined && bot_token === undefined)
    errors.push(['bot_token', ['required', 'is required with slack_channel']])
  if (slack_channel === undefined && (webhook_url === undefined || isTokenNew)) {
    errors.push(['slack_channel', ['required', 'is required with bot_token']])
  }
  if (api_url === undefined) return errors
  const error: Invalid | null =
    bot_token === undefined ? ['not_allowed', 'can only be used with bot_token'] : apiUrlError(api_url)
  return error ? [...errors, ['api_url', error]] : errors
}

function apiUrlError(text: string): Invalid | null {
  const error = urlError(text)
  if (error) return error
  if (/[?#]/.test(text)) return ['malformed', 'must not contain a query or a fragment']
  return isSafeApiUrl(text) ? null : ['not_https', 'must start with https://']
}

function configErrors(type: ChannelType, config: DecryptedConfig, stored: DecryptedConfig | null): FieldError[] {
  const errors: FieldError[] = []
  const add = (field: string, error: Invalid | null) => {
    if (error) errors.push({ pointer: `/config/${field}`, code: error[0], detail: error[1] })
  }
  const tool = TOOLS[type]
  if (tool && config.webhook_url !== undefined) add('webhook_url', toolError(tool, config.webhook_url))
  const isTokenNew = config.bot_token !== undefined && config.bot_token !== stored?.bot_token
  if (type === 'slack') for (const [field, error] of slackErrors(config, isTokenNew)) add(field, error)
  if (config.url !== undefined) add('url', urlError(config.url))
  if (type === 'webhook' && config.secret !== undefined) add('secret', secretError(config.secret, false))
  for (const error of headerErrors(config.headers ?? {}, [])) errors.push({ ...error, pointer: `/config${error.pointer}` })
  if (config.smtp_host !== undefined) add('smtp_host', hostError(config.smtp_host))
  if ((config.smtp_user === undefined) !== (config.smtp_password === undefined)) {
    const missing = config.smtp_user === undefined ? 'smtp_user' : 'smtp_password'
    add(missing, ['required', 'is required: smtp_user and smtp_password must be set together'])
  }
  return errors
}

/** Validates the schema of a `config`; pointers are relative to the request body. */
function requireShape(type: ChannelType, config: Record<string, unknown>): DecryptedConfig {
  try {
    return SHAPES[type]['~standard'].validate(config).value as DecryptedConfig
  } catch (error) {
    if (!(error instanceof Problem) || !error.errors) throw error
    throw invalidFields(error.errors.map((each) => ({ ...each, pointer: `/config${each.pointer}` })))
  }
}

/** Replaces masked header values by the stored ones. Names compare case-insensitively. */
function unmaskedHeaders(given: Record<string, unknown>, stored: Record<string, string>, errors: FieldError[]) {
  const values = new Map(Object.entries(stored).map(([name, value]) => [name.toLowerCase(), value]))
  return Object.fromEntries(
    Object.entries(given).map(([name, value]) => {
      if (value !== MASK) return [name, value]
      const kept = values.get(name.toLowerCase())
      if (kept === undefined) errors.push(nothingToKeep(`headers/${escapePointer(name)}`))
      return [name, kept ?? '']
    }),
  )
}

const nothingToKeep = (field: string): FieldError => ({
  pointer: `/config/${field}`,
  code: 'nothing_to_keep',
  detail: 'is the placeholder for the stored secret, but no secret is stored',
})

const isObject = (value: unknown): value is Record<string, unknown> =>
  value !== null && typeof value === 'object' && !Array.isArray(value)

/**
 * Merges the input into the stored config field by field: `null` clears a field, a mask keeps it.
 *
 * @param known the fields of the channel type; another one stays in the result, and is refused with its schema
 */
function merged(given: Record<string, unknown>, stored: DecryptedConfig, known: object): Record<string, unknown> {
  const errors: FieldError[] = []
  // A map: a field named `__proto__` would not become one of an object.
  const result = new Map<string, unknown>(Object.entries(stored))
  for (const [field, value] of Object.entries(given)) {
    if (value === null && Object.hasOwn(known, field)) result.delete(field)
    else if (field === 'headers' && isObject(value)) result.set(field, unmaskedHeaders(value, stored.headers ?? {}, errors))
    else if (value !== MASK || !isSecretField(field)) result.set(field, value)
    else if (stored[field] === undefined) errors.push(nothingToKeep(field))
  }
  if (errors.length > 0) throw invalidFields(errors)
  return Object.fromEntries(result)
}

const isSecretField = (field: string): boolean => (SECRET_FIELDS as readonly string[]).includes(field)

/** A stored config whose secrets no key decrypts. @param masked the config as the API shows it */
export const unreadableConfig = (masked: DecryptedConfig): DecryptedConfig => ({
  ...masked,
  ...Object.fromEntries(
    Object.keys(masked)
      .filter(isSecretField)
      .map((field) => [field, field === 'headers' ? unreadableHeaders(masked.headers ?? {}) : UNREADABLE]),
  ),
})

const unreadableHeaders = (headers: Record<string, string>) =>
  Object.fromEntries(Object.keys(headers).map((name) => [name, UNREADABLE]))

/** Pointers to the secrets of a config that no key decrypts. */
const unreadableIn = (config: Record<string, unknown>): string[] =>
  [
    ...Object.keys(config).filter((field) => config[field] === UNREADABLE),
    ...(isObject(config.headers) ? Object.entries(config.headers) : []).flatMap(([name, value]) =>
      value === UNREADABLE ? `headers/${escapePointer(name)}` : [],
    ),
  ].map((field) => `/config/${field}`)

/** @throws Problem `secrets_must_be_resent` if a config keeps a secret that no key decrypts */
export const requireReadableConfig = (config: Record<string, unknown>): void => requireReadable(unreadableIn(config))

/** The server that receives a secret of a channel. */
function target(field: string, config: DecryptedConfig): string {
  if (field === 'bot_token') return apiUrlOf(config)
  const { url, webhook_url, smtp_host, smtp_port } = config
  const web = url ?? webhook_url
  return web === undefined ? `${asciiLowerCase(smtp_host ?? '')}:${smtp_port}` : new URL(web).origin
}

/** Prevents editors of a channel from reading its secrets by pointing it to a server of their own. */
function requireSecretsResent(given: Record<string, unknown>, stored: DecryptedConfig, config: DecryptedConfig): void {
  const kept = SECRET_FIELDS.flatMap((field) => {
    if (stored[field] === undefined || target(field, stored) === target(field, config)) return []
    const value = given[field]
    if (field === 'headers' && isObject(value)) {
      return Object.entries(value).flatMap(([name, each]) => (each === MASK ? `/config/headers/${escapePointer(name)}` : []))
    }
    return value === undefined || value === MASK ? `/config/${field}` : []
  })
  if (kept.length === 0) return
  throw new Problem(
    'secrets_must_be_resent',
    `The config has another scheme, host or port, where stored secrets are not sent: send ${kept.join(', ')} again, or clear with null.`,
    kept.map((pointer) => ({ pointer, code: 'secrets_must_be_resent', detail: 'must be sent again, or cleared with null' })),
  )
}

/**
 * Validates a `config` and merges it with the stored one.
 *
 * @param given the config of the request
 * @param stored the config of the channel to be changed, with decrypted secrets; null for a new one
 * @throws Problem `validation_failed` with every error; `secrets_must_be_resent`
 */
export function checkConfig(type: ChannelType, given: Record<string, unknown>, stored: DecryptedConfig | null): DecryptedConfig {
  const whole = merged(given, stored ?? {}, CONFIGS[type].properties)
  requireReadableConfig(whole)
  if (type === 'email') whole.smtp_port ??= 587
  // It goes with its bot token.
  if (type === 'slack' && whole.bot_token === undefined && (given.api_url ?? '') === '') delete whole.api_url
  const config = requireShape(type, whole)
  const errors = configErrors(type, config, stored)
  if (errors.length > 0) throw invalidFields(errors)
  // Of what cannot be decrypted, nothing is kept.
  if (stored && unreadableIn(stored).length === 0) requireSecretsResent(given, stored, config)
  return config
}
