import { Instant, Nullable, Shape, type Static, Text, Type, Uuid } from '../../core/schema.ts'

export const User = Shape(
  {
    id: Uuid,
    email: Type.String(),
    email_verified: Type.Boolean({ description: 'Whether the mailbox is proven; until then no one is found by this address.' }),
    pending_email: Nullable(Type.String({ description: 'A changed address that waits for its proof.' })),
    name: Type.String(),
    avatar_url: Type.String(),
    created_at: Instant,
    updated_at: Instant,
  },
  { title: 'User' },
)
export type User = Static<typeof User>

export const Deletion = Shape({ current_password: Text(256, { examples: ['correct horse battery staple'] }) })
