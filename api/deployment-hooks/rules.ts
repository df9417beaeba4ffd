/** What a hook may be: rules that a shape cannot say. Each breach names its field. */
import { closedRange, literalAddress } from '../../core/outbound-addresses.ts'
import { config } from '../../core/platform/config.ts'
import { MASK } from '../../core/security/secrets.ts'
import { signingKey } from '../../core/security/signing.ts'
import { type FieldError, Problem } from '../problems.ts'

// Names that frame the request, that speak for the sender, or that the service sets itself.
const RESERVED =
  /^(host|content-.*|connection|keep-alive|transfer-encoding|te|trailer|upgrade|expect|accept-encoding|proxy-.*|cookie|user-agent|webhook-.*|x-signalbox-.*)$/
const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/
const VALUE = /^[\t\x20-\x7e]*$/
/** Values are bounded by their shape. */
const LONGEST_NAME = 256

export function urlFault(text: string): [code: string, detail: string] | null {
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) return ['malformed', 'must be an http or https URL']
  const { username, password, hostname, port } = new URL(text)
  if (username || password) return ['credentials_in_url', 'must not hold a user name or password; put them into a header']
  if (port === '0') return ['malformed', 'must not name port 0']
  const name = hostname.replace(/\.$/, '')
  const address = literalAddress(hostname) ?? (name === 'localhost' || name.endsWith('.localhost') ? '127.0.0.1' : null)
  const range = address && closedRange(address, config.OUTBOUND_ALLOW)
  if (!range) return null
  return ['blocked_address', `is in the special-purpose range "${range}"; the operator opens such ranges with OUTBOUND_ALLOW`]
}

export function secretFault(secret: string, stored: boolean): [code: string, detail: string] | null {
  if (secret === MASK)
    return stored ? null : ['nothing_to_keep', 'is the mask that stands for a stored secret, and none is stored']
  if (!signingKey(secret)) return ['malformed', 'begins with whsec_, so the rest must be base64']
  return null
}

function headerFault(name: string, value: string, stored: boolean): [code: string, detail: string] | null {
  if (!TOKEN.test(name)) return ['malformed', 'is no name that a header can have']
  if (name.length > LONGEST_NAME) return ['too_long', `has a name longer than ${LONGEST_NAME} characters`]
  if (RESERVED.test(name.toLowerCase())) return ['reserved', 'is set by the service itself, and cannot be set here']
  if (value === MASK) return stored ? null : ['nothing_to_keep', 'is the mask that stands for a stored value, and none is stored']
  if (!VALUE.test(value)) return ['malformed', 'may hold visible ASCII, spaces and tabs']
  return null
}

export const escapePointer = (name: string): string => name.replaceAll('~', '~0').replaceAll('/', '~1')

/** The fields of a hook whose rules are checked here. */
interface Checked {
  url?: string
  secret?: string | null
  headers?: Record<string, string> | null
}

/** What a mask can keep. */
export interface Stored {
  url: string
  has_secret: boolean
  header_names: string[]
}

/** One breach for each header, by its pointer. */
export function headerFaults(headers: Record<string, string>, stored: readonly string[]): FieldError[] {
  const kept = new Set(stored.map((name) => name.toLowerCase()))
  const seen = new Set<string>()
  return Object.entries(headers).flatMap(([name, value]) => {
    const key = name.toLowerCase()
    const fault: [string, string] | null = seen.has(key)
      ? ['repeated', 'stands twice, in upper and lower case']
      : headerFault(name, value, kept.has(key))
    seen.add(key)
    return fault ? [{ pointer: `/headers/${escapePointer(name)}`, code: fault[0], detail: fault[1] }] : []
  })
}

/**
 * Checks them all.
 *
 * @param stored of the hook that is changed; null for a new one
 * @throws Problem `validation_failed` naming every breach; `secrets_must_be_resent`
 */
export function checkHook({ url, secret, headers }: Checked, stored: Stored | null): void {
  const errors: FieldError[] = []
  const put = (pointer: string, fault: [code: string, detail: string] | null) => {
    if (fault) errors.push({ pointer, code: fault[0], detail: fault[1] })
  }
  if (url !== undefined) put('/url', urlFault(url))
  if (secret != null) put('/secret', secretFault(secret, stored?.has_secret ?? false))
  errors.push(...headerFaults(headers ?? {}, stored?.header_names ?? []))
  if (errors.length > 0)
    throw new Problem('validation_failed', errors.map(({ pointer, detail }) => `${pointer} ${detail}`).join('; '), errors)
  if (stored && url !== undefined && new URL(url).origin !== new URL(stored.url).origin)
    requireSecretsResent({ secret, headers }, stored)
}

/** Whoever may edit a hook must not be able to read its secrets by sending them to a server of their own. */
function requireSecretsResent({ secret, headers }: Checked, stored: Stored): void {
  const kept: string[] = []
  if (stored.has_secret && (secret === undefined || secret === MASK)) kept.push('/secret')
  if (headers === undefined && stored.header_names.length > 0) kept.push('/headers')
  for (const [name, value] of Object.entries(headers ?? {})) if (value === MASK) kept.push(`/headers/${escapePointer(name)}`)
  if (kept.length === 0) return
  throw new Problem(
    'secrets_must_be_resent',
    `The url leads to another scheme, host or port, and stored secrets do not follow there: send ${kept.join(', ')} anew, or clear with null.`,
    kept.map((pointer) => ({ pointer, code: 'secrets_must_be_resent', detail: 'must be sent anew, or cleared with null' })),
  )
}
