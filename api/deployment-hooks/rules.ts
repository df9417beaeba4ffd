/** Validation of hooks beyond their schema. Every error names its field. */
import { type Flaw, headerErrors, secretError, urlError } from '../../core/outbound-requests.ts'
import { MASK } from '../../core/security/secrets.ts'
import type { SignatureKind } from '../../core/security/signing.ts'
import { escapePointer, type FieldError, invalidFields, Problem } from '../problems.ts'
import { type StoredTemplate, type TemplateFields, templateFieldErrors } from './template-rules.ts'

const NOT_FOR_PULL: Flaw = ['not_for_pull', 'cannot be set for a pull hook, whose dispatches are claimed']

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

/**
 * Validates a new or changed hook.
 *
 * @param stored the hook to be changed; null for a new one
 * @throws Problem `validation_failed` with every error; `secrets_must_be_resent`
 */
export function checkHook(given: HookFields, stored: StoredHook | null): void {
  const { url, signature, secret, headers } = given
  const errors: FieldError[] = []
  const add = (pointer: string, error: Flaw | null) => {
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
  for (const [name, error] of headerErrors(headers ?? {}, stored?.header_names ?? []))
    add(`/headers/${escapePointer(name)}`, error)
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
