/** A receiver of deployment hooks that verifies both signatures, as a CI/CD system would. */

import { githubFits, signingKey, standardFits } from '../../cli/listen/signatures.js'

/** One request of a dispatch. */
export interface Received {
  dispatch_id: string
  event: string
  attempt: number
  sequence: number | null
  headers: Headers
  body: string
  /** Whether `X-Signalbox-Signature` fits. */
  signature: boolean
  /** Whether the signature of Standard Webhooks fits. */
  standard: boolean
  /** The status of the answer. */
  status: number
}

export interface SignedReceiver {
  url: string
  received: Received[]
  stop(): Promise<void>
}

const ANSWERS: Record<number, string> = { 401: 'not from Signalbox', 503: 'the cluster is being upgraded' }

/** Whether the signatures of a request fit. */
export function checkSignatures(headers: Headers, body: string, secret: string): Pick<Received, 'signature' | 'standard'> {
  const [key, given] = [signingKey(secret) ?? Buffer.alloc(0), Object.fromEntries(headers)]
  return { signature: githubFits(key, given, body), standard: standardFits(key, given, body) }
}

/**
 * Listens on a free port of this machine.
 *
 * @param secrets by path, one for each hook
 * @param statusOf the status of the answer to a request whose signatures fit
 */
export function startSignedReceiver(
  secrets: Record<string, string>,
  onReceived: (received: Received) => void,
  statusOf: (received: Received) => number = () => 200,
): SignedReceiver {
  const received: Received[] = []
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    async fetch(request) {
      const secret = secrets[new URL(request.url).pathname]
      if (request.method !== 'POST' || !secret) return new Response(null, { status: 404 })
      // The signature covers the raw bytes; parsing and serializing could change them.
      const body = await request.text()
      const { headers } = request
      const one: Received = {
        dispatch_id: headers.get('x-signalbox-delivery') ?? '',
        event: headers.get('x-signalbox-event') ?? '',
        attempt: Number(headers.get('x-signalbox-attempt')),
        sequence: headers.has('x-signalbox-sequence') ? Number(headers.get('x-signalbox-sequence')) : null,
        headers,
        body,
        ...checkSignatures(headers, body, secret),
        status: 401,
      }
      if (one.signature && one.standard) one.status = statusOf(one)
      received.push(one)
      onReceived(one)
      return new Response(ANSWERS[one.status] ?? 'deployed', { status: one.status })
    },
  })
  return { url: server.url.origin, received, stop: () => server.stop(true) }
}
