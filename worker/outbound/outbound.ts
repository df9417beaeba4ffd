/**
 * Sends requests to the URLs of tenants, but only to allowed addresses (`core/outbound/addresses.ts`), and through no proxy, whatever
 * the environment says.
 */
import { addressesOf, secureContext } from '../../core/outbound/addresses.ts'
import { Deadline } from '../../core/outbound/deadline.ts'
import { explainError, type OutboundError, wasClosed } from '../../core/outbound/errors.ts'
import { Connection, IdleConnections, requestText } from '../../core/outbound/http/connection.ts'
import { type Endpoint, endpointOf } from '../../core/outbound/http/endpoint.ts'
import { openFirst } from '../../core/outbound/open-first.ts'
import { monotonicMs } from '../../core/platform/clock.ts'
import { READ_BYTES, readBody } from './response.ts'

/** Time limit of a request: DNS, connecting, headers and body. */
export const TIMEOUT_MS = 15_000

/**
 * The result of one request, as received: headers and body are neither masked nor cut (see `toStoredResponse`). `status` is null
 * if there was no response; `error` then says why.
 */
export interface OutboundResult {
  status: number | null
  headers: Record<string, string> | null
  body: string | null
  /** Why there was no response, or what is wrong with its body. */
  error: OutboundError | null
  /** The address of the server, or the one that the error is about. */
  address: string | null
  dns_ms: number | null
  first_byte_ms: number | null
  duration_ms: number
}

/** The result before anything is known, also of a request that is not sent. */
export const NO_RESULT: OutboundResult = {
  status: null,
  headers: null,
  body: null,
  error: null,
  address: null,
  dns_ms: null,
  first_byte_ms: null,
  duration_ms: 0,
}

/**
 * Longer requests have a connection of their own: a server may answer one that it has not read to its end, and again when it has, and
 * the kernel takes up to a megabyte before the server reads it. What fits here, servers have read when they answer.
 */
const MAX_REUSED_LENGTH = 64 * 1024

/** Servers keep idle connections for longer than a second. */
const idle = new IdleConnections(256, 1_000)

/**
 * Sends one POST. Never throws.
 *
 * @param owner the id of a hook or channel whose connections are reused. Connections are not shared between owners: bytes that
 *   one receiver sends unasked would be read as the response to another's request. Null: the connection is not reused.
 */
export async function post(
  url: string,
  headers: Record<string, string>,
  body: string,
  owner: string | null = null,
): Promise<OutboundResult> {
  const sharer = body.length > MAX_REUSED_LENGTH ? null : owner
  const start = monotonicMs()
  const since = (at: number) => Math.round(at - start)
  const deadline = new Deadline(TIMEOUT_MS)
  const result = { ...NO_RESULT }
  const explain = (error: unknown, onTimeout: string) => explainError(error, onTimeout, TIMEOUT_MS / 1000)
  try {
    const endpoint = endpointOf(url)
    const addresses = await addressesOf(endpoint.hostname, endpoint.literal, deadline)
    const isAt = (address: string) => {
      result.address = address
    }
    isAt(addresses[0] ?? '')
    result.dns_ms = since(monotonicMs())
    const request = requestText(endpoint, headers, body, sharer !== null)
    const response = await send({ endpoint, addresses, isAt }, sharer, request, deadline)
    result.first_byte_ms = since(response.headAt)
    result.status = response.status
    result.headers = response.headers
    const { text, note } = await readBody(response)
    result.body = text
    result.error = response.bodyError === null ? note : explain(response.bodyError, 'The response was not complete')
  } catch (error) {
    const onTimeout = result.address ? `No response came from ${result.address}` : 'The name of the receiver did not resolve'
    result.error = explain(error, onTimeout)
  }
  deadline.end()
  result.duration_ms = since(monotonicMs())
  return result
}

interface Receiver {
  endpoint: Endpoint
  /** Checked ones, in the order in which to try them. */
  addresses: string[]
  /** Called with the address that the request is sent to, or that could not be reached. */
  isAt: (address: string) => void
}

/**
 * Sends a request, over an idle connection of the same owner to the same server if there is one.
 *
 * The server may close an idle connection at the moment when it is reused. That is not a failure of the receiver: the request is
 * sent again over a new connection, but to no other address, whose server would not know that the first may have read it.
 */
async function send({ endpoint, addresses, isAt }: Receiver, owner: string | null, request: string, deadline: Deadline) {
  const { port, identity } = endpoint
  const keyOf = (address: string) => `${owner} ${identity} ${address} ${port}`
  const sendOver = async (connection: Connection) => {
    isAt(connection.address)
    const response = await connection.send(request, READ_BYTES, deadline)
    if (owner !== null && connection.isOpen) idle.keep(keyOf(connection.address), connection)
    return response
  }
  const open = (to: string[]) =>
    openFirst(
      to,
      deadline,
      (address, until) => Connection.open({ ...endpoint, address, context: secureContext }, until),
      (unneeded) => unneeded.close(),
      isAt,
    )
  for (const address of owner === null ? [] : addresses) {
    const reused = await idle.take(keyOf(address))
    if (!reused) continue
    try {
      return await sendOver(reused)
    } catch (error) {
      if (reused.hasReceived || !wasClosed(error)) throw error
      return await sendOver(await open([address]))
    }
  }
  return await sendOver(await open(addresses))
}
