/**
 * Requests that leave this machine: to addresses that were checked, and to those alone.
 *
 * The name is resolved here and the request goes to the address itself, so that nobody can answer
 * differently between the check and the connection (DNS rebinding). Every address of a name must be open.
 */
import { promises as dns } from 'node:dns'
import { existsSync, readFileSync } from 'node:fs'
import { closedRange, literalAddress } from './addresses.ts'
import { type BodyNote, KEPT_BYTES, readBody } from './answer-body.ts'
import { monotonicMs } from './clock.ts'
import { config } from './config.ts'

// A proxy of the environment would resolve the name again, and void the check. In small letters it counts before the other.
process.env.NO_PROXY = '*'
process.env.no_proxy = '*'

/** Time for all of one request: resolving, connecting, headers and body. */
export const TIMEOUT_MS = 15_000

/** Why a request got no answer. `detail` is for the owner of the URL. */
export interface OutboundError {
  code: 'timeout' | 'blocked_address' | 'dns_failure' | 'tls_error' | 'connection_failed' | BodyNote['code']
  detail: string
}

/** What came of one request. `status` is null where no answer came; then `error` says why. */
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

/** An address that may not be reached, or a name without one. */
export class Refused extends Error {
  constructor(readonly problem: OutboundError) {
    super(problem.detail)
  }
}

const resolver = config.DNS_SERVERS.length > 0 ? new dns.Resolver({ timeout: 3_000, tries: 2 }) : null
resolver?.setServers(config.DNS_SERVERS)

/** Certificates that are trusted beside the usual ones. */
export const certificates = config.OUTBOUND_CA === undefined ? undefined : certificatesOf(config.OUTBOUND_CA)

function certificatesOf(given: string): string {
  if (given.includes('-----BEGIN')) return given
  if (!existsSync(given)) throw new Error(`OUTBOUND_CA is neither PEM text nor a file: ${given}`)
  return readFileSync(given, 'utf8')
}

async function addressesOf(host: string): Promise<string[]> {
  const literal = literalAddress(host)
  if (literal) return [literal]
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

/**
 * The address to connect to.
 *
 * @throws Refused where the name does not resolve, or one of its addresses is closed
 */
export async function checkedAddress(host: string): Promise<string> {
  const addresses = await addressesOf(host).catch((error: unknown) => {
    throw unresolved(host, error)
  })
  const [first] = addresses
  if (!first) throw unresolved(host, { code: 'ENODATA' })
  for (const address of addresses) {
    const range = closedRange(address, config.OUTBOUND_ALLOW)
    if (range) {
      throw new Refused({
        code: 'blocked_address',
        detail: `${host} is at ${address}, which is in the special-purpose range "${range}". The operator opens such ranges with OUTBOUND_ALLOW.`,
      })
    }
  }
  return first
}

/** The name that a certificate must be for, which TLS writes without the dot of an absolute name (RFC 6066, section 3). */
const serverNameOf = (host: string): string | undefined => (literalAddress(host) ? undefined : host.replace(/\.$/, ''))

/** Text that PostgreSQL can hold: valid, and without U+0000. */
export const storable = (text: string): string => text.toWellFormed().replaceAll('\0', '\uFFFD')

function keptHeaders(headers: Headers): Record<string, string> {
  const kept: Record<string, string> = {}
  let length = 0
  for (const [name, value] of headers) {
    length += name.length + value.length
    if (length > KEPT_BYTES) break
    kept[name] = storable(value)
  }
  return kept
}

/** What the codes of a failed request mean to the owner of a URL. */
const REASONS: [code: RegExp, meaning: string][] = [
  [/REFUSED/, 'Nothing listens at this address and port'],
  [/RESET|EPIPE|ConnectionClosed/, 'The connection was closed before the answer was whole'],
  [/UNREACH/, 'There is no way to this address'],
  [/HeadersTooLarge/, 'The headers of the answer are too large'],
  [/PROTO/, 'The answer is not TLS as it should be'],
  [/HTTP|ContentLength|Upgrade/i, 'The answer is not HTTP as it should be'],
]

/** Likewise of a certificate. */
const FAULTS: [code: RegExp, meaning: string][] = [
  [/EXPIRED/, 'it has expired'],
  [/NOT_YET_VALID/, 'it is not valid yet'],
  [/ALTNAME/, 'it is for another name'],
  [/SELF_SIGNED|ISSUER|VERIFY_LEAF/, 'nobody whom this server trusts signed it; the operator adds authorities with OUTBOUND_CA'],
]

const codeOf = (error: unknown): string =>
  typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : 'unknown'

const meaningOf = (code: string, meanings: [RegExp, string][]): string | undefined =>
  meanings.find(([pattern]) => pattern.test(code))?.[1]

/** @param late what did not come in time, where it is that */
function explained(error: unknown, late: string): OutboundError {
  if (error instanceof Refused) return error.problem
  if (error instanceof DOMException && (error.name === 'TimeoutError' || error.name === 'AbortError')) {
    return { code: 'timeout', detail: `${late} within ${TIMEOUT_MS / 1000} seconds.` }
  }
  const code = codeOf(error)
  if (/CERT|TLS|SSL|SELF_SIGNED|UNABLE_TO_VERIFY/i.test(code)) {
    const meaning = meaningOf(code, FAULTS)
    return { code: 'tls_error', detail: `The certificate was not accepted${meaning ? `: ${meaning}` : ''} (${code}).` }
  }
  return { code: 'connection_failed', detail: `${meaningOf(code, REASONS) ?? 'The connection failed'} (${code}).` }
}

/**
 * Sends one POST. It never throws: whatever happens is the result.
 *
 * @param url http or https
 * @param headers all of them but `Host` and `Content-Length`
 * @param signal ends it early; the result is then a timeout
 */
export async function post(
  url: string,
  headers: Record<string, string>,
  body: string,
  signal?: AbortSignal,
): Promise<OutboundResult> {
  const begun = monotonicMs()
  const since = () => Math.round(monotonicMs() - begun)
  const timeout = AbortSignal.timeout(TIMEOUT_MS)
  const deadline = signal ? AbortSignal.any([timeout, signal]) : timeout
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
  try {
    const target = new URL(url)
    const { host, hostname } = target
    result.address = await withinDeadline(checkedAddress(hostname), deadline)
    result.dns_ms = since()
    target.hostname = result.address.includes(':') ? `[${result.address}]` : result.address
    const response = await exchange(target, serverNameOf(hostname), {
      method: 'POST',
      headers: { ...headers, Host: host, 'Accept-Encoding': 'identity' },
      body,
      redirect: 'manual',
      decompress: false,
      signal: deadline,
    })
    result.first_byte_ms = since()
    result.status = response.status
    result.headers = keptHeaders(response.headers)
    const { text, broken, note } = await readBody(response)
    result.body = storable(text)
    result.error = broken ? explained(broken, 'The answer was not whole') : note
  } catch (error) {
    const late = result.address ? `No answer came from ${result.address}` : 'The name of the receiver could not be looked up'
    result.error = explained(error, late)
  }
  result.duration_ms = since()
  return result
}

/** For so long after an answer its receiver's connections are used again. Servers keep idle ones for longer than that. */
const KEPT_MS = 1_000
/** So many receivers are remembered. */
const MOST_KEPT = 10_000

/** Address, port and server name → when it last answered. */
const answered = new Map<string, number>()

/**
 * Sends to an address that was checked just now. While its receiver is busy with our requests, connections are kept:
 * they go to this very address, and a new one for each would cost more than the request itself.
 *
 * A kept connection may be closed just as it is used again, which is no failure of the receiver: that request is sent
 * once more, on a connection of its own, and what comes of that counts.
 */
async function exchange(target: URL, serverName: string | undefined, request: BunFetchRequestInit): Promise<Response> {
  const tls = target.protocol === 'https:' ? { tls: { serverName, ca: certificates } } : {}
  const send = (keepalive: boolean) => fetch(target, { ...request, ...tls, keepalive })
  const receiver = `${target.origin} ${serverName}`
  const kept = monotonicMs() - (answered.get(receiver) ?? Number.NEGATIVE_INFINITY) < KEPT_MS
  const response = await (kept
    ? send(true).catch((error: unknown) => {
        if (wasClosed(error)) return send(false)
        throw error
      })
    : send(false))
  if (answered.size >= MOST_KEPT) answered.clear()
  answered.set(receiver, monotonicMs())
  return response
}

const wasClosed = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && /RESET|EPIPE|ConnectionClosed/.test(String(error.code))

/** Resolving takes no signal, so it is raced against it. */
export function withinDeadline<Value>(work: Promise<Value>, deadline: AbortSignal): Promise<Value> {
  return new Promise((resolve, reject) => {
    const expire = () => reject(deadline.reason)
    if (deadline.aborted) return expire()
    deadline.addEventListener('abort', expire, { once: true })
    work.then(resolve, reject).finally(() => deadline.removeEventListener('abort', expire))
  })
}
