/** Sends requests to the URLs of tenants, but only to allowed addresses (`core/outbound/addresses.ts`). */
import { addressOf, secureContext } from '../../core/outbound/addresses.ts'
import { Deadline } from '../../core/outbound/deadline.ts'
import { explainError, type OutboundError, wasClosed } from '../../core/outbound/errors.ts'
import {
  Connection,
  type ConnectionTarget,
  type HttpResponse,
  IdleConnections,
  requestText,
} from '../../core/outbound/http/connection.ts'
import { endpointOf } from '../../core/outbound/http/endpoint.ts'
import { monotonicMs } from '../../core/platform/clock.ts'
import { READ_BYTES, readBody } from './response.ts'

// Proxies in the environment are not for this process. Our sockets ignore them, but Bun's `fetch`, which the model client uses,
// does not. The lower-case name takes precedence.
process.env.NO_PROXY = '*'
process.env.no_proxy = '*'

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
 * @param url http or https
 * @param headers all headers except `Host`, `Content-Length`, `Connection` and `Accept-Encoding`
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
    result.address = await addressOf(endpoint.hostname, endpoint.literal, deadline)
    result.dns_ms = since(monotonicMs())
    const request = requestText(endpoint, headers, body, sharer !== null)
    const response = await send({ ...endpoint, address: result.address, context: secureContext }, sharer, request, deadline)
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

/**
 * Sends a request, over an idle connection of the same owner to the same server if there is one.
 *
 * The server may close an idle connection at the moment when it is reused. That is not a failure of the receiver: the request is
 * sent again over a new connection.
 */
async function send(target: ConnectionTarget, owner: string | null, request: string, deadline: Deadline): Promise<HttpResponse> {
  const { address, port, identity } = target
  const key = `${owner} ${identity} ${address} ${port}`
  const sendOver = async (connection: Connection) => {
    const response = await connection.send(request, READ_BYTES, deadline)
    if (owner !== null && connection.isOpen) idle.keep(key, connection)
    return response
  }
  const reused = owner === null ? null : await idle.take(key)
  if (reused) {
    try {
      return await sendOver(reused)
    } catch (error) {
      if (reused.hasReceived || !wasClosed(error)) throw error
    }
  }
  return await sendOver(await Connection.open(target, deadline))
}
