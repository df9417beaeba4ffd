/** The key pairs with which organizations sign attestations: ECDSA P-256 with SHA-256; and how they are replaced. */
import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto'
import type { Tx } from '../../sql/index.ts'
import { type Actor, SYSTEM } from '../tenants/actors.ts'
import { record } from './audit.ts'
import { decrypt, encrypt, UnreadableSecret } from './secrets.ts'

export interface StoredKey {
  /** The SHA-256 of the public key, in hex. */
  key_id: string
  /** DER (SubjectPublicKeyInfo). */
  public_key: Uint8Array
  /** Encrypted: the private key; of a retired key the public one. */
  secret: Uint8Array
}

const derOf = (publicKey: KeyObject): Buffer => publicKey.export({ format: 'der', type: 'spki' })

const keyIdOf = (der: Uint8Array): string => createHash('sha256').update(der).digest('hex')

const publicKeyOf = (der: Uint8Array): KeyObject => createPublicKey({ key: Buffer.from(der), format: 'der', type: 'spki' })

export const pemOf = (der: Uint8Array): string => publicKeyOf(der).export({ format: 'pem', type: 'spki' }).toString()

async function newSigningKey(): Promise<StoredKey> {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const public_key = derOf(publicKey)
  const secret = await encrypt(privateKey.export({ format: 'pem', type: 'pkcs8' }).toString())
  return { key_id: keyIdOf(public_key), public_key, secret }
}

/** What is kept as the secret of a retired key: the public half, so that it cannot sign any more. One that cannot be read stays as it is. */
async function retiredSecret({ secret }: StoredKey): Promise<Uint8Array> {
  try {
    return await encrypt(pemOf(derOf(createPublicKey(await decrypt(secret)))))
  } catch (error) {
    if (error instanceof UnreadableSecret) return secret
    throw error
  }
}

/** @throws UnreadableSecret if no key of SECRETS_KEY decrypts it */
export const privateKeyOf = async ({ secret }: StoredKey): Promise<KeyObject> => createPrivateKey(await decrypt(secret))

/** Public keys that were proven, by their id and secret. An organization has few. */
const proven = new Map<string, KeyObject>()
const MAX_PROVEN = 1_000

/**
 * The public key of a key pair. That it was written by this service, and not by someone who can write to the database alone, is
 * proven by its secret: only who has a key of SECRETS_KEY can encrypt it.
 *
 * @returns null if the secret belongs to another key
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

/** Lets keys of an organization be made one after the other, until the commit. */
const lockKeys = (tx: Tx, organization_id: string) =>
  tx`select pg_advisory_xact_lock(hashtextextended('signalbox.signing_key ' || ${organization_id}, 0))`

/** The key that signs; it is not replaced until the commit. */
async function findCurrent(tx: Tx, organization_id: string): Promise<StoredKey | undefined> {
  const [current] = await tx<StoredKey[]>`
    select key_id, public_key, secret
    from signing_keys
    where organization_id = ${organization_id}
      and retired_at is null
    for share
  `
  return current
}

async function addKey(tx: Tx, by: Actor, organization_id: string, what: string): Promise<StoredKey & { created_at: string }> {
  const key = await newSigningKey()
  const [added] = await tx<[{ id: string; created_at: string }]>`
    insert into signing_keys (organization_id, key_id, public_key, secret)
    values (${organization_id}, ${key.key_id}, ${key.public_key}, ${key.secret})
    returning id, created_at
  `
  const scope = { organization_id, workspace_id: null, project_id: null }
  await record(tx, by, scope, {
    action: `signing_key.${what}`,
    resource_type: 'signing_key',
    resource_id: added.id,
    detail: `${by.name} ${what} the signing key of the organization: attestations are signed with the key ${key.key_id}.`,
  })
  return { ...key, created_at: added.created_at }
}

export async function currentKey(tx: Tx, organization_id: string): Promise<StoredKey> {
  const known = await findCurrent(tx, organization_id)
  if (known) return known
  await lockKeys(tx, organization_id)
  return (await findCurrent(tx, organization_id)) ?? (await addKey(tx, SYSTEM, organization_id, 'created'))
}

/** Replaces the key that signs. The private half of the old one is deleted. */
export async function replaceKey(tx: Tx, by: Actor, organization_id: string): Promise<StoredKey & { created_at: string }> {
  await lockKeys(tx, organization_id)
  const old = await findCurrent(tx, organization_id)
  if (old) {
    await tx`
      update signing_keys
      set retired_at = now(),
          secret     = ${await retiredSecret(old)}
      where organization_id = ${organization_id} and key_id = ${old.key_id}
    `
  }
  return addKey(tx, by, organization_id, old ? 'rotated' : 'created')
}
