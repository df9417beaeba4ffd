/** The key pairs with which organizations sign attestations: ECDSA P-256 with SHA-256. */
import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { decrypt, encrypt, UnreadableSecret } from './secrets.ts'

/** A key pair, as it is stored. */
export interface StoredKey {
  /** The SHA-256 of the public key, in hex. */
  key_id: string
  /** DER (SubjectPublicKeyInfo). */
  public_key: Uint8Array
  /** Encrypted: the private key; of a retired key the public one. */
  secret: Uint8Array
}

const derOf = (publicKey: KeyObject): Buffer => publicKey.export({ format: 'der', type: 'spki' })

/** What identifies a public key. */
const keyIdOf = (der: Uint8Array): string => createHash('sha256').update(der).digest('hex')

const publicKeyOf = (der: Uint8Array): KeyObject => createPublicKey({ key: Buffer.from(der), format: 'der', type: 'spki' })

/** The public key as PEM. */
export const pemOf = (der: Uint8Array): string => publicKeyOf(der).export({ format: 'pem', type: 'spki' }).toString()

/** A new key pair. */
export async function newSigningKey(): Promise<StoredKey> {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const public_key = derOf(publicKey)
  const secret = await encrypt(privateKey.export({ format: 'pem', type: 'pkcs8' }).toString())
  return { key_id: keyIdOf(public_key), public_key, secret }
}

/** What is kept as the secret of a retired key: the public half, so that it cannot sign any more. One that cannot be read stays as it is. */
export async function retiredSecret({ secret }: StoredKey): Promise<Uint8Array> {
  try {
    return await encrypt(pemOf(derOf(createPublicKey(await decrypt(secret)))))
  } catch (error) {
    if (error instanceof UnreadableSecret) return secret
    throw error
  }
}

/**
 * The private key of a key pair that is in use.
 *
 * @throws UnreadableSecret if no key of SECRETS_KEY decrypts it
 */
export const privateKeyOf = async ({ secret }: StoredKey): Promise<KeyObject> => createPrivateKey(await decrypt(secret))

/** Public keys that were proven, by their id and secret. An organization has few. */
const proven = new Map<string, KeyObject>()
const MAX_PROVEN = 1_000

/**
 * The public key of a key pair. That it was written by this service, and not by someone who can write to the database alone, is
 * proven by its secret: only who has a key of SECRETS_KEY can encrypt it.
 *
 * @returns null if the secret is that of another key
 * @throws UnreadableSecret if no key of SECRETS_KEY decrypts it
 */
export async function provenPublicKey({ key_id, secret }: StoredKey): Promise<KeyObject | null> {
  const name = `${key_id} ${Buffer.from(secret).toString('base64')}`
  const known = proven.get(name)
  if (known) return known
  const publicKey = createPublicKey(await decrypt(secret))
  if (keyIdOf(derOf(publicKey)) !== key_id) return null
  if (proven.size >= MAX_PROVEN) proven.clear()
  proven.set(name, publicKey)
  return publicKey
}
