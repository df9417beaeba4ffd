/** The public halves of the keys with which an organization signs attestations. */
import { attestGates } from '../../core/jobs/attestations.ts'
import { pemOf } from '../../core/security/signing-keys.ts'
import { replaceKey } from '../../core/signing-keys.ts'
import type { Queryable, Tx } from '../../sql/index.ts'
import { requirePerson } from '../credentials/require-person.ts'
import type { Caller } from '../plugins/request-context.ts'
import type { ResourceKey } from '../plugins/resources.ts'
import type { SigningKey } from './schema.ts'

/** Keys that a list shows. */
const MAX_SHOWN = 1_000

/** The signing keys of an organization, newest first, with the retired ones. */
export async function listSigningKeys(db: Queryable, organization_id: string): Promise<SigningKey[]> {
  const keys = await db<(Omit<SigningKey, 'public_key_pem'> & { public_key: Uint8Array })[]>`
    select key_id, public_key, created_at, retired_at
    from signing_keys
    where organization_id = ${organization_id}
    order by created_at desc, id desc
    limit ${MAX_SHOWN}
  `
  return keys.map(({ key_id, public_key, created_at, retired_at }) => ({
    key_id,
    public_key_pem: pemOf(public_key),
    created_at,
    retired_at,
  }))
}

/** Approved gates without an attestation, the newest ones: their jobs failed if the key could not be read. */
const findUnattested = (tx: Tx, organization_id: string) => tx<{ id: string; organization_id: string }[]>`
  select gate.id, gate.organization_id
  from gates as gate
  where gate.organization_id = ${organization_id}
    and gate.status = 'approved'
    and gate.subject is not null
    and not exists (
      select from attestations as attestation
      where attestation.gate_id = gate.id
        and attestation.organization_id = ${organization_id}
    )
  order by gate.decided_at desc
  limit ${MAX_SHOWN}
`

/**
 * Replaces the key that signs, or makes the first one. What waits for a signature gets it from the new key.
 *
 * @throws Problem `person_required`
 */
export async function rotateSigningKey(
  tx: Tx,
  by: Caller,
  { organization_id }: ResourceKey<'organization'>,
): Promise<SigningKey> {
  await requirePerson(tx, by, 'rotate signing keys')
  const { key_id, public_key, created_at } = await replaceKey(tx, by, organization_id)
  await attestGates(tx, await findUnattested(tx, organization_id))
  return { key_id, public_key_pem: pemOf(public_key), created_at, retired_at: null }
}
