/** The parts of a url that are needed to send a request. */
import { memoize } from '../../values/memoize.ts'
import { bareName } from '../../values/web-addresses.ts'
import { literalAddress } from '../requests.ts'

export interface Endpoint {
  /** Name or address with the port, as in the `Host` header. */
  host: string
  hostname: string
  /** The address if the host is one; null if it is a name. */
  literal: string | null
  port: number
  path: string
  /** The name or address that the certificate must be valid for; null without TLS. */
  identity: string | null
  /** The name for SNI; undefined if the host is an address. */
  server_name: string | undefined
}

/** @throws TypeError if it is not a valid url */
export function parseEndpoint(url: string): Endpoint {
  const { protocol, host, hostname, port, pathname, search } = new URL(url)
  const isTls = protocol === 'https:'
  const literal = literalAddress(hostname)
  // In TLS, names are written without the trailing dot (RFC 6066, section 3).
  const name = bareName(hostname)
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

/** Memoized: a hook has one url and thousands of dispatches. @throws TypeError if it is not a valid url */
export const endpointOf = memoize(1_000, parseEndpoint)
