import { Form, Instant, Nullable, Shape, type Static, Type } from '../../core/values/schema.ts'

export const SigningKey = Shape(
  {
    key_id: Form('^[0-9a-f]{64}$', 'must be 64 hexadecimal digits in lower case', {
      description: 'The SHA-256 of the public key (DER, SubjectPublicKeyInfo), in hex. Attestations name it in `keyid`.',
      examples: ['9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'],
    }),
    public_key_pem: Type.String({
      description: 'ECDSA P-256.',
      examples: ['-----BEGIN PUBLIC KEY-----\nMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE…\n-----END PUBLIC KEY-----\n'],
    }),
    created_at: Instant,
    retired_at: Nullable(
      Type.Unsafe<string>({ ...Instant, description: 'When another key replaced it; null for the one that signs.' }),
    ),
  },
  { title: 'SigningKey' },
)
export type SigningKey = Static<typeof SigningKey>
