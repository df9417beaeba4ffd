import { Instant, InstantInput, Maybe, Name, Nullable, OneOf, Shape, type Static, Type, Uuid } from '../../core/values/schema.ts'
import { TOKEN_SCOPES } from '../credentials/scopes.ts'

const Scope = OneOf(TOKEN_SCOPES, {
  description: '`read` allows only requests that change nothing, `write` also changes, and `decide` also decisions of gates.',
  examples: ['write'],
})

export const TokenInput = Shape({
  name: Name(120, { description: 'What the token is for.', examples: ['My laptop'] }),
  scope: Maybe(Scope),
  expires_at: Maybe(Nullable(InstantInput)),
  organization_id: Maybe(Nullable(Uuid)),
})
export type TokenInput = Static<typeof TokenInput>

const shared = {
  id: Uuid,
  name: Type.String(),
  scope: Scope,
  organization_id: Nullable(
    Type.String({ description: 'The organization that the token is restricted to. Null: all of your organizations.' }),
  ),
  expires_at: Nullable(Type.String({ description: 'When the token expires. Null: never.' })),
  last_used_at: Nullable(Type.String({ description: 'Accurate to the minute. Null: never used.' })),
  created_at: Instant,
  client_id: Nullable(
    Type.String({
      description: 'The OAuth client that you have allowed to act for you, and that has this token. Null: you have made it.',
    }),
  ),
}

export const Token = Shape('Token', shared)
export type Token = Static<typeof Token>

export const NewToken = Shape('NewToken', {
  ...shared,
  token: Type.String({ description: 'The token. Only this response contains it. Send it as `Authorization: Bearer …`.' }),
})
export type NewToken = Static<typeof NewToken>

export const OrganizationToken = Shape('OrganizationToken', {
  ...shared,
  user_id: Uuid,
  user_name: Type.String(),
  user_email: Type.String(),
})
export type OrganizationToken = Static<typeof OrganizationToken>
