/** Encrypts stored secrets: AES-256-GCM with a key from the environment. Stored as `nonce (12 bytes), ciphertext, tag`. */
// Not Web Crypto: for short texts, handing them to another thread costs much more than the encryption.
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { config } from '../platform/config.ts'

export { MASK } from './credentials.ts'

const keys = config.SECRETS_KEY
const CIPHER = 'aes-256-gcm'
const NONCE = 12
const TAG = 16

/** Encrypts a text with the first key. */
export async function encrypt(text: string): Promise<Uint8Array> {
  const [key] = keys
  if (!key) throw new Error('SECRETS_KEY contains no key')
  const nonce = randomBytes(NONCE)
  const cipher = createCipheriv(CIPHER, key, nonce)
  return Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()])
}

function decryptWith(encrypted: Uint8Array, key: Uint8Array): string | null {
  const end = encrypted.length - TAG
  const decipher = createDecipheriv(CIPHER, key, encrypted.subarray(0, NONCE))
  decipher.setAuthTag(encrypted.subarray(end))
  try {
    return Buffer.concat([decipher.update(encrypted.subarray(NONCE, end)), decipher.final()]).toString('utf8')
  } catch {
    return null
  }
}

/** No key decrypts a stored secret: a key was removed from SECRETS_KEY too early. */
export class UnreadableSecret extends Error {}

/**
 * Decrypts the result of `encrypt`, trying all keys.
 *
 * @throws UnreadableSecret if no key decrypts it
 */
export async function decrypt(encrypted: Uint8Array): Promise<string> {
  return decryptWithAnyKey(encrypted).text
}

function decryptWithAnyKey(encrypted: Uint8Array): { text: string; key: number } {
  for (const [key, secret] of keys.entries()) {
    const text = decryptWith(encrypted, secret)
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
export async function reencrypt(encrypted: Uint8Array): Promise<Uint8Array | null> {
  const { text, key } = decryptWithAnyKey(encrypted)
  return key === 0 ? null : encrypt(text)
}

/** Tables with encrypted columns. */
export const ENCRYPTED_COLUMNS: Record<string, string[]> = {
  deployment_hooks: ['secret', 'previous_secret', 'headers', 'template_secrets'],
  dispatch_bodies: ['encrypted_body'],
  notification_channels: ['secrets'],
  slack_clicks: ['response_url'],
  signing_keys: ['secret'],
  idempotency_keys: ['response'],
  totp_apps: ['secret'],
  totp_setups: ['secret'],
}
