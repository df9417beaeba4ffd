import { Instant, Maybe, Name, Nullable, OneOf, Shape, type Static, Text, Type, Uuid } from '../../core/values/schema.ts'
import { PROOF } from '../auth/recent-sign-in.ts'
import { MAX_MAPPINGS, Mapping } from './mapped.ts'

const CLAIM = Type.String({ minLength: 1, maxLength: 100 })
const VALUE = Type.String({ minLength: 1, maxLength: 1000 })

const claims = Type.Record(CLAIM, Type.Array(VALUE, { minItems: 1, maxItems: 20 }), {
  maxProperties: 10,
  description:
    'Claims that every person must have, each with the values of which it must have one. A list must contain one. Required for https://accounts.google.com (`hd`) and https://gitlab.com (`groups_direct`).',
  examples: [{ hd: ['example.com'] }],
})

const mappings = Type.Array(Mapping, {
  maxItems: MAX_MAPPINGS,
  description:
    'What values of the claim of groups give: a group, the role of admin, or a role in a workspace. Each sign-on sets what is named here to what the claim gives.',
})

const session_hours = Type.Integer({ minimum: 1, maximum: 168, description: 'How long a sign-on lasts.', examples: [12] })
const required = OneOf(['none', 'domains', 'everyone'], {
  description:
    'Who must have signed on: no member; members with a linked identity, or an address in a verified or lapsed domain; or all members. Others get 403 `sso_required`.',
})
const issuer = Text(2048, {
  minLength: 1,
  description: 'Exactly as its discovery document names it. Cannot be changed.',
  examples: ['https://login.example.com'],
})
const client_id = Text(2048, { minLength: 1, examples: ['signalbox'] })
const scopes = Text(1000, { minLength: 1, examples: ['openid email profile groups'] })
const groups_claim = Name(200, {
  description: 'The name of the claim with the groups of a person, or a JSON Pointer to it.',
  examples: ['groups', '/realm_access/roles'],
})

export const ConnectionInput = Shape({
  issuer: Maybe(issuer),
  client_id: Maybe(client_id),
  client_secret: Maybe(Text(1024, { minLength: 1, description: 'Write-only. `********` keeps the stored one.' })),
  use_instance: Maybe(
    Type.Boolean({ description: 'Sign-ons with the provider of the whole instance count, in place of a provider of its own.' }),
  ),
  scopes: Maybe(scopes),
  claims: Maybe(claims),
  groups_claim: Maybe(groups_claim),
  mappings: Maybe(mappings),
  provision: Maybe(Type.Boolean({ description: 'Whether new people of a verified domain become members.' })),
  trust_email: Maybe(
    Type.Boolean({
      description: 'Whether addresses count as verified although the provider does not say so (`email_verified`).',
    }),
  ),
  session_hours: Maybe(session_hours),
  required: Maybe(required),
  ...PROOF,
})
export type ConnectionInput = Static<typeof ConnectionInput>

export const Proof = Shape(PROOF)

export const SsoConnection = Shape('SsoConnection', {
  id: Uuid,
  organization_id: Uuid,
  use_instance: Type.Boolean(),
  issuer: Nullable(Type.String()),
  client_id: Nullable(Type.String()),
  client_secret: Nullable(Type.String({ description: 'Masked.', examples: ['********'] })),
  scopes: Type.String(),
  claims,
  groups_claim: Type.String(),
  mappings,
  provision: Type.Boolean(),
  trust_email: Type.Boolean(),
  session_hours: Type.Integer(),
  required,
  callback_url: Nullable(Type.String({ description: 'The redirect URI to register at the provider.' })),
  created_at: Instant,
  updated_at: Instant,
})
export type SsoConnection = Static<typeof SsoConnection>

export const DomainInput = Shape({ domain: Text(253, { minLength: 1, examples: ['example.com'] }), ...PROOF })

export const SsoDomain = Shape('SsoDomain', {
  id: Uuid,
  domain: Type.String({ examples: ['example.com'] }),
  status: OneOf(['pending', 'verified', 'lapsed']),
  record: Shape({ name: Type.String({ examples: ['_signalbox.example.com'] }), value: Type.String() }),
  checked_at: Nullable(Instant),
})
export type SsoDomain = Static<typeof SsoDomain>

export const SsoIdentity = Shape('SsoIdentity', {
  id: Uuid,
  user_id: Uuid,
  user_name: Type.String(),
  user_email: Type.String(),
  subject: Type.String({ description: 'The `sub` at the provider.' }),
  email: Nullable(Type.String({ description: 'The address there when it was linked.' })),
  signed_on_until: Nullable(Instant),
  created_at: Instant,
})
export type SsoIdentity = Static<typeof SsoIdentity>
