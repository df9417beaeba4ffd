/** Encrypts stored secrets: AES-256-GCM with a key from the environment. Stored as `nonce (12 bytes), ciphertext, tag`. */
// Not Web Crypto: for short texts, handing them to another thread costs much more than the encryption.
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { config } from '../platform/config.ts'

/** Shown in responses in place of a stored secret. */
export const MASK = '********'

const keys = config.SECRETS_KEY
const CIPHER = 'aes-256-gcm'
const NONCE = 12
const TAG = 16

/** Encrypts a text with the first key. */
export async function seal(text: string): Promise<Uint8Array> {
  const [key] = keys
  if (!key) throw new Error('SECRETS_KEY contains no key')
  const nonce = randomBytes(NONCE)
  const cipher = createCipheriv(CIPHER, key, nonce)
  return Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()])
}

function open(sealed: Uint8Array, key: Uint8Array): string | null {
  const end = sealed.length - TAG
  const decipher = createDecipheriv(CIPHER, key, sealed.subarray(0, NONCE))
  decipher.setAuthTag(sealed.subarray(end))
  try {
    return Buffer.concat([decipher.update(sealed.subarray(NONCE, end)), decipher.final()]).toString('utf8')
  } catch {
    return null
  }
}

/** No key decrypts a stored secret: a key was removed from SECRETS_KEY too early. */
export class UnreadableSecret extends Error {}

/**
 * Decrypts the result of `seal`, trying all keys.
 *
 * @throws UnreadableSecret if no key decrypts it
 */
export async function unseal(sealed: Uint8Array): Promise<string> {
  return openWithKeys(sealed).text
}

function openWithKeys(sealed: Uint8Array): { text: string; key: number } {
  for (const [key, secret] of keys.entries()) {
    const text = open(sealed, secret)
    if (text !== null) return { text, key }
  }
  throw new UnreadableSecret('No key in SECRETS_KEY decrypts a stored secret. Add the key that encrypted it to the list.')
}

/**
 * Encrypts a secret again with the first key.
 *
 * @returns null if it was already encrypted with the first key
 * @throws UnreadableSecret if no key decrypts it
 */
export async function reseal(sealed: Uint8Array): Promise<Uint8Array | null> {
  const { text, key } = openWithKeys(sealed)
  return key === 0 ? null : seal(text)
}

/** Tables with sealed columns. */
export const SEALED: Record<string, string[]> = {
  deployment_hooks: ['secret', 'previous_secret', 'headers'],
  notification_channels: ['secrets'],
  slack_clicks: ['response_url'],
  idempotency_keys: ['answer'],
}
