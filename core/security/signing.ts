/** Signatures of outgoing requests: the format of GitHub, and Standard Webhooks (https://www.standardwebhooks.com). */

/**
 * The key of a secret: its UTF-8 bytes, or the decoded bytes if it starts with `whsec_`.
 *
 * @returns null if a `whsec_` secret is not base64
 */
export function signingKey(secret: string): Uint8Array | null {
  if (!secret.startsWith('whsec_')) return new TextEncoder().encode(secret)
  const encoded = secret.slice('whsec_'.length)
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(encoded) || encoded.replace(/=+$/, '').length % 4 === 1) return null
  return Buffer.from(encoded, 'base64')
}

/** A new secret in the format of Standard Webhooks: `whsec_` and 32 random bytes in base64. */
export const newSecret = (): string => `whsec_${Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString('base64')}`

/** What is signed. Id and timestamp are sent in headers. */
export interface Signed {
  id: string
  /** Seconds since 1970. */
  timestamp: number | string
  body: string
}

// Twice as fast as node:crypto.
const hmac = (key: Uint8Array, text: string) => new Bun.CryptoHasher('sha256', key).update(text)

/** The signatures with one key: GitHub's covers the body; Standard Webhooks' covers id, timestamp and body. */
export const signaturesOf = (key: Uint8Array, { id, timestamp, body }: Signed) => ({
  github: `sha256=${hmac(key, body).digest('hex')}`,
  standard: `v1,${hmac(key, `${id}.${timestamp}.${body}`).digest('base64')}`,
})

/**
 * The keys of stored secrets, which were validated when they were set.
 *
 * @throws Error if one is not base64
 */
export const signingKeys = (secrets: string[]): Uint8Array[] =>
  secrets.map((secret) => {
    const key = signingKey(secret)
    if (!key) throw new Error('A stored whsec_ secret is not base64')
    return key
  })

/** The headers that every request has, signed or not. */
export const identityHeaders = ({ id, timestamp }: Signed): Record<string, string> => ({
  'webhook-id': id,
  'webhook-timestamp': String(timestamp),
})

/**
 * The headers with the id, the timestamp and, if there is a key, the signatures of a request.
 *
 * @param keys the current key, then the previous one while both sign; empty if the request is not signed
 */
export function signatureHeaders([key, previousKey]: readonly Uint8Array[], signed: Signed): Record<string, string> {
  const identity = identityHeaders(signed)
  if (!key) return identity
  const { github, standard } = signaturesOf(key, signed)
  if (!previousKey) return { ...identity, 'webhook-signature': standard, 'X-Signalbox-Signature': github }
  const previous = signaturesOf(previousKey, signed)
  return {
    ...identity,
    'webhook-signature': `${standard} ${previous.standard}`,
    'X-Signalbox-Signature': github,
    'X-Signalbox-Signature-Previous': previous.github,
  }
}
