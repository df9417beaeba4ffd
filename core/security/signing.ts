/**
 * Signatures of outgoing requests, with a shared secret or a key pair: the format of GitHub, and Standard Webhooks
 * (https://www.standardwebhooks.com), whose `v1a` is Ed25519.
 */
import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'

/** The UTF-8 bytes of a secret, or the decoded ones if it starts with `whsec_`; null if those are not base64. */
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

/** Stored secrets were validated when they were set. @throws Error if one is not base64 */
export const signingKeys = (secrets: string[]): Uint8Array[] =>
  secrets.map((secret) => {
    const key = signingKey(secret)
    if (!key) throw new Error('A stored whsec_ secret is not base64')
    return key
  })

/** The headers that every request has, signed or not. */
const identityHeaders = ({ id, timestamp }: Signed): Record<string, string> => ({
  'webhook-id': id,
  'webhook-timestamp': String(timestamp),
})

/** @param keys the current key, then the previous one while both sign; empty if the request is not signed */
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

// Not Web Crypto: it hands every signature to another thread, which takes longer than signing.

const PRIVATE_PREFIX = 'whsk_'
const PUBLIC_PREFIX = 'whpk_'
/** What precedes the 32 bytes of a private key in PKCS #8 (RFC 8410). */
const PKCS8_HEAD = Buffer.from('302e020100300506032b657004220420', 'hex')
const KEY_BYTES = 32

/** A key pair as text: a prefix and the 32 bytes of the key in base64. The private key must not leave the service. */
type KeyPair = { private_key: string; public_key: string }

export function newKeyPair(): KeyPair {
  const { privateKey } = generateKeyPairSync('ed25519')
  const private_key = PRIVATE_PREFIX + privateKey.export({ format: 'der', type: 'pkcs8' }).subarray(-KEY_BYTES).toString('base64')
  return { private_key, public_key: publicKeyOf(privateKey) }
}

export const publicKeyOf = (privateKey: KeyObject): string =>
  PUBLIC_PREFIX + createPublicKey(privateKey).export({ format: 'der', type: 'spki' }).subarray(-KEY_BYTES).toString('base64')

/** The private key that `newKeyPair` returned as text. @throws Error if it is not one */
export function privateKeyOf(text: string): KeyObject {
  const bytes = Buffer.from(text.startsWith(PRIVATE_PREFIX) ? text.slice(PRIVATE_PREFIX.length) : '', 'base64')
  if (bytes.length !== KEY_BYTES) throw new Error('A stored private key is not an Ed25519 key')
  return createPrivateKey({ key: Buffer.concat([PKCS8_HEAD, bytes]), format: 'der', type: 'pkcs8' })
}

/** The signature of id, timestamp and body. The same input always has the same signature. */
export const publicKeySignatureOf = (privateKey: KeyObject, { id, timestamp, body }: Signed): string =>
  `v1a,${sign(null, Buffer.from(`${id}.${timestamp}.${body}`), privateKey).toString('base64')}`

/** How the requests of a hook are signed: with a shared secret, or with a private key that only the service has. */
export const SIGNATURES = ['hmac', 'ed25519'] as const
export type SignatureKind = (typeof SIGNATURES)[number]

/** The headers with the id, the timestamp and, if the hook signs, the signatures of a request. */
export type Signer = (signed: Signed) => Record<string, string>

/**
 * @param secrets decrypted, as they are stored: the current secret or private key, then the previous one while both sign
 * @throws Error if one of them is malformed
 */
export function signerOf(kind: SignatureKind, secrets: string[]): Signer {
  if (kind === 'ed25519') {
    const keys = secrets.map(privateKeyOf)
    const signatures = (signed: Signed) => keys.map((key) => publicKeySignatureOf(key, signed)).join(' ')
    return (signed) => ({ ...identityHeaders(signed), 'webhook-signature': signatures(signed) })
  }
  const keys = signingKeys(secrets)
  return (signed) => signatureHeaders(keys, signed)
}
