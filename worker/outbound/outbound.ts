/**
 * Requests that leave this machine: to addresses that were checked, and to those alone.
 *
 * The name is resolved here and the request goes to the address itself, so that nobody can answer
 * differently between the check and the connection (DNS rebinding). Every address of a name must be open.
 */
import { promises as dns } from 'node:dns'
import { existsSync, readFileSync } from 'node:fs'
import { createSecureContext, rootCertificates } from 'node:tls'
import { closedRange } from '../../core/outbound-addresses.ts'
import { monotonicMs } from '../../core/platform/clock.ts'
import { config } from '../../core/platform/config.ts'
import { Deadline } from './deadline.ts'
import { codeOf, explained, type OutboundError, Refused, wasClosed } from './errors.ts'
import { Connection, type HttpAnswer, type Target } from './http/connection.ts'
import { endpointOf } from './http/endpoint.ts'
import { IdleConnections } from './http/idle.ts'
import { requestText } from './http/request.ts'
import { remembered } from './memoize.ts'
import { readBody, WANTED_BYTES } from './response-body.ts'

// Proxies of the environment are meant for other programs. Sockets here know none, but `fetch` of Bun, which the client
// of the model uses, does. In small letters it counts before the other.
process.env.NO_PROXY = '*'
process.env.no_proxy = '*'

/** Time for all of one request: resolving, connecting, headers and body. */
export const TIMEOUT_MS = 15_000

/**
 * What came of one request, as it came: headers and body are neither masked nor cut to what is stored (`storedAnswer`).
 * `status` is null where no answer came; then `error` says why.
 */
export interface OutboundResult {
  status: number | null
  headers: Record<string, string> | null
  body: string | null
  /** Of a request without an answer; or what was wrong with the body of one that has a status. */
  error: OutboundError | null
  address: string | null
  dns_ms: number | null
  first_byte_ms: number | null
  duration_ms: number
}

const resolver = config.DNS_SERVERS.length > 0 ? new dns.Resolver({ timeout: 3_000, tries: 2 }) : null
resolver?.setServers(config.DNS_SERVERS)

/** Certificates that are trusted beside the usual ones. */
export const certificates = config.OUTBOUND_CA === undefined ? undefined : certificatesOf(config.OUTBOUND_CA)

/** Made once: it parses every authority. */
const context = certificates === undefined ? undefined : createSecureContext({ ca: [...rootCertificates, certificates] })

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

/** That a name has no address, which is its owner's to mend, is told from name servers that do not say. */
function unresolved(host: string, error: unknown): Refused {
  const code = codeOf(error)
  const detail = /NOTFOUND|NODATA|NONAME/.test(code)
    ? `The name ${host} has no address.`
    : `The name ${host} could not be looked up: the name servers gave no usable answer (${code}).`
  return new Refused({ code: 'dns_failure', detail })
}

const rangeOf = remembered(1_000, (address) => closedRange(address, config.OUTBOUND_ALLOW))

/** @throws Refused where an address is closed */
function checkAddress(host: string, address: string): string {
  const range = rangeOf(address)
  if (range === null) return address
  throw new Refused({
    code: 'blocked_address',
    detail: `${host} is at ${address}, which is in the special-purpose range "${range}". The operator opens such ranges with OUTBOUND_ALLOW.`,
  })
}

/**
 * The address of a name, where all that it has are open.
 *
 * @throws Refused where the name does not resolve, or one of its addresses is closed
 */
async function resolve(host: string): Promise<string> {
  const addresses = await lookup(host).catch((error: unknown) => {
    throw unresolved(host, error)
  })
  const [first] = addresses.map((address) => checkAddress(host, address))
  if (!first) throw unresolved(host, { code: 'ENODATA' })
  return first
}

/**
 * The address to connect to.
 *
 * @param literal the address that the host is, where it is no name
 * @throws Refused where the name does not resolve, or an address is closed; DeadlineExpired
 */
export const addressOf = (host: string, literal: string | null, deadline: Deadline): string | Promise<string> =>
  literal === null ? deadline.wait(resolve(host)) : checkAddress(host, literal)

/** Servers keep idle connections for longer than that. */
const idle = new IdleConnections(256, 1_000)

/**
 * Sends one POST. It never throws: whatever happens is the result.
 *
 * @param url http or https
 * @param headers all of them but `Host`, `Content-Length`, `Connection` and `Accept-Encoding`
 * @param owner whose connections may be used again, such as a hook: a connection is never shared by two owners, as what
 *   one receiver wrote unasked would be taken for the answer to another. Without one, the connection ends with the answer.
 */
export async function post(
  url: string,
  headers: Record<string, string>,
  body: string,
  owner: string | null = null,
): Promise<OutboundResult> {
  const begun = monotonicMs()
  const since = (at: number) => Math.round(at - begun)
  const deadline = new Deadline(TIMEOUT_MS)
  const result: OutboundResult = {
    status: null,
    headers: null,
    body: null,
    error: null,
    address: null,
    dns_ms: null,
    first_byte_ms: null,
    duration_ms: 0,
  }
  const explain = (error: unknown, late: string) => explained(error, late, TIMEOUT_MS / 1000)
  try {
    const endpoint = endpointOf(url)
    result.address = await addressOf(endpoint.hostname, endpoint.literal, deadline)
    result.dns_ms = since(monotonicMs())
    const request = requestText(endpoint, headers, body, owner !== null)
    const answer = await exchange({ ...endpoint, address: result.address, context }, owner, request, deadline)
    result.first_byte_ms = since(answer.headAt)
    result.status = answer.status
    result.headers = answer.headers
    const { text, note } = await readBody(answer)
    result.body = text
    result.error = answer.broken === null ? note : explain(answer.broken, 'The answer was not whole')
  } catch (error) {
    const late = result.address ? `No answer came from ${result.address}` : 'The name of the receiver could not be looked up'
    result.error = explain(error, late)
  }
  deadline.end()
  result.duration_ms = since(monotonicMs())
  return result
}

/**
 * Sends a request, over a connection of the same owner to the same place if one is open.
 *
 * A kept connection may be closed just as it is used again, which is no failure of the receiver: that request is sent
 * once more, over a new one.
 */
async function exchange(target: Target, owner: string | null, request: string, deadline: Deadline): Promise<HttpAnswer> {
  const { address, port, identity } = target
  const key = `${owner} ${identity} ${address} ${port}`
  const send = async (connection: Connection) => {
    const answer = await connection.exchange(request, WANTED_BYTES, deadline)
    if (owner !== null && connection.isOpen) idle.keep(key, connection)
    return answer
  }
  const kept = owner === null ? null : await idle.take(key)
  if (kept) {
    try {
      return await send(kept)
    } catch (error) {
      if (kept.hasHeard || !wasClosed(error)) throw error
    }
  }
  return await send(await Connection.open(target, deadline))
}
