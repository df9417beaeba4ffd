/** Which addresses outgoing requests may go to. */
import ipaddr from 'ipaddr.js'
import type { AddressRange } from './platform/setting-values.ts'

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

/**
 * Whether an address is blocked for outgoing requests.
 *
 * @param text an IPv4 or IPv6 address, without brackets
 * @param allowed special-purpose ranges that the operator allows
 * @returns the name of its special-purpose range; null if the address is not blocked
 */
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

/** Whether the host of a URL is localhost or an address in an allowed range. Other names are not: they may resolve to any address. */
export function isAllowedAddress(host: string, allowed: readonly AddressRange[]): boolean {
  const name = host.replace(/\.$/, '')
  const address = literalAddress(host) ?? (name === 'localhost' || name.endsWith('.localhost') ? '127.0.0.1' : null)
  return address !== null && allowed.some((range) => within(unwrapped(address), range))
}
