import {
  Form,
  Instant,
  Maybe,
  Name,
  Nullable,
  Page,
  pageQuery,
  Shape,
  type Static,
  Type,
  Uuid,
} from '../../core/values/schema.ts'

const DIGEST = '^(?:gitCommit:(?:[0-9a-f]{40}|[0-9a-f]{64})|sha256:[0-9a-f]{64})$'

/** A digest as text: the algorithm and the value. */
const Digest = Form(DIGEST, 'must be gitCommit: with 40 or 64, or sha256: with 64 hexadecimal digits in lower case', {
  description: 'The digest of the subject, `gitCommit:<hex>` or `sha256:<hex>`.',
  examples: ['gitCommit:7d3f1f0b4a0f7d9d4f3a4f2f2a7c6f7e0f1d2c3b'],
})

export const Envelope = Shape(
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
  { title: 'Attestation', description: 'A DSSE envelope.' },
)
export type Envelope = Static<typeof Envelope>

export const AttestationQuery = Shape({ ...pageQuery, digest: Maybe(Digest) })
export type AttestationQuery = Static<typeof AttestationQuery>

const ListedAttestation = Shape(
  {
    gate_id: Uuid,
    environment: Nullable(Type.String({ examples: ['production'] })),
    created_at: Instant,
    envelope: Envelope,
  },
  { title: 'ListedAttestation' },
)
export type ListedAttestation = Static<typeof ListedAttestation>

export const AttestationPage = Page(ListedAttestation)

export const VerifyInput = Shape({
  environment: Name(64, { description: 'Where it is to be deployed.', examples: ['production'] }),
  digest: Digest,
})
export type VerifyInput = Static<typeof VerifyInput>

export const Verdict = Shape(
  {
    allowed: Type.Boolean({ description: 'Whether it may be deployed now.' }),
    reasons: Type.Array(Type.String({ examples: ['The gate Release review is pending: no one has decided it yet.'] }), {
      description: 'Why it may not be deployed, as sentences. Empty if it may.',
    }),
    gate_id: Nullable(
      Type.Unsafe<string>({
        ...Uuid,
        description: 'The gate that decides; null if no gate of the environment is about the digest.',
      }),
    ),
    attestation: Nullable(
      Type.Unsafe<Envelope>({
        ...Envelope,
        description: 'The attestation of the gate; null unless it is verified and the approval holds.',
      }),
    ),
  },
  { title: 'DeploymentVerdict' },
)
export type Verdict = Static<typeof Verdict>
