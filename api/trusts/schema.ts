import { ActorShape, Instant, Maybe, Nullable, Shape, type Static, Type, Uuid } from '../../core/values/schema.ts'

const CLAIM = Type.String({ minLength: 1, maxLength: 100 })
const VALUE = Type.String({ minLength: 1, maxLength: 1000 })

const issuer = Type.String({
  minLength: 1,
  maxLength: 2048,
  description: 'The `iss` of the tokens, character by character. Its discovery document must be public.',
  examples: ['https://token.actions.githubusercontent.com'],
})
const audience = Maybe(
  Nullable(
    Type.String({
      minLength: 1,
      maxLength: 2048,
      description: 'The `aud` that the tokens must have. Null: the public URL of this service.',
      examples: ['https://signalbox.example.com'],
    }),
  ),
)
const claims = Type.Record(CLAIM, Type.Array(VALUE, { minItems: 1, maxItems: 20 }), {
  minProperties: 1,
  maxProperties: 10,
  description:
    'Claims that the tokens must have, each with the values of which it must be one. They are compared as text, exactly: numbers, lists and objects never match.',
  examples: [{ repository_id: ['74'], ref: ['refs/heads/main'] }],
})
const max_ttl_seconds = Type.Integer({
  minimum: 60,
  maximum: 3600,
  description: 'How long the access tokens work that are given for it.',
  examples: [900],
})

export const TrustInput = Shape({ issuer, audience, claims, max_ttl_seconds: Maybe(max_ttl_seconds) })
export type TrustInput = Static<typeof TrustInput>

export const TrustUpdate = Shape({
  issuer: Maybe(issuer),
  audience,
  claims: Maybe(claims),
  max_ttl_seconds: Maybe(max_ttl_seconds),
})
export type TrustUpdate = Static<typeof TrustUpdate>

export const Trust = Shape(
  {
    id: Uuid,
    service_account_id: Uuid,
    issuer: Type.String(),
    audience: Type.String(),
    claims,
    max_ttl_seconds: Type.Integer(),
    created_by: Uuid,
    actor: ActorShape,
    created_at: Instant,
    updated_at: Instant,
  },
  { title: 'Trust' },
)
export type Trust = Static<typeof Trust>
