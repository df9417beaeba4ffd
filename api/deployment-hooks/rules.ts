/** Validation of hooks beyond their schema. Every error names its field. */
import { blockedRange, literalAddress } from '../../core/outbound-addresses.ts'
import { config } from '../../core/platform/config.ts'
import { MASK } from '../../core/security/secrets.ts'
import type { SignatureKind } from '../../core/security/signers.ts'
import { signingKey } from '../../core/security/signing.ts'
import { escapePointer, type FieldError, invalidFields, Problem } from '../problems.ts'
import { secretValueError } from './secret-values.ts'
import { type StoredTemplate, type TemplateFields, templateFieldErrors } from './template-rules.ts'

// Headers that frame the request, authenticate the sender, or are set by the service.
const RESERVED_NAMES =
  /^(host|content-.*|connection|keep-alive|transfer-encoding|te|trailer|upgrade|expect|accept-encoding|proxy-.*|cookie|user-agent|webhook-.*|x-signalbox-.*)$/
const HEADER_NAME = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/
/** Length of a header name. The schema limits values. */
const MAX_NAME_LENGTH = 256

export function urlError(text: string): [code: string, detail: string] | null {
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) return ['malformed', 'must be an http or https URL']
  const { username, password, hostname, port } = new URL(text)
  if (username || password) return ['credentials_in_url', 'must not contain a user name or password; use a header instead']
  if (port === '0') return ['malformed', 'must not have port 0']
  const name = hostname.replace(/\.$/, '')
  const address = literalAddress(hostname) ?? (name === 'localhost' || name.endsWith('.localhost') ? '127.0.0.1' : null)
  const range = address && blockedRange(address, config.OUTBOUND_ALLOW)
  if (!range) return null
  return ['blocked_address', `is in the special-purpose range "${range}"; the operator can allow addresses with OUTBOUND_ALLOW`]
}

export function secretError(secret: string, stored: boolean): [code: string, detail: string] | null {
  if (secret === MASK)
    return stored ? null : ['nothing_to_keep', 'is the placeholder for the stored secret, but no secret is stored']
  if (!signingKey(secret)) return ['malformed', 'starts with whsec_, so the rest must be base64']
  return null
}

function headerError(name: string, value: string, stored: boolean): [code: string, detail: string] | null {
  if (!HEADER_NAME.test(name)) return ['malformed', 'is not a valid header name']
  if (name.length > MAX_NAME_LENGTH) return ['too_long', `has a name longer than ${MAX_NAME_LENGTH} characters`]
  if (RESERVED_NAMES.test(name.toLowerCase())) return ['reserved', 'is reserved and cannot be set']
  return secretValueError(value, stored)
}

const NOT_FOR_PULL: [code: string, detail: string] = [
  'not_for_pull',
  'cannot be set for a pull hook, whose dispatches are claimed',
]

/** The fields that are validated here. */
interface HookFields extends TemplateFields {
  mode?: 'push' | 'pull'
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

/** The errors of headers, at most one per header. */
export function headerErrors(headers: Record<string, string>, stored: readonly string[]): FieldError[] {
  const kept = new Set(stored.map((name) => name.toLowerCase()))
  const seen = new Set<string>()
  return Object.entries(headers).flatMap(([name, value]) => {
    const key = name.toLowerCase()
    const error: [string, string] | null = seen.has(key)
      ? ['repeated', 'is repeated; header names are case-insensitive']
      : headerError(name, value, kept.has(key))
    seen.add(key)
    return error ? [{ pointer: `/headers/${escapePointer(name)}`, code: error[0], detail: error[1] }] : []
  })
}

/**
 * Validates a new or changed hook.
 *
 * @param stored the hook to be changed; null for a new one
 * @throws Problem `validation_failed` with every error; `secrets_must_be_resent`
 */
export function checkHook(given: HookFields, stored: StoredHook | null): void {
  const { url, signature, secret, headers } = given
  const errors: FieldError[] = []
  const add = (pointer: string, error: [code: string, detail: string] | null) => {
    if (error) errors.push({ pointer, code: error[0], detail: error[1] })
  }
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
  errors.push(...headerErrors(headers ?? {}, stored?.header_names ?? []))
  errors.push(...templateFieldErrors(given, stored))
  if (errors.length > 0) throw invalidFields(errors)
  if (stored?.url && url !== undefined && new URL(url).origin !== new URL(stored.url).origin) requireSecretsResent(given, stored)
}

/** Prevents editors of a hook from reading its secrets by pointing it to a server of their own. */
function requireSecretsResent({ secret, headers, template_secrets }: HookFields, stored: StoredHook): void {
  const kept: string[] = []
  if (stored.has_secret && (secret === undefined || secret === MASK)) kept.push('/secret')
  if (headers === undefined && stored.header_names.length > 0) kept.push('/headers')
  for (const [name, value] of Object.entries(headers ?? {})) if (value === MASK) kept.push(`/headers/${escapePointer(name)}`)
  if (template_secrets === undefined && stored.template_secret_names.length > 0) kept.push('/template_secrets')
  for (const [name, value] of Object.entries(template_secrets ?? {})) if (value === MASK) kept.push(`/template_secrets/${name}`)
  if (kept.length === 0) return
  throw new Problem(
    'secrets_must_be_resent',
    `The url has another scheme, host or port, where stored secrets are not sent: send ${kept.join(', ')} again, or clear with null.`,
    kept.map((pointer) => ({ pointer, code: 'secrets_must_be_resent', detail: 'must be sent again, or cleared with null' })),
  )
}
