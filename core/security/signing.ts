/** Signatures of outgoing requests: GitHub's form, and Standard Webhooks (https://www.standardwebhooks.com). */

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

/** A secret as Standard Webhooks advises: 32 random bytes, and the prefix that says how they are written. */
export const newSecret = (): string => `whsec_${Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString('base64')}`

/** What is signed, beside the key: the id and the time travel in headers of their own. */
export interface Signed {
  id: string
  /** Seconds since 1970. */
  timestamp: number | string
  body: string
}

// Not node:crypto: this takes half the time.
const hmac = (key: Uint8Array, text: string) => new Bun.CryptoHasher('sha256', key).update(text)

/** What one key makes of a request: GitHub's form over the body, and Standard Webhooks' over id, time and body. */
export const signaturesOf = (key: Uint8Array, { id, timestamp, body }: Signed) => ({
  github: `sha256=${hmac(key, body).digest('hex')}`,
  standard: `v1,${hmac(key, `${id}.${timestamp}.${body}`).digest('base64')}`,
})

/**
 * The keys of stored secrets, which were checked when they were set.
 *
 * @throws Error where one is not base64
 */
export const signingKeys = (secrets: string[]): Uint8Array[] =>
  secrets.map((secret) => {
    const key = signingKey(secret)
    if (!key) throw new Error('A stored whsec_ secret is not base64')
    return key
  })

/**
 * The headers that identify a request and, where there is a key, prove where it comes from.
 *
 * @param keys that of the secret in force first, then that of one that runs out; none where nothing is signed
 */
export function signatureHeaders([key, previousKey]: readonly Uint8Array[], signed: Signed): Record<string, string> {
  const identity = { 'webhook-id': signed.id, 'webhook-timestamp': String(signed.timestamp) }
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
