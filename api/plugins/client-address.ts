/** The client's address as reported by the proxies in front of the API, and the network that limits count it for. */
import ipaddr from 'ipaddr.js'

/** Parses an entry of `X-Forwarded-For`, in which some proxies add a port and IPv6 brackets. Null if it is no address. */
function addressIn(hop: string): string | null {
  const [, v6, v4] = /^(?:\[(.*)\](?::\d+)?|([\d.]+):\d+)$/.exec(hop) ?? []
  const bare = v6 ?? v4 ?? hop
  // `isValid` would also accept shortened and octal IPv4. Zone ids are meaningful on one machine only.
  const isAddress = ipaddr.IPv4.isValidFourPartDecimal(bare) || (ipaddr.IPv6.isValid(bare) && !bare.includes('%'))
  return isAddress ? ipaddr.process(bare).toString() : null
}

/**
 * The client's address behind a number of trusted proxies.
 *
 * @param forwarded the `X-Forwarded-For` of the request
 * @param proxies how many trusted proxies are in front
 * @param peer the address of the connection; returned without proxies, or if the header contains no valid address
 */
export function clientAddress(forwarded: string | null, proxies: number, peer: string): string {
  if (proxies === 0) return peer
  const hops = (forwarded ?? '').split(',').map((hop) => hop.trim())
  return addressIn(hops.at(-proxies) ?? '') ?? peer
}

const prefixOf = ({ parts }: ipaddr.IPv6, groups: number): string =>
  `${parts
    .slice(0, groups)
    .map((part) => part.toString(16))
    .join(':')}::/${groups * 16}`

/**
 * What limits by address count as one client: an IPv4 address, or the /64 of an IPv6 address, since every customer of a provider has at
 * least that many. `network_of` of the database does the same.
 */
export function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address
  const parsed = ipaddr.process(address)
  return parsed instanceof ipaddr.IPv4 ? parsed.toString() : prefixOf(parsed, 4)
}

/**
 * The networks that contain a client, the widest first and `networkOf` last. A client with a /48 has 65,536 of /64: a queue in which
 * clients take turns is fair only if the networks around them take turns too.
 */
export function networksOf(address: string): string[] {
  const network = networkOf(address)
  if (!ipaddr.isValid(address)) return [network]
  const parsed = ipaddr.process(address)
  return parsed instanceof ipaddr.IPv4
    ? [network.slice(0, network.lastIndexOf('.')), network]
    : [prefixOf(parsed, 2), prefixOf(parsed, 3), network]
}
