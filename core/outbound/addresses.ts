/**
 * Finds the addresses that requests to the URLs of tenants go to.
 *
 * A name is resolved once, all of its addresses are checked, and the connection goes to a checked address. So a name server
 * cannot answer differently between check and connection (DNS rebinding).
 */
import { promises as dns } from 'node:dns'
import { existsSync, readFileSync } from 'node:fs'
import { createSecureContext, rootCertificates } from 'node:tls'
import { blockedRange } from '../outbound-addresses.ts'
import { config } from '../platform/config.ts'
import type { Deadline } from './deadline.ts'
import { AddressError, codeOf } from './errors.ts'
import { memoize } from './http/endpoint.ts'

const resolver = config.DNS_SERVERS.length > 0 ? new dns.Resolver({ timeout: 3_000, tries: 2 }) : null
resolver?.setServers(config.DNS_SERVERS)

/** Certificates that are trusted in addition to the default ones. */
export const certificates = config.OUTBOUND_CA === undefined ? undefined : certificatesOf(config.OUTBOUND_CA)

/** Created once, because that parses all certificates. */
export const secureContext =
  certificates === undefined ? undefined : createSecureContext({ ca: [...rootCertificates, certificates] })

function certificatesOf(given: string): string {
  if (given.includes('-----BEGIN')) return given
  if (!existsSync(given)) throw new Error(`OUTBOUND_CA is neither PEM text nor a file: ${given}`)
  return readFileSync(given, 'utf8')
}

async function lookup(host: string): Promise<string[]> {
  if (!resolver) return (await dns.lookup(host, { all: true })).map(({ address }) => address)
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

/**
 * Resolves a name to an allowed address.
 *
 * @throws AddressError if the name does not resolve, or one of its addresses is not allowed
 */
async function resolve(host: string): Promise<string> {
  const addresses = await lookup(host).catch((error: unknown) => {
    throw unresolvedName(host, error)
  })
  const [first] = addresses.map((address) => checkAddress(host, address))
  if (!first) throw unresolvedName(host, { code: 'ENODATA' })
  return first
}

/**
 * The address to connect to.
 *
 * @param literal the host if it is an address; null if it is a name
 * @throws AddressError if the name does not resolve, or an address is not allowed; DeadlineExpired
 */
export const addressOf = (host: string, literal: string | null, deadline: Deadline): string | Promise<string> =>
  literal === null ? deadline.wait(resolve(host)) : checkAddress(host, literal)
