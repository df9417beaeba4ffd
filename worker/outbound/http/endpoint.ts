/** Where a url leads, as far as the url says it. */
import { literalAddress } from '../../../core/outbound-addresses.ts'
import { remembered } from '../memoize.ts'

export interface Endpoint {
  /** Name or address with the port, as in the header `Host`. */
  host: string
  /** The name to resolve, or an address. */
  hostname: string
  /** The address, where the url names one. */
  literal: string | null
  port: number
  /** Path and query. */
  path: string
  /** The name, or the address, that the certificate must be for; null without TLS. */
  identity: string | null
  /** For SNI: the name; undefined where an address was asked for. */
  server_name: string | undefined
}

function parse(url: string): Endpoint {
  const { protocol, host, hostname, port, pathname, search } = new URL(url)
  const isTls = protocol === 'https:'
  const literal = literalAddress(hostname)
  // TLS writes a name without the dot of an absolute one (RFC 6066, section 3).
  const name = hostname.replace(/\.$/, '')
  return {
    host,
    hostname,
    literal,
    port: port === '' ? (isTls ? 443 : 80) : Number(port),
    path: pathname + search,
    identity: isTls ? (literal ?? name) : null,
    server_name: literal === null ? name : undefined,
  }
}

/**
 * Parses a url, http or https. A hook has one and thousands of dispatches.
 *
 * @throws TypeError where it is none
 */
export const endpointOf = remembered(1_000, parse)
