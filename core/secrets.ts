/** Secrets at rest: AES-256-GCM with a key of the environment. What is stored is `nonce (12) · ciphertext and tag`. */
// Not Web Crypto: for texts this short, its way through another thread costs many times what the cipher does.
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { config } from './config.ts'

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

/**
 * Opens what `seal` made, with whichever key fits.
 *
 * @throws Error where none does: a key was taken out of SECRETS_KEY too early
 */
export async function unseal(sealed: Uint8Array): Promise<string> {
  for (const key of keys) {
    const opened = open(sealed, key)
    if (opened !== null) return opened
  }
  throw new Error('A stored secret opens with no key of SECRETS_KEY. Add the key that sealed it to the list.')
}
