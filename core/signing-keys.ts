/** The signing keys of organizations. */
import type { Tx } from '../sql/index.ts'
import { type Actor, SYSTEM } from './actors.ts'
import { record } from './security/audit.ts'
import { newSigningKey, retiredSecret, type StoredKey } from './security/signing-keys.ts'

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
  await record(
    tx,
    by,
    { organization_id, workspace_id: null, project_id: null },
    {
      action: `signing_key.${what}`,
      resource_type: 'signing_key',
      resource_id: added.id,
      detail: `${by.name} ${what} the signing key of the organization: attestations are signed with the key ${key.key_id}.`,
    },
  )
  return { ...key, created_at: added.created_at }
}

/** The key that signs, made if there is none. */
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
      where organization_id = ${organization_id}
        and key_id = ${old.key_id}
    `
  }
  return addKey(tx, by, organization_id, old ? 'rotated' : 'created')
}
