/** Encrypts stored secrets with the keys of the environment. */
import { config } from '../platform/config.ts'
import { decryptWith, encryptWith } from '../platform/encryption.ts'

export { ENCRYPTED_COLUMNS } from '../platform/encryption.ts'
export { MASK } from '../values/credentials.ts'

const keys = config.SECRETS_KEY

export const encrypt = async (text: string): Promise<Uint8Array> => encryptWith(keys[0], text)

/** No key decrypts a stored secret: a key was removed from SECRETS_KEY too early. */
export class UnreadableSecret extends Error {}

/** Tries all keys. @throws UnreadableSecret if none decrypts it */
export const decrypt = async (encrypted: Uint8Array): Promise<string> => decryptWithAnyKey(encrypted).text

function decryptWithAnyKey(encrypted: Uint8Array): { text: string; key: number } {
  for (const [key, secret] of keys.entries()) {
    const text = decryptWith(secret, encrypted)
    if (text !== null) return { text, key }
  }
  throw new UnreadableSecret('No key in SECRETS_KEY decrypts a stored secret. Add the key that encrypted it to the list.')
}

/** Encrypts a secret again with the first key; null if that had encrypted it. @throws UnreadableSecret if no key decrypts it */
export async function reencrypt(encrypted: Uint8Array): Promise<Uint8Array | null> {
  const { text, key } = decryptWithAnyKey(encrypted)
  return key === 0 ? null : encrypt(text)
}
