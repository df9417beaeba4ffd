/** Which addresses outgoing requests may go to, and what their URLs, headers and secrets may be. */
import ipaddr from 'ipaddr.js'
import { config } from '../platform/config.ts'
import type { AddressRange } from '../platform/setting-values.ts'
import { MASK } from '../security/secrets.ts'
import { signingKey } from '../security/signing.ts'
import { bareName } from '../values/web-addresses.ts'
import { TOKEN } from './http/head.ts'

type Address = ipaddr.IPv4 | ipaddr.IPv6

// Ranges in IANA's special-purpose registries (RFC 6890 and later) that ipaddr.js does not know.
const MORE_RANGES: [AddressRange, string][] = (
  [
    ['192.0.0.0/24', 'ietfProtocol'],
    ['192.88.99.0/24', '6to4Relay'],
    ['198.18.0.0/15', 'benchmarking'],
    ['64:ff9b:1::/48', 'localNat64'],
    ['::/96', 'ipv4Compatible'],
    ['100::/64', 'discard'],
    ['100:0:0:1::/64', 'dummyPrefix'],
    ['2001::/23', 'ietfProtocol'],
    ['2001:db8::/32', 'documentation'],
    ['3fff::/20', 'documentation'],
    ['5f00::/16', 'segmentRouting'],
    ['fec0::/10', 'siteLocal'],
  ] as const
).map(([range, name]) => [ipaddr.parseCIDR(range), name])

const within = (address: Address, [network, bits]: AddressRange): boolean =>
  address.kind() === network.kind() && address.match(network, bits)

/** Whether an IPv6 address embeds an IPv4 address by ISATAP (RFC 5214, section 6.1), to which a router forwards packets. */
function isIsatap(address: Address): boolean {
  if (!(address instanceof ipaddr.IPv6)) return false
  const [high = 0, low] = address.parts.slice(4)
  // The universal/local bit is ignored.
  return (high & ~0x0200) === 0 && low === 0x5efe
}

/** Parses an address. An IPv4-mapped IPv6 address is returned as IPv4. */
const unwrapped = (text: string): Address => ipaddr.process(text)

/** The special-purpose range for which an address, without brackets, is blocked; null if it is not, or the operator allows it. */
export function blockedRange(text: string, allowed: readonly AddressRange[]): string | null {
  const address = unwrapped(text)
  if (allowed.some((range) => within(address, range))) return null
  const name = address.range()
  if (name !== 'unicast') return name
  if (isIsatap(address)) return 'isatap'
  return MORE_RANGES.find(([range]) => within(address, range))?.[1] ?? null
}

/** The host of a URL if it is an address, without the brackets of IPv6; null if it is a name. */
export const literalAddress = (host: string): string | null => {
  const bare = host.replace(/^\[|\]$/g, '')
  return ipaddr.isValid(bare) ? bare : null
}

/** The address that the host of a URL is known to have before it is resolved; null for other names. */
function knownAddress(host: string): string | null {
  const name = bareName(host)
  return literalAddress(name) ?? (name === 'localhost' || name.endsWith('.localhost') ? '127.0.0.1' : null)
}

/** Whether the host of a URL is localhost or an address in an allowed range. Other names are not: they may resolve to any address. */
export function isAllowedAddress(host: string, allowed: readonly AddressRange[]): boolean {
  const address = knownAddress(host)
  return address !== null && allowed.some((range) => within(unwrapped(address), range))
}

export type Flaw = [code: string, detail: string]

// Headers that frame the request, authenticate the sender, or are set by the service.
const RESERVED_NAMES =
  /^(host|content-.*|connection|keep-alive|transfer-encoding|te|trailer|upgrade|expect|accept-encoding|proxy-.*|cookie|user-agent|webhook-.*|x-signalbox-.*)$/
/** Length of a header name. The schema limits values. */
const MAX_NAME_LENGTH = 256
const SECRET_VALUE = /^[\t\x20-\x7e]*$/

export function urlError(text: string): Flaw | null {
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) return ['malformed', 'must be an http or https URL']
  const { username, password, hostname, port } = new URL(text)
  if (username || password) return ['credentials_in_url', 'must not contain a user name or password; use a header instead']
  if (port === '0') return ['malformed', 'must not have port 0']
  const address = knownAddress(hostname)
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

/** Of a header or a template secret, which is write-only. @param stored whether the placeholder keeps a value of that name */
export function secretValueError(value: string, stored: boolean): Flaw | null {
  if (value === MASK)
    return stored ? null : ['nothing_to_keep', 'is the placeholder for the stored value, but no value is stored']
  if (!SECRET_VALUE.test(value)) return ['malformed', 'may contain only visible ASCII characters, spaces and tabs']
  return null
}

function headerError(name: string, value: string, stored: boolean): Flaw | null {
  if (!TOKEN.test(name)) return ['malformed', 'is not a valid header name']
  if (name.length > MAX_NAME_LENGTH) return ['too_long', `has a name longer than ${MAX_NAME_LENGTH} characters`]
  if (RESERVED_NAMES.test(name.toLowerCase())) return ['reserved', 'is reserved and cannot be set']
  return secretValueError(value, stored)
}

/** At most one error per header. @param stored the names of headers whose values the placeholder keeps */
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
