/** The parts of a url that are needed to send a request. */

import { literalAddress } from '../../outbound-addresses.ts'

export interface Endpoint {
  /** Name or address with the port, as in the `Host` header. */
  host: string
  /** Name or address. */
  hostname: string
  /** The address if the host is one; null if it is a name. */
  literal: string | null
  port: number
  /** Path and query. */
  path: string
  /** The name or address that the certificate must be valid for; null without TLS. */
  identity: string | null
  /** The name for SNI; undefined if the host is an address. */
  server_name: string | undefined
}

function parse(url: string): Endpoint {
  const { protocol, host, hostname, port, pathname, search } = new URL(url)
  const isTls = protocol === 'https:'
  const literal = literalAddress(hostname)
  // In TLS, names are written without the trailing dot (RFC 6066, section 3).
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
 * Parses an http or https url. Memoized: a hook has one url and thousands of dispatches.
 *
 * @throws TypeError if it is not a valid url
 */
export const endpointOf = memoize(1_000, parse)

/**
 * Caches the results of a pure function. Nothing is cached if it throws.
 *
 * @param size the maximum number of results; the oldest is evicted first
 */
export function memoize<Value>(size: number, compute: (text: string) => Value): (text: string) => Value {
  const results = new Map<string, Value>()
  return (text) => {
    const cached = results.get(text)
    if (cached !== undefined) return cached
    const value = compute(text)
    const [oldest] = results.keys()
    if (results.size >= size && oldest !== undefined) results.delete(oldest)
    results.set(text, value)
    return value
  }
}
