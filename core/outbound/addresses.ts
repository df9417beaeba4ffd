/**
 * Finds the addresses that requests to the URLs of tenants go to.
 *
 * A name is resolved once, all of its addresses are checked, and connections go to checked addresses. So a name server
 * cannot answer differently between check and connection (DNS rebinding).
 */
import { promises as dns } from 'node:dns'
import { createSecureContext, rootCertificates } from 'node:tls'
import { config } from '../platform/config.ts'
import { memoize } from '../values/memoize.ts'
import type { Deadline } from './deadline.ts'
import { AddressError, codeOf } from './errors.ts'
import { blockedRange } from './requests.ts'

/** Asks the configured name servers, or those of the system. */
export const resolver = new dns.Resolver({ timeout: 3_000, tries: 2 })
const hasOwnServers = config.DNS_SERVERS.length > 0
if (hasOwnServers) resolver.setServers(config.DNS_SERVERS)

/** Certificates that are trusted in addition to the default ones. */
export const certificates = config.OUTBOUND_CA

/** Created once, because that parses all certificates. */
export const secureContext =
  certificates === undefined ? undefined : createSecureContext({ ca: [...rootCertificates, certificates] })

async function lookup(host: string): Promise<string[]> {
  if (!hasOwnServers) return (await dns.lookup(host, { all: true })).map(({ address }) => address)
  const answers = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)])
  const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
  const failed = answers.find((answer) => answer.status === 'rejected')
  if (addresses.length === 0 && failed) throw failed.reason
  return addresses
}

/** Distinguishes a name without an address, which its owner can fix, from a failure of the name servers. */
function unresolvedName(host: string, error: unknown): AddressError {
  const code = codeOf(error)
  const detail = /NOTFOUND|NODATA|NONAME/.test(code)
    ? `The name ${host} has no address.`
    : `The name ${host} could not be resolved: the name servers did not answer (${code}).`
  return new AddressError({ code: 'dns_failure', detail })
}

const rangeOf = memoize(1_000, (address) => blockedRange(address, config.OUTBOUND_ALLOW))

/** @throws AddressError if requests to the address are not allowed */
function checkAddress(host: string, address: string): string {
  const range = rangeOf(address)
  if (range === null) return address
  throw new AddressError({
    code: 'blocked_address',
    detail: `${host} resolves to ${address}, which is in the special-purpose range "${range}". The operator can allow such ranges with OUTBOUND_ALLOW.`,
  })
}

/** The first, then one of the other family, and so on: one of the two may have no route (RFC 8305, section 4). */
function alternating(addresses: string[]): string[] {
  const isIpv6 = (address: string) => address.includes(':')
  const [same = [], other = []] = [true, false].map((isSame) =>
    addresses.filter((address) => (isIpv6(address) === isIpv6(addresses[0] ?? '')) === isSame),
  )
  return addresses.flatMap((_, index) => [...same.slice(index, index + 1), ...other.slice(index, index + 1)])
}

/** @throws AddressError if the name does not resolve, or one of its addresses is not allowed */
async function resolve(host: string): Promise<string[]> {
  const addresses = await lookup(host).catch((error: unknown) => {
    throw unresolvedName(host, error)
  })
  if (addresses.length === 0) throw unresolvedName(host, { code: 'ENODATA' })
  return alternating([...new Set(addresses.map((address) => checkAddress(host, address)))])
}

/** In the order in which to try them. @param literal null if the host is a name @throws AddressError, DeadlineExpired */
export const addressesOf = (host: string, literal: string | null, deadline: Deadline): string[] | Promise<string[]> =>
  literal === null ? deadline.wait(resolve(host)) : [checkAddress(host, literal)]
