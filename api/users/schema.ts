import { SECURITY_ACTIONS } from '../../core/security/security-log.ts'
import type { Static } from '../../core/values/schema.ts'
import { Email, Instant, Maybe, Nullable, OneOf, Page, PersonName, Shape, Text, Type, Uuid } from '../../core/values/schema.ts'
import { serviceScopes } from '../credentials/scopes.ts'
import { PAGED_LIST } from '../plugins/lists.ts'

export const Password = Text(256, { minLength: 12, examples: ['correct horse battery staple'] })

export const User = Shape('User', {
  id: Uuid,
  email: Type.String(),
  email_verified: Type.Boolean({
    description: 'Whether the address is verified. Until then, other users cannot find the account by it.',
  }),
  pending_email: Nullable(Type.String({ description: 'A new address that is not verified yet.' })),
  name: Type.String(),
  avatar_url: Type.String(),
  created_at: Instant,
  updated_at: Instant,
})
export type User = Static<typeof User>

export const ServiceIdentity = Shape('ServiceIdentity', {
  id: Uuid,
  name: Type.String({ examples: ['Release pipeline'] }),
  type: OneOf(['service_account']),
  organization_id: Uuid,
  workspace_id: Nullable(Uuid),
  project_id: Nullable(Uuid),
  scopes: Type.Array(OneOf(serviceScopes), { description: 'Those of the account and of its token.' }),
})
export type ServiceIdentity = Static<typeof ServiceIdentity>

export const UserUpdate = Shape({
  name: Maybe(PersonName({ examples: ['Ada Lovelace'] })),
  email: Maybe(Email),
  password: Maybe(Password),
  current_password: Maybe(
    Text(256, {
      description:
        'Required for a new password, and for a new address; not of an account without a password, whose person must have signed in within 10 minutes.',
    }),
  ),
})
export type UserUpdate = Static<typeof UserUpdate>

export const SecurityLogEntry = Shape('SecurityLogEntry', {
  id: Uuid,
  action: OneOf(SECURITY_ACTIONS),
  detail: Type.String({ description: 'A description for people.' }),
  device: Nullable(Type.String({ description: 'The `User-Agent` of the client.' })),
  ip_address: Nullable(Type.String()),
  created_at: Instant,
})
export type SecurityLogEntry = Static<typeof SecurityLogEntry>

export const SecurityLog = Page(SecurityLogEntry)
export const SecurityLogQuery = Shape(PAGED_LIST)
export const Deletion = Shape({
  current_password: Maybe(
    Text(256, {
      description: 'Required, unless the account has no password. Then its person must have signed in within 10 minutes.',
      examples: ['correct horse battery staple'],
    }),
  ),
})

export const Identity = Shape('Identity', {
  id: Uuid,
  provider: OneOf(['slack', 'github', 'oidc']),
  team_id: Nullable(
    Type.String({
      description: 'The id of the Slack workspace, or the host of GitHub; null for an OpenID provider.',
      examples: ['T0123456789'],
    }),
  ),
  external_id: Type.String({
    description: 'The id of the Slack user in it, or of the account at GitHub, or the `sub` at the OpenID provider.',
    examples: ['U0123456789'],
  }),
  issuer: Nullable(Type.String({ description: 'The OpenID provider.', examples: ['https://login.example.com'] })),
  organization_id: Nullable({
    ...Uuid,
    description: 'The organization whose provider it is; null for that of the whole instance.',
  }),
  created_at: Instant,
})
export type Identity = Static<typeof Identity>
