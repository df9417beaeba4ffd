/** What a hook may be: rules that a shape cannot say. Each breach names its field. */
import { closedRange, literalAddress } from '../../core/addresses.ts'
import { config } from '../../core/config.ts'
import { type FieldError, Problem } from '../../core/problems.ts'
import { MASK } from '../../core/secrets.ts'
import { signingKey } from '../../core/signing.ts'

// Names that frame the request, that speak for the sender, or that the service sets itself.
const RESERVED =
  /^(host|content-.*|connection|keep-alive|transfer-encoding|te|trailer|upgrade|expect|accept-encoding|proxy-.*|cookie|user-agent|webhook-.*|x-signalbox-.*)$/
const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/
const VALUE = /^[\t\x20-\x7e]*$/

function urlFault(text: string): [code: string, detail: string] | null {
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

function secretFault(secret: string): [code: string, detail: string] | null {
  if (secret === MASK) return ['nothing_to_keep', 'is the mask that stands for a stored secret, and none is stored']
  if (!signingKey(secret)) return ['malformed', 'begins with whsec_, so the rest must be base64']
  return null
}

function headerFault(name: string, value: string): [code: string, detail: string] | null {
  if (!TOKEN.test(name)) return ['malformed', 'is no name that a header can have']
  if (RESERVED.test(name.toLowerCase())) return ['reserved', 'is set by the service itself, and cannot be set here']
  if (value === MASK) return ['nothing_to_keep', 'is the mask that stands for a stored value, and none is stored']
  if (!VALUE.test(value)) return ['malformed', 'may hold visible ASCII, spaces and tabs']
  return null
}

const escapePointer = (name: string): string => name.replaceAll('~', '~0').replaceAll('/', '~1')

/** The fields of a hook whose rules are checked here. */
interface Checked {
  url?: string
  secret?: string | null
  headers?: Record<string, string> | null
}

/**
 * Checks them all.
 *
 * @throws Problem `validation_failed` naming every breach
 */
export function checkHook({ url, secret, headers }: Checked): void {
  const errors: FieldError[] = []
  const put = (pointer: string, fault: [code: string, detail: string] | null) => {
    if (fault) errors.push({ pointer, code: fault[0], detail: fault[1] })
  }
  if (url !== undefined) put('/url', urlFault(url))
  if (secret != null) put('/secret', secretFault(secret))
  const seen = new Set<string>()
  for (const [name, value] of Object.entries(headers ?? {})) {
    const pointer = `/headers/${escapePointer(name)}`
    if (seen.has(name.toLowerCase())) put(pointer, ['repeated', 'stands twice, in upper and lower case'])
    seen.add(name.toLowerCase())
    put(pointer, headerFault(name, value))
  }
  if (errors.length === 0) return
  throw new Problem('validation_failed', errors.map(({ pointer, detail }) => `${pointer} ${detail}`).join('; '), errors)
}
