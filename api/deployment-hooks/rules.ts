/** Validation of hooks beyond their schema. Every error names its field. */

import { depthOf, type TemplateError, templateErrors } from '../../core/deployment-hooks/templates.ts'
import { type Filter, filterErrors } from '../../core/dispatches/filters.ts'
import { type Flaw, headerErrors, secretError, secretValueError, urlError } from '../../core/outbound/requests.ts'
import { MASK } from '../../core/security/secrets.ts'
import { newKeyPair, newSecret, type SignatureKind } from '../../core/security/signing.ts'
import { originOf } from '../../core/values/web-addresses.ts'
import { requireResent } from '../credentials/unreadable-secrets.ts'
import { escapePointer, type FieldError, invalidFields } from '../problems.ts'

const NOT_FOR_PULL: Flaw = ['not_for_pull', 'cannot be set for a pull hook, whose dispatches are claimed']

interface HookFields extends TemplateFields {
  mode?: 'push' | 'pull'
  temporary?: boolean
  url?: string
  signature?: SignatureKind
  secret?: string | null
  headers?: Record<string, string> | null
}

/** The stored fields that decide what an update may contain. */
export interface StoredHook extends StoredTemplate {
  mode: 'push' | 'pull'
  url: string | null
  signature: SignatureKind
  has_secret: boolean
  header_names: string[]
}

/**
 * Validates a new or changed hook.
 * @param stored the hook to be changed; null for a new one
 * @throws Problem `validation_failed` with every error; `secrets_must_be_resent`
 */
export function checkHook(given: HookFields, stored: StoredHook | null): void {
  const { temporary, url, signature, secret, headers } = given
  const errors: FieldError[] = []
  const add = (pointer: string, error: Flaw | null) => {
    if (error) errors.push({ pointer, code: error[0], detail: error[1] })
  }
  if (temporary && given.mode !== 'pull') add('/temporary', ['only_for_pull', 'can be set only for a pull hook'])
  if ((stored?.mode ?? given.mode) === 'pull') {
    if (url !== undefined) add('/url', NOT_FOR_PULL)
    if (headers !== undefined) add('/headers', NOT_FOR_PULL)
  } else if (url !== undefined) add('/url', urlError(url))
  else if (!stored) add('/url', ['required', 'is required'])
  if (stored && signature !== undefined && signature !== stored.signature)
    add('/signature', ['unchangeable', `is ${stored.signature} and cannot be changed; create another hook`])
  if (secret !== undefined && (stored?.signature ?? signature) === 'ed25519')
    add('/secret', ['not_allowed', 'cannot be set: the signature ed25519 has a key pair that the service makes'])
  else if (secret != null) add('/secret', secretError(secret, stored?.has_secret ?? false))
  for (const [name, error] of headerErrors(headers ?? {}, stored?.header_names ?? []))
    add(`/headers/${escapePointer(name)}`, error)
  errors.push(...templateFieldErrors(given, stored))
  if (errors.length > 0) throw invalidFields(errors)
  if (stored?.url && url !== undefined && originOf(url) !== originOf(stored.url)) requireSecretsResent(given, stored)
}

/** Prevents editors of a hook from reading its secrets by pointing it to a server of their own. */
function requireSecretsResent({ secret, headers, template_secrets }: HookFields, stored: StoredHook): void {
  const kept: string[] = []
  if (stored.has_secret && (secret === undefined || secret === MASK)) kept.push('/secret')
  if (headers === undefined && stored.header_names.length > 0) kept.push('/headers')
  for (const [name, value] of Object.entries(headers ?? {})) if (value === MASK) kept.push(`/headers/${escapePointer(name)}`)
  if (template_secrets === undefined && stored.template_secret_names.length > 0) kept.push('/template_secrets')
  for (const [name, value] of Object.entries(template_secrets ?? {})) if (value === MASK) kept.push(`/template_secrets/${name}`)
  requireResent(kept, 'The url has another scheme, host or port, where stored secrets are not sent')
}

interface NewKeys {
  /** The secret or the private key, to be encrypted and stored. */
  secret: string
  public_key: string | null
  /** What the response shows once: never a private key. */
  shown: { secret?: string }
}

/** Makes a secret, or a key pair for the signature `ed25519`. */
export function newKeys(signature: SignatureKind): NewKeys {
  if (signature === 'ed25519') {
    const { private_key, public_key } = newKeyPair()
    return { secret: private_key, public_key, shown: {} }
  }
  const secret = newSecret()
  return { secret, public_key: null, shown: { secret } }
}

const MAX_TEMPLATE_BYTES = 32_768
const MAX_TEMPLATE_DEPTH = 16
const MAX_FILTER_BYTES = 8192
const SECRET_NAME = /^[a-z0-9_]{1,32}$/

interface TemplateFields {
  body_template?: unknown
  template_secrets?: Record<string, string> | null
  filter?: Filter | null
  /** The placeholders of reports require it. */
  report_within_seconds?: number | null
}

interface StoredTemplate {
  body_template: unknown
  template_secret_names: string[]
  report_within_seconds: number | null
}

const pointerOf = (field: string, path: string[]): string => ['', field, ...path].map(escapePointer).join('/')

const size = (value: unknown): number => Buffer.byteLength(JSON.stringify(value))

const EXPLANATIONS: Record<TemplateError['reason'], [code: string, detail: (name: string) => string]> = {
  malformed: [
    'malformed',
    () =>
      'contains {{ that begins no placeholder: write {{/pointer}}, {{secret:name}}, {{report:url}} or {{report:token}}, or {{{{ for a literal {{',
  ],
  unknown_secret: ['unknown_secret', (name) => `names the secret ${name}, which template_secrets does not contain`],
  no_reports: ['reports_required', () => 'contains {{report:…}}, which requires report_within_seconds'],
  out_of_range: ['out_of_range', () => 'is a number of more than 400 characters, or outside 1e-324 to 1e308'],
}

/** A given template: its size and its strings. */
function givenTemplateErrors(template: unknown, secrets: ReadonlySet<string>, hasReports: boolean): FieldError[] {
  const whole = (code: string, detail: string): FieldError[] => [{ pointer: '/body_template', code, detail }]
  if (depthOf(template) > MAX_TEMPLATE_DEPTH)
    return whole('nested_too_deep', `must not be nested more than ${MAX_TEMPLATE_DEPTH} levels deep`)
  if (size(template) > MAX_TEMPLATE_BYTES) return whole('too_long', `must not be larger than ${MAX_TEMPLATE_BYTES} bytes as JSON`)
  return templateErrors(template, { secrets, hasReports }).map(({ path, reason, name = '' }) => {
    const [code, detail] = EXPLANATIONS[reason]
    return { pointer: pointerOf('body_template', path), code, detail: detail(name) }
  })
}

/** A stored template must stay valid when what it names is changed. */
function keptTemplateErrors(template: unknown, secrets: ReadonlySet<string>, hasReports: boolean): FieldError[] {
  const found = templateErrors(template, { secrets, hasReports }).map(({ reason, name = '' }): [string, FieldError] => {
    const pointer = reason === 'no_reports' ? '/report_within_seconds' : '/template_secrets'
    const detail =
      reason === 'no_reports'
        ? 'cannot be null while body_template names {{report:…}}'
        : `must contain ${name}: body_template names it`
    return [`${pointer} ${name}`, { pointer, code: 'in_use', detail }]
  })
  return [...new Map(found).values()]
}

const secretErrors = (given: Record<string, string>, stored: readonly string[]): FieldError[] =>
  Object.entries(given).flatMap(([name, value]) => {
    const error: [string, string] | null = SECRET_NAME.test(name)
      ? secretValueError(value, stored.includes(name))
      : ['malformed', 'must have a name of 1 to 32 of the characters a-z, 0-9 and _']
    return error ? [{ pointer: pointerOf('template_secrets', [name]), code: error[0], detail: error[1] }] : []
  })

function givenFilterErrors(filter: Filter): FieldError[] {
  if (size(filter) > MAX_FILTER_BYTES)
    return [{ pointer: '/filter', code: 'too_long', detail: `must not be larger than ${MAX_FILTER_BYTES} bytes as JSON` }]
  return filterErrors(filter).map(({ path, code, detail }) => ({ pointer: pointerOf('filter', path), code, detail }))
}

/** The errors of a template, its secrets and a filter. @param stored the hook to be changed or previewed; null for a new one */
export function templateFieldErrors(given: TemplateFields, stored: StoredTemplate | null): FieldError[] {
  const { body_template: template, template_secrets, filter } = given
  const names = template_secrets === undefined ? (stored?.template_secret_names ?? []) : Object.keys(template_secrets ?? {})
  const secrets = new Set(names)
  const seconds = given.report_within_seconds === undefined ? stored?.report_within_seconds : given.report_within_seconds
  const hasReports = seconds != null
  return [
    ...secretErrors(template_secrets ?? {}, stored?.template_secret_names ?? []),
    ...(template === undefined
      ? keptTemplateErrors(stored?.body_template ?? null, secrets, hasReports)
      : givenTemplateErrors(template, secrets, hasReports)),
    ...(filter ? givenFilterErrors(filter) : []),
  ]
}
