/** A receiver of deployment hooks, as one could stand in a CI/CD system: it believes no request before both signatures fit. */
import { createHmac, timingSafeEqual } from 'node:crypto'

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
}

export interface SignedReceiver {
  url: string
  received: Received[]
  stop(): Promise<void>
}

/** How far a sender's clock may be off; an older request may be somebody's recording. */
const TOLERANCE_SECONDS = 300

// In constant time: how long a comparison takes must not tell how much of a guess was right.
function equal(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)]
  return a.length === b.length && timingSafeEqual(a, b)
}

/** Whether the sender knows the secret: the form that GitHub made known. */
export function signatureFits(headers: Headers, body: string, secret: string): boolean {
  const hex = createHmac('sha256', keyOf(secret)).update(body).digest('hex')
  return equal(headers.get('x-signalbox-signature') ?? '', `sha256=${hex}`)
}

/** The same by Standard Webhooks, where id and time are signed too. */
export function standardFits(headers: Headers, body: string, secret: string): boolean {
  const [id, timestamp] = [headers.get('webhook-id') ?? '', headers.get('webhook-timestamp') ?? '']
  if (!(Math.abs(Date.now() / 1000 - Number(timestamp)) < TOLERANCE_SECONDS)) return false
  const expected = createHmac('sha256', keyOf(secret)).update(`${id}.${timestamp}.${body}`).digest('base64')
  return (headers.get('webhook-signature') ?? '').split(' ').some((each) => equal(each, `v1,${expected}`))
}

const keyOf = (secret: string): Buffer => Buffer.from(secret.replace(/^whsec_/, ''), 'base64')

/** A secret in the form that Standard Webhooks asks for. */
export const newSecret = (): string => `whsec_${Buffer.from(crypto.getRandomValues(new Uint8Array(24))).toString('base64')}`

/**
 * Listens on a free port of this machine.
 *
 * @param secrets by the path that belongs to each hook
 */
export function startSignedReceiver(secrets: Record<string, string>, onReceived: (received: Received) => void): SignedReceiver {
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
      }
      received.push(one)
      onReceived(one)
      return one.signature && one.standard ? new Response('deployed') : new Response('not from Signalbox', { status: 401 })
    },
  })
  return { url: server.url.origin, received, stop: () => server.stop(true) }
}
