/** Signatures of outgoing requests: GitHub's form, and Standard Webhooks (https://www.standardwebhooks.com). */
import { createHmac } from 'node:crypto'

/**
 * The key that a secret stands for: its UTF-8 bytes, or the decoded bytes where it begins with `whsec_`.
 *
 * @returns null where a `whsec_` secret is not base64
 */
export function signingKey(secret: string): Uint8Array | null {
  if (!secret.startsWith('whsec_')) return new TextEncoder().encode(secret)
  const encoded = secret.slice('whsec_'.length)
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(encoded) || encoded.replace(/=+$/, '').length % 4 === 1) return null
  return Buffer.from(encoded, 'base64')
}

/** What is signed, beside the key: the id and the time travel in headers of their own. */
export interface Signed {
  id: string
  /** Seconds since 1970. */
  timestamp: number
  body: string
}

/**
 * The headers that prove where a request comes from.
 *
 * @param secrets the one in force first, then those that are running out
 */
export function signatureHeaders(secrets: string[], { id, timestamp, body }: Signed): Record<string, string> {
  const keys = secrets.map((secret) => {
    const key = signingKey(secret)
    if (!key) throw new Error('A stored whsec_ secret is not base64')
    return key
  })
  const headers: Record<string, string> = { 'webhook-id': id, 'webhook-timestamp': String(timestamp) }
  const [current, previous] = keys
  if (!current) return headers
  headers['X-Signalbox-Signature'] = `sha256=${createHmac('sha256', current).update(body).digest('hex')}`
  if (previous) headers['X-Signalbox-Signature-Previous'] = `sha256=${createHmac('sha256', previous).update(body).digest('hex')}`
  headers['webhook-signature'] = keys
    .map((key) => `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`)
    .join(' ')
  return headers
}
