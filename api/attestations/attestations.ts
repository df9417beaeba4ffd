/** Attestations of approved gates. */
import type { Envelope } from '../../core/attestations.ts'
import { sql } from '../../core/platform/database.ts'
import type { Queryable } from '../../sql/index.ts'
import { offsetOf, readPage } from '../plugins/pages.ts'
import type { ResourceKey } from '../plugins/resources.ts'
import { Problem } from '../problems.ts'
import type { AttestationQuery, ListedAttestation } from './schema.ts'

/** The attestation of a gate, with the key that signed it. */
export interface SignedAttestation {
  envelope: Envelope
  created_at: string
  key_id: string
  /** DER; null if the key is missing. */
  public_key: Uint8Array | null
  retired_at: string | null
}

/** The attestation of a gate; undefined if it has none, or none yet. */
export async function findAttestation(
  db: Queryable,
  { id, organization_id }: ResourceKey<'gate'>,
): Promise<SignedAttestation | undefined> {
  const [found] = await db<SignedAttestation[]>`
    select attestation.envelope, attestation.created_at, attestation.key_id, key.public_key, key.retired_at
    from attestations as attestation
    left join signing_keys as key
      on key.organization_id = ${organization_id}
      and key.key_id = attestation.key_id
    where attestation.gate_id = ${id}
      and attestation.organization_id = ${organization_id}
  `
  return found
}

/** The attestation of a gate. @throws Problem `not_found` */
export async function getAttestation(db: Queryable, gate: ResourceKey<'gate'>): Promise<Envelope> {
  const found = await findAttestation(db, gate)
  if (found) return found.envelope
  const detail = 'This gate has no attestation: a gate gets one within seconds of its approval, if it has a subject.'
  throw new Problem('not_found', detail)
}

/** The attestations of a project, newest first, of one digest if it is given. */
export function listAttestations(db: Queryable, { id, organization_id }: ResourceKey<'project'>, query: AttestationQuery) {
  const matching = sql`
    from attestations
    where project_id = ${id}
      and organization_id = ${organization_id}
      ${query.digest === undefined ? sql`` : sql`and digest = ${query.digest}`}
  `
  return readPage<ListedAttestation>(
    db,
    query,
    sql`select count(*) ${matching}`,
    sql`
      select gate_id, environment, created_at, envelope
      ${matching}
      order by created_at desc, gate_id desc
      limit ${query.page_size} offset ${offsetOf(query)}
    `,
  )
}
