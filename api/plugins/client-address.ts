/** The address that a request comes from, as the proxies in front state it. */
import ipaddr from 'ipaddr.js'

/** An address of `X-Forwarded-For`: some proxies add the port, and put IPv6 into brackets. Null for anything else. */
function addressIn(hop: string): string | null {
  const [, v6, v4] = /^(?:\[(.*)\](?::\d+)?|([\d.]+):\d+)$/.exec(hop) ?? []
  const bare = v6 ?? v4 ?? hop
  // Not `isValid`, which takes shortened and octal forms of IPv4, too. Zones are of one machine alone.
  const isAddress = ipaddr.IPv4.isValidFourPartDecimal(bare) || (ipaddr.IPv6.isValid(bare) && !bare.includes('%'))
  return isAddress ? ipaddr.process(bare).toString() : null
}

/**
 * The caller's address behind a number of proxies.
 *
 * @param forwarded the `X-Forwarded-For` of the request
 * @param peer whose address counts where there is no proxy, or where the header names no address
 */
export function clientAddress(forwarded: string | null, proxies: number, peer: string): string {
  if (proxies === 0) return peer
  const hops = (forwarded ?? '').split(',').map((hop) => hop.trim())
  return addressIn(hops.at(-proxies) ?? '') ?? peer
}
