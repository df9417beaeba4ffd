/**
 * Requests that leave this machine: to addresses that were checked, and to those alone.
 *
 * The name is resolved here and the request goes to the address itself, so that nobody can answer
 * differently between the check and the connection (DNS rebinding). Every address of a name must be open.
 */
import { promises as dns } from 'node:dns'
import { existsSync, readFileSync } from 'node:fs'
import { closedRange, literalAddress } from './addresses.ts'
import { monotonicMs } from './clock.ts'
import { config } from './config.ts'

// A proxy of the environment would resolve the name again, and void the check. In small letters it counts before the other.
process.env.NO_PROXY = '*'
process.env.no_proxy = '*'

/** Time for all of one request: resolving, connecting, headers and body. */
export const TIMEOUT_MS = 15_000
/** How much of an answer's body, and of its headers, is kept. */
export const KEPT_BYTES = 16_384

/** Why a request got no answer. `detail` is for the owner of the URL. */
export interface OutboundError {
  code: 'timeout' | 'blocked_address' | 'dns_failure' | 'tls_error' | 'connection_failed'
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

const resolver = config.DNS_SERVERS.length > 0 ? new dns.Resolver({ timeout: 5_000, tries: 2 }) : null
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
  return answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
}

/**
 * The address to connect to.
 *
 * @throws Refused where the name does not resolve, or one of its addresses is closed
 */
export async function checkedAddress(host: string): Promise<string> {
  const addresses = await addressesOf(host).catch(() => [])
  const [first] = addresses
  if (!first) throw new Refused({ code: 'dns_failure', detail: `The name ${host} has no address.` })
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

/** Reads a body into `chunks`, as far as it is kept; what has come stays there when the rest breaks. */
async function readFirst(response: Response, chunks: Uint8Array[]): Promise<void> {
  let length = 0
  const reader = response.body?.getReader()
  while (reader && length < KEPT_BYTES) {
    const { done, value } = await reader.read()
    if (done) break
    chunks.push(value)
    length += value.length
  }
  // What is left is not drained: its sender could go on for ever.
  reader?.cancel().catch(() => {})
}

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
  [/HTTP|ContentLength|Upgrade/i, 'The answer is not HTTP as it should be'],
]

function explained(error: unknown): OutboundError {
  if (error instanceof Refused) return error.problem
  if (error instanceof DOMException && (error.name === 'TimeoutError' || error.name === 'AbortError')) {
    return { code: 'timeout', detail: `There was no whole answer within ${TIMEOUT_MS / 1000} seconds.` }
  }
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
  if (/CERT|TLS|SSL|SELF_SIGNED|UNABLE_TO_VERIFY/i.test(code))
    return { code: 'tls_error', detail: `The certificate was not accepted (${code}).` }
  const meaning = REASONS.find(([pattern]) => pattern.test(code))?.[1] ?? 'The connection failed'
  return { code: 'connection_failed', detail: `${meaning} (${code}).` }
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
    const chunks: Uint8Array[] = []
    await readFirst(response, chunks).catch((error: unknown) => {
      // The status has come, and it decides; the body is only evidence.
      result.error = explained(error)
    })
    result.body = storable(new TextDecoder().decode(Buffer.concat(chunks).subarray(0, KEPT_BYTES)))
  } catch (error) {
    result.error = explained(error)
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
