/** What the `config` of a channel may be. Each breach names its field. */

import { type ChannelType, type OpenConfig, SECRET_FIELDS } from '../../core/notification-channels.ts'
import { isAllowedAddress, literalAddress } from '../../core/outbound-addresses.ts'
import { config as settings } from '../../core/platform/config.ts'
import { MASK } from '../../core/security/secrets.ts'
import { asciiLowerCase } from '../../core/values/email-addresses.ts'
import { escapePointer, headerErrors, secretError, urlError } from '../deployment-hooks/rules.ts'
import { bodyInput } from '../plugins/validation.ts'
import { type FieldError, Problem } from '../problems.ts'
import { CONFIGS } from './schema.ts'

const SHAPES = {
  slack: bodyInput(CONFIGS.slack),
  teams: bodyInput(CONFIGS.teams),
  feishu: bodyInput(CONFIGS.feishu),
  webhook: bodyInput(CONFIGS.webhook),
  email: bodyInput(CONFIGS.email),
} as const

type Fault = [code: string, detail: string]

interface Tool {
  name: string
  host: RegExp
  path: RegExp
  /** What to say of a URL on the right host that leads to something else. */
  hint: string
}

/** Where each tool takes messages, and nobody else does. */
const TOOLS: Partial<Record<ChannelType, Tool>> = {
  slack: {
    name: 'Slack',
    host: /^hooks\.slack(-gov)?\.com$/,
    path: /^\/services\/./,
    hint: 'must be an incoming webhook (/services/…); triggers and workflows of Slack take other messages',
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

function toolFault(tool: Tool, text: string): Fault | null {
  const fault = urlError(text)
  if (fault) return fault
  const url = new URL(text)
  if (isAllowedAddress(url.hostname, settings.OUTBOUND_ALLOW)) return null
  if (url.protocol !== 'https:') return ['not_https', 'must begin with https://']
  if (/(^|\.)webhook\.office\.com$/.test(url.hostname)) {
    return ['wrong_host', 'is a connector, which Teams has retired: make a Workflow "when a webhook request is received" instead']
  }
  if (!tool.host.test(url.hostname) || url.port !== '') return ['wrong_host', `must be a URL that ${tool.name} gave out`]
  return tool.path.test(url.pathname) ? null : ['wrong_path', tool.hint]
}

function hostFault(host: string): Fault | null {
  // As a URL has it: the same names and addresses are closed to mail as to hooks.
  const bare = literalAddress(host)
  const url = `http://${bare?.includes(':') ? `[${bare}]` : host}/`
  if (!URL.canParse(url) || new URL(url).port !== '' || (host.includes(':') && !bare)) return ['malformed', 'must be a host']
  return urlError(url)
}

function faultsOf(type: ChannelType, open: OpenConfig): FieldError[] {
  const errors: FieldError[] = []
  const put = (field: string, fault: Fault | null) => {
    if (fault) errors.push({ pointer: `/config/${field}`, code: fault[0], detail: fault[1] })
  }
  const tool = TOOLS[type]
  if (tool && open.webhook_url !== undefined) put('webhook_url', toolFault(tool, open.webhook_url))
  if (open.url !== undefined) put('url', urlError(open.url))
  if (type === 'webhook' && open.secret !== undefined) put('secret', secretError(open.secret, false))
  for (const error of headerErrors(open.headers ?? {}, [])) errors.push({ ...error, pointer: `/config${error.pointer}` })
  if (open.smtp_host !== undefined) put('smtp_host', hostFault(open.smtp_host))
  if ((open.smtp_user === undefined) !== (open.smtp_password === undefined)) {
    const missing = open.smtp_user === undefined ? 'smtp_user' : 'smtp_password'
    put(missing, ['required', 'goes together with the other: give both, or neither'])
  }
  return errors
}

const refuse = (errors: FieldError[]): never => {
  throw new Problem('validation_failed', errors.map(({ pointer, detail }) => `${pointer} ${detail}`).join('; '), errors)
}

/** Checks the shape of a `config`, whose pointers then begin there. */
function requireShape(type: ChannelType, open: Record<string, unknown>): OpenConfig {
  try {
    return SHAPES[type]['~standard'].validate(open).value as OpenConfig
  } catch (error) {
    if (!(error instanceof Problem) || !error.errors) throw error
    return refuse(error.errors.map((each) => ({ ...each, pointer: `/config${each.pointer}` })))
  }
}

/** The stored header values that masks stand for, by names that differ at most in case. */
function keptHeaders(given: Record<string, unknown>, stored: Record<string, string>, errors: FieldError[]) {
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
  detail: 'is the mask that stands for a stored secret, and none is stored',
})

const isObject = (value: unknown): value is Record<string, unknown> =>
  value !== null && typeof value === 'object' && !Array.isArray(value)

/** What is given over what is stored, field by field: `null` clears, a mask keeps. */
function merged(given: Record<string, unknown>, stored: OpenConfig): Record<string, unknown> {
  const errors: FieldError[] = []
  const result: Record<string, unknown> = { ...stored }
  for (const [field, value] of Object.entries(given)) {
    if (value === null) delete result[field]
    else if (field === 'headers' && isObject(value)) result.headers = keptHeaders(value, stored.headers ?? {}, errors)
    else if (value !== MASK || !(SECRET_FIELDS as readonly string[]).includes(field)) result[field] = value
    else if (stored[field] === undefined) errors.push(nothingToKeep(field))
  }
  if (errors.length > 0) refuse(errors)
  return result
}

/** Where a channel sends its secrets. */
function target({ url, webhook_url, smtp_host, smtp_port }: OpenConfig): string {
  const web = url ?? webhook_url
  return web === undefined ? `${asciiLowerCase(smtp_host ?? '')}:${smtp_port}` : new URL(web).origin
}

/** Whoever may edit a channel must not be able to read its secrets by sending them to a server of their own. */
function requireSecretsResent(given: Record<string, unknown>, stored: OpenConfig, open: OpenConfig): void {
  if (target(stored) === target(open)) return
  const kept = SECRET_FIELDS.flatMap((field) => {
    if (stored[field] === undefined) return []
    const value = given[field]
    if (field === 'headers' && isObject(value)) {
      return Object.entries(value).flatMap(([name, each]) => (each === MASK ? `/config/headers/${escapePointer(name)}` : []))
    }
    return value === undefined || value === MASK ? `/config/${field}` : []
  })
  if (kept.length === 0) return
  throw new Problem(
    'secrets_must_be_resent',
    `The config leads to another scheme, host or port, and stored secrets do not follow there: send ${kept.join(', ')} anew, or clear with null.`,
    kept.map((pointer) => ({ pointer, code: 'secrets_must_be_resent', detail: 'must be sent anew, or cleared with null' })),
  )
}

/**
 * The `config` that a channel gets.
 *
 * @param given of the request
 * @param stored of the channel that is changed, secrets in clear; null for a new one
 * @throws Problem `validation_failed` naming every breach; `secrets_must_be_resent`
 */
export function checkConfig(type: ChannelType, given: Record<string, unknown>, stored: OpenConfig | null): OpenConfig {
  const whole = merged(given, stored ?? {})
  if (type === 'email') whole.smtp_port ??= 587
  const open = requireShape(type, whole)
  const errors = faultsOf(type, open)
  if (errors.length > 0) refuse(errors)
  if (stored) requireSecretsResent(given, stored, open)
  return open
}
