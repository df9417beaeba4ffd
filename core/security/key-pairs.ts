/** Public-key signatures of outgoing requests: Ed25519, the `v1a` of Standard Webhooks (https://www.standardwebhooks.com). */
// Not Web Crypto: it hands every signature to another thread, which takes longer than signing.
import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { identityHeaders, type Signed } from './signing.ts'

const PRIVATE_PREFIX = 'whsk_'
const PUBLIC_PREFIX = 'whpk_'
/** What precedes the 32 bytes of a private key in PKCS #8 (RFC 8410). */
const PKCS8_HEAD = Buffer.from('302e020100300506032b657004220420', 'hex')
const KEY_BYTES = 32

/** A key pair as text: a prefix and the 32 bytes of the key in base64. The private key must not leave the service. */
export interface KeyPair {
  private_key: string
  public_key: string
}

/** A new key pair. */
export function newKeyPair(): KeyPair {
  const { privateKey } = generateKeyPairSync('ed25519')
  const private_key = PRIVATE_PREFIX + privateKey.export({ format: 'der', type: 'pkcs8' }).subarray(-KEY_BYTES).toString('base64')
  return { private_key, public_key: publicKeyOf(privateKey) }
}

/** The public key of a private key, as text. */
export const publicKeyOf = (privateKey: KeyObject): string =>
  PUBLIC_PREFIX + createPublicKey(privateKey).export({ format: 'der', type: 'spki' }).subarray(-KEY_BYTES).toString('base64')

/**
 * The private key that `newKeyPair` returned as text.
 *
 * @throws Error if it is not a private key
 */
export function privateKeyOf(text: string): KeyObject {
  const bytes = Buffer.from(text.startsWith(PRIVATE_PREFIX) ? text.slice(PRIVATE_PREFIX.length) : '', 'base64')
  if (bytes.length !== KEY_BYTES) throw new Error('A stored private key is not an Ed25519 key')
  return createPrivateKey({ key: Buffer.concat([PKCS8_HEAD, bytes]), format: 'der', type: 'pkcs8' })
}

/** The signature of id, timestamp and body. The same input always has the same signature. */
export const publicKeySignatureOf = (privateKey: KeyObject, { id, timestamp, body }: Signed): string =>
  `v1a,${sign(null, Buffer.from(`${id}.${timestamp}.${body}`), privateKey).toString('base64')}`

/**
 * The headers with the id, the timestamp and the signatures of a request.
 *
 * @param keys the current private key, then the previous one while both sign
 */
export const publicKeyHeaders = (keys: readonly KeyObject[], signed: Signed): Record<string, string> => ({
  ...identityHeaders(signed),
  'webhook-signature': keys.map((key) => publicKeySignatureOf(key, signed)).join(' '),
})
