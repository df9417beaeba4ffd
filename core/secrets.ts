/** Secrets at rest: AES-256-GCM with a key of the environment. What is stored is `nonce (12) · ciphertext and tag`. */
import { config } from './config.ts'

/** What an answer shows in place of a stored secret. */
export const MASK = '********'

const keys = Promise.all(
  config.SECRETS_KEY.map((key) =>
    crypto.subtle.importKey('raw', key as Uint8Array<ArrayBuffer>, 'AES-GCM', false, ['encrypt', 'decrypt']),
  ),
)

/** Seals a text with the first key. */
export async function seal(text: string): Promise<Uint8Array> {
  const [key] = await keys
  if (!key) throw new Error('SECRETS_KEY holds no key')
  const iv = crypto.getRandomValues(new Uint8Array(12))
  const sealed = await crypto.subtle.encrypt({ name: 'AES-GCM', iv }, key, new TextEncoder().encode(text))
  return Buffer.concat([iv, new Uint8Array(sealed)])
}

/**
 * Opens what `seal` made, with whichever key fits.
 *
 * @throws Error where none does: a key was taken out of SECRETS_KEY too early
 */
export async function unseal(sealed: Uint8Array): Promise<string> {
  const iv = new Uint8Array(sealed.subarray(0, 12))
  const data = new Uint8Array(sealed.subarray(12))
  for (const key of await keys) {
    const opened = await crypto.subtle.decrypt({ name: 'AES-GCM', iv }, key, data).catch(() => null)
    if (opened) return new TextDecoder().decode(opened)
  }
  throw new Error('A stored secret opens with no key of SECRETS_KEY. Add the key that sealed it to the list.')
}
