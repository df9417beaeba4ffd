/** A receiver of deployment hooks, as one could stand in a CI/CD system: it believes no request before both signatures fit. */
import { timingSafeEqual } from 'node:crypto'
import { signaturesOf, signingKey } from '../../core/security/signing.ts'

/** One dispatch that came in. */
export interface Received {
  /** Of the dispatch, as the API names it. */
  dispatch_id: string
  event: string
  attempt: number
  sequence: number | null
  headers: Headers
  body: string
  /** `X-Signalbox-Signature` fits. */
  signature: boolean
  /** The headers of Standard Webhooks fit. */
  standard: boolean
  /** What was answered. */
  status: number
}

export interface SignedReceiver {
  url: string
  received: Received[]
  stop(): Promise<void>
}

const ANSWERS: Record<number, string> = { 401: 'not from Signalbox', 503: 'the cluster is being upgraded' }

/** How far a sender's clock may be off; an older request may be somebody's recording. */
const TOLERANCE_SECONDS = 300

// In constant time: how long a comparison takes must not tell how much of a guess was right.
function equal(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)]
  return a.length === b.length && timingSafeEqual(a, b)
}

const signed = (headers: Headers, body: string, secret: string) =>
  signaturesOf(signingKey(secret) ?? new Uint8Array(), {
    id: headers.get('webhook-id') ?? '',
    timestamp: headers.get('webhook-timestamp') ?? '',
    body,
  })

/** Whether the sender knows the secret: the form that GitHub made known. While a secret is rotated, the old one signs, too. */
export function signatureFits(headers: Headers, body: string, secret: string): boolean {
  const { github } = signed(headers, body, secret)
  const given = [headers.get('x-signalbox-signature'), headers.get('x-signalbox-signature-previous')]
  return given.some((each) => equal(each ?? '', github))
}

/** The same by Standard Webhooks, where id and time are signed too. */
export function standardFits(headers: Headers, body: string, secret: string): boolean {
  const timestamp = headers.get('webhook-timestamp') ?? 'none'
  if (!(Math.abs(Date.now() / 1000 - Number(timestamp)) < TOLERANCE_SECONDS)) return false
  const { standard } = signed(headers, body, secret)
  return (headers.get('webhook-signature') ?? '').split(' ').some((each) => equal(each, standard))
}

/**
 * Listens on a free port of this machine.
 *
 * @param secrets by the path that belongs to each hook
 * @param statusOf what is answered to a request whose signatures fit
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
      // The raw text: parsed and written again it may be other bytes, which nobody signed.
      const body = await request.text()
      const { headers } = request
      const one: Received = {
        dispatch_id: headers.get('x-signalbox-delivery') ?? '',
        event: headers.get('x-signalbox-event') ?? '',
        attempt: Number(headers.get('x-signalbox-attempt')),
        sequence: headers.has('x-signalbox-sequence') ? Number(headers.get('x-signalbox-sequence')) : null,
        headers,
        body,
        signature: signatureFits(headers, body, secret),
        standard: standardFits(headers, body, secret),
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
