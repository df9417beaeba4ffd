/** What URLs, headers and secrets of outgoing requests may be. */
import { blockedRange, literalAddress } from './outbound-addresses.ts'
import { config } from './platform/config.ts'
import { MASK } from './security/secrets.ts'
import { signingKey } from './security/signing.ts'

/** What is wrong with a value. */
export type Flaw = [code: string, detail: string]

// Headers that frame the request, authenticate the sender, or are set by the service.
const RESERVED_NAMES =
  /^(host|content-.*|connection|keep-alive|transfer-encoding|te|trailer|upgrade|expect|accept-encoding|proxy-.*|cookie|user-agent|webhook-.*|x-signalbox-.*)$/
const HEADER_NAME = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/
/** Length of a header name. The schema limits values. */
const MAX_NAME_LENGTH = 256
const SECRET_VALUE = /^[\t\x20-\x7e]*$/

export function urlError(text: string): Flaw | null {
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

/** @param stored whether a secret is stored, which the placeholder keeps */
export function secretError(secret: string, stored: boolean): Flaw | null {
  if (secret === MASK)
    return stored ? null : ['nothing_to_keep', 'is the placeholder for the stored secret, but no secret is stored']
  if (!signingKey(secret)) return ['malformed', 'starts with whsec_, so the rest must be base64']
  return null
}

/**
 * What is wrong with a value that is write-only: of a header or a template secret.
 *
 * @param stored whether a value of that name is stored, which the placeholder keeps
 */
export function secretValueError(value: string, stored: boolean): Flaw | null {
  if (value === MASK)
    return stored ? null : ['nothing_to_keep', 'is the placeholder for the stored value, but no value is stored']
  if (!SECRET_VALUE.test(value)) return ['malformed', 'may contain only visible ASCII characters, spaces and tabs']
  return null
}

function headerError(name: string, value: string, stored: boolean): Flaw | null {
  if (!HEADER_NAME.test(name)) return ['malformed', 'is not a valid header name']
  if (name.length > MAX_NAME_LENGTH) return ['too_long', `has a name longer than ${MAX_NAME_LENGTH} characters`]
  if (RESERVED_NAMES.test(name.toLowerCase())) return ['reserved', 'is reserved and cannot be set']
  return secretValueError(value, stored)
}

/**
 * The errors of headers, at most one per header, by name.
 *
 * @param stored the names of headers whose values the placeholder keeps
 */
export function headerErrors(headers: Record<string, string>, stored: readonly string[]): [name: string, Flaw][] {
  const kept = new Set(stored.map((name) => name.toLowerCase()))
  const seen = new Set<string>()
  return Object.entries(headers).flatMap(([name, value]): [string, Flaw][] => {
    const key = name.toLowerCase()
    const error: Flaw | null = seen.has(key)
      ? ['repeated', 'is repeated; header names are case-insensitive']
      : headerError(name, value, kept.has(key))
    seen.add(key)
    return error ? [[name, error]] : []
  })
}
