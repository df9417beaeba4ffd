import { Instant, Maybe, Name, Nullable, Shape, type Static, Text, Type, Uuid } from '../../core/values/schema.ts'

const name = Name(120, { description: 'Unique in the organization, whatever its case and spaces.', examples: ['Security'] })

export const GroupInput = Shape({
  name,
  description: Maybe(Nullable(Text(2000, { examples: ['Reviews what reaches production.'] }))),
})
export type GroupInput = Static<typeof GroupInput>

export const GroupUpdate = Shape({ name: Maybe(name), description: GroupInput.properties.description })
export type GroupUpdate = Static<typeof GroupUpdate>

export const Group = Shape('Group', {
  id: Uuid,
  organization_id: Uuid,
  name: Type.String({ examples: ['Security'] }),
  description: Nullable(Type.String()),
  member_count: Type.Integer({ minimum: 0, examples: [3] }),
  created_at: Instant,
  updated_at: Instant,
})
export type Group = Static<typeof Group>

export const GroupMember = Shape('GroupMember', {
  group_id: Uuid,
  organization_id: Uuid,
  user_id: Uuid,
  user_name: Type.String({ examples: ['Ada Lovelace'] }),
  user_email: Type.String({ examples: ['ada@example.com'] }),
  user_avatar_url: Type.String({ examples: ['/api/v1/users/019a2f6e-7c1b-7d52-8a3f-5a0e6c1f2b3d/avatar'] }),
  added_at: Instant,
})
export type GroupMember = Static<typeof GroupMember>
