/** Secrets at rest: AES-256-GCM with a key of the environment. What is stored is `nonce (12) · ciphertext and tag`. */
// Not Web Crypto: for texts this short, its way through another thread costs many times what the cipher does.
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { config } from '../platform/config.ts'

/** What an answer shows in place of a stored secret. */
export const MASK = '********'

const keys = config.SECRETS_KEY
const CIPHER = 'aes-256-gcm'
const NONCE = 12
const TAG = 16

/** Seals a text with the first key. */
export async function seal(text: string): Promise<Uint8Array> {
  const [key] = keys
  if (!key) throw new Error('SECRETS_KEY holds no key')
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

/** No key opens a stored secret: one was removed from SECRETS_KEY too early. */
export class UnreadableSecret extends Error {}

/**
 * Opens what `seal` made, with whichever key fits.
 *
 * @throws UnreadableSecret where none does
 */
export async function unseal(sealed: Uint8Array): Promise<string> {
  return opened(sealed).text
}

function opened(sealed: Uint8Array): { text: string; key: number } {
  for (const [key, secret] of keys.entries()) {
    const text = open(sealed, secret)
    if (text !== null) return { text, key }
  }
  throw new UnreadableSecret('A stored secret opens with no key of SECRETS_KEY. Add the key that sealed it to the list.')
}

/**
 * Seals anew with the first key what another sealed.
 *
 * @returns null where it was the first that did
 * @throws UnreadableSecret where no key fits
 */
export async function sealedAnew(sealed: Uint8Array): Promise<Uint8Array | null> {
  const { text, key } = opened(sealed)
  return key === 0 ? null : seal(text)
}

/** Where sealed values lie. */
export const SEALED: Record<string, string[]> = {
  deployment_hooks: ['secret', 'previous_secret', 'headers'],
  notification_channels: ['secrets'],
  idempotency_keys: ['answer'],
}
