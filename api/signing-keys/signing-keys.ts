/** The public halves of the keys with which an organization signs attestations. */
import { attestGates } from '../../core/jobs/tasks.ts'
import { pemOf, replaceKey } from '../../core/security/signing-keys.ts'
import { Described, Form, Instant, Nullable, Shape, type Static, Type } from '../../core/values/schema.ts'
import type { Queryable, Tx } from '../../sql/index.ts'
import { requirePerson } from '../credentials/scopes.ts'
import type { Caller } from '../plugins/request-context.ts'
import type { ResourceKey } from '../plugins/resources.ts'

export const SigningKey = Shape('SigningKey', {
  key_id: Form('^[0-9a-f]{64}$', 'must be 64 hexadecimal digits in lower case', {
    description: 'The SHA-256 of the public key (DER, SubjectPublicKeyInfo), in hex. Attestations name it in `keyid`.',
    examples: ['9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'],
  }),
  public_key_pem: Type.String({
    description: 'ECDSA P-256.',
    examples: ['-----BEGIN PUBLIC KEY-----\nMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE…\n-----END PUBLIC KEY-----\n'],
  }),
  created_at: Instant,
  retired_at: Nullable(Described(Instant, 'When another key replaced it; null for the one that signs.')),
})
export type SigningKey = Static<typeof SigningKey>

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
      where attestation.gate_id = gate.id and attestation.organization_id = ${organization_id}
    )
  order by gate.decided_at desc
  limit ${MAX_SHOWN}
`

/**
 * Replaces the key that signs, or makes the first one. What waits for a signature gets it from the new key.
 * @throws Problem `person_required`
 */
export async function rotateSigningKey(tx: Tx, by: Caller, { organization_id }: ResourceKey<'organization'>) {
  await requirePerson(tx, by, 'rotate signing keys')
  const { key_id, public_key, created_at } = await replaceKey(tx, by, organization_id)
  await attestGates(tx, await findUnattested(tx, organization_id))
  return { key_id, public_key_pem: pemOf(public_key), created_at, retired_at: null }
}
