/** Attestations of approved gates. */
import { sql } from '../../core/platform/database.ts'
import {
  Described,
  Form,
  Instant,
  Maybe,
  Name,
  Nullable,
  Page,
  Shape,
  type Static,
  Type,
  Uuid,
} from '../../core/values/schema.ts'
import type { Queryable } from '../../sql/index.ts'
import { following, PAGED_LIST, type Paged, pageLimit, readPage } from '../plugins/lists.ts'
import type { ResourceKey } from '../plugins/resources.ts'
import { Problem } from '../problems.ts'

const DIGEST = '^(?:gitCommit:(?:[0-9a-f]{40}|[0-9a-f]{64})|sha256:[0-9a-f]{64})$'

const Digest = Form(DIGEST, 'must be gitCommit: with 40 or 64, or sha256: with 64 hexadecimal digits in lower case', {
  description: 'The digest of the subject, `gitCommit:<hex>` or `sha256:<hex>`.',
  examples: ['gitCommit:7d3f1f0b4a0f7d9d4f3a4f2f2a7c6f7e0f1d2c3b'],
})

export const Envelope = Shape(
  'Attestation',
  {
    payloadType: Type.String({ examples: ['application/vnd.in-toto+json'] }),
    payload: Type.String({ description: 'The JSON of an in-toto Statement v1, in base64.', examples: ['eyJfdHlwZSI6…'] }),
    signatures: Type.Array(
      Shape({
        keyid: Type.String({
          description: 'The `key_id` of the signing key.',
          examples: ['9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'],
        }),
        sig: Type.String({
          description: 'ECDSA P-256 with SHA-256 (ASN.1, DER) over the pre-authentication encoding, in base64.',
          examples: ['MEUCIQD…'],
        }),
      }),
    ),
  },
  { description: 'A DSSE envelope.' },
)
export type Envelope = Static<typeof Envelope>

export const AttestationQuery = Shape({ ...PAGED_LIST, digest: Maybe(Digest) })
export type AttestationQuery = Static<typeof AttestationQuery>

const ListedAttestation = Shape('ListedAttestation', {
  gate_id: Uuid,
  environment: Nullable(Type.String({ examples: ['production'] })),
  created_at: Instant,
  envelope: Envelope,
})
export type ListedAttestation = Static<typeof ListedAttestation>

export const AttestationPage = Page(ListedAttestation)

export const VerifyInput = Shape({
  environment: Name(64, { description: 'Where it is to be deployed.', examples: ['production'] }),
  digest: Digest,
})
export type VerifyInput = Static<typeof VerifyInput>

export const Verdict = Shape('DeploymentVerdict', {
  allowed: Type.Boolean({ description: 'Whether it may be deployed now.' }),
  reasons: Type.Array(Type.String({ examples: ['The gate Release review is pending: no one has decided it yet.'] }), {
    description: 'Why it may not be deployed, as sentences. Empty if it may.',
  }),
  gate_id: Nullable(Described(Uuid, 'The gate that decides; null if no gate of the environment is about the digest.')),
  attestation: Nullable(Described(Envelope, 'The attestation of the gate; null unless it is verified and the approval holds.')),
})
export type Verdict = Static<typeof Verdict>

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
export async function findAttestation(db: Queryable, { id, organization_id }: ResourceKey<'gate'>) {
  const [found] = await db<SignedAttestation[]>`
    select attestation.envelope, attestation.created_at, attestation.key_id, key.public_key, key.retired_at
    from attestations as attestation
    left join signing_keys as key on key.organization_id = ${organization_id} and key.key_id = attestation.key_id
    where attestation.gate_id = ${id} and attestation.organization_id = ${organization_id}
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
export function listAttestations(db: Queryable, { id, organization_id }: ResourceKey<'project'>, query: Paged<AttestationQuery>) {
  const matching = sql`
    from attestations
    where project_id = ${id} and organization_id = ${organization_id}
      ${query.digest === undefined ? sql`` : sql`and digest = ${query.digest}`}
  `
  return readPage<ListedAttestation>(
    db,
    query,
    sql`select count(*) ${matching}`,
    sql`
      select gate_id, environment, created_at, envelope
      ${matching}
        ${following(sql`created_at, gate_id`, query.after)}
      order by created_at desc, gate_id desc
      ${pageLimit(query)}
    `,
  )
}
