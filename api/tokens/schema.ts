import { Instant, InstantInput, Maybe, Name, Nullable, OneOf, Shape, type Static, Type, Uuid } from '../../core/values/schema.ts'

const Scope = OneOf(['read', 'write'], { description: '`read` may only GET.', examples: ['write'] })

export const TokenInput = Shape({
  name: Name(120, { description: 'What it is for.', examples: ['Nightly build'] }),
  scope: Maybe(Scope),
  expires_at: Maybe(Nullable(InstantInput)),
  organization_id: Maybe(Nullable(Uuid)),
})
export type TokenInput = Static<typeof TokenInput>

const shared = {
  id: Uuid,
  name: Type.String(),
  scope: Scope,
  organization_id: Nullable(Type.String({ description: 'The one organization in which it works; null: in all of yours.' })),
  expires_at: Nullable(Type.String({ description: 'It stops working then; null: it does not expire.' })),
  last_used_at: Nullable(Type.String({ description: 'To the minute; null: never yet.' })),
  created_at: Instant,
}

export const Token = Shape(shared, { title: 'Token' })
export type Token = Static<typeof Token>

export const NewToken = Shape(
  { ...shared, token: Type.String({ description: 'Shown here and never again. Send it as `Authorization: Bearer …`.' }) },
  { title: 'NewToken' },
)
export type NewToken = Static<typeof NewToken>

export const OrganizationToken = Shape(
  { ...shared, user_id: Uuid, user_name: Type.String(), user_email: Type.String() },
  { title: 'OrganizationToken' },
)
export type OrganizationToken = Static<typeof OrganizationToken>
