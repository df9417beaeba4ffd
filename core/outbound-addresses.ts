/** Which addresses may be reached from here. */
import ipaddr from 'ipaddr.js'
import type { Range } from './platform/setting-values.ts'

type Address = ipaddr.IPv4 | ipaddr.IPv6

// IANA's special-purpose registries (RFC 6890 and what came after), where ipaddr.js has no name for them.
const FURTHER: [Range, string][] = (
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

const within = (address: Address, [network, bits]: Range): boolean =>
  address.kind() === network.kind() && address.match(network, bits)

/** An interface identifier that carries an IPv4 address into which a router unwraps packets (ISATAP, RFC 5214, section 6.1). */
function isIsatap(address: Address): boolean {
  if (!(address instanceof ipaddr.IPv6)) return false
  const [high = 0, low] = address.parts.slice(4)
  // With or without the bit that says that the address inside is unique in the world.
  return (high & ~0x0200) === 0 && low === 0x5efe
}

/** An IPv4 address that is carried in an IPv6 one (mapped) counts as what it carries. */
const unwrapped = (text: string): Address => ipaddr.process(text)

/**
 * Why an address is closed to outgoing requests.
 *
 * @param text an IPv4 or IPv6 address, without brackets
 * @param allowed ranges that are open all the same
 * @returns the name of its special-purpose range, or null where it is open
 */
export function closedRange(text: string, allowed: readonly Range[]): string | null {
  const address = unwrapped(text)
  if (allowed.some((range) => within(address, range))) return null
  const name = address.range()
  if (name !== 'unicast') return name
  if (isIsatap(address)) return 'isatap'
  return FURTHER.find(([range]) => within(address, range))?.[1] ?? null
}

/** Whether a host of a URL is an address and no name. Brackets of IPv6 are taken off first. */
export const literalAddress = (host: string): string | null => {
  const bare = host.replace(/^\[|\]$/g, '')
  return ipaddr.isValid(bare) ? bare : null
}

/** Whether a host of a URL is this machine, or an address, that the operator opened. A name is none: it may lead anywhere tomorrow. */
export function isOpened(host: string, allowed: readonly Range[]): boolean {
  const name = host.replace(/\.$/, '')
  const address = literalAddress(host) ?? (name === 'localhost' || name.endsWith('.localhost') ? '127.0.0.1' : null)
  return address !== null && allowed.some((range) => within(unwrapped(address), range))
}
