import type { Static } from '../../core/values/schema.ts'
import { ActorShape, Email, Instant, Maybe, Name, OneOf, Shape, Text, Type, Uuid } from '../../core/values/schema.ts'
import { LIST } from '../plugins/lists.ts'

const Role = OneOf(['admin', 'member'], { description: 'Default: `member`.' })

const person = {
  user_name: Type.String({ examples: ['Ada Lovelace'] }),
  user_email: Type.String({ examples: ['ada@example.com'] }),
  user_avatar_url: Type.String({ examples: ['/api/v1/users/019a2f6e-7c1b-7d52-8a3f-5a0e6c1f2b3d/avatar'] }),
  joined_at: Instant,
}

export const Member = Shape('OrganizationMember', {
  organization_id: Uuid,
  user_id: Uuid,
  role: OneOf(['owner', 'admin', 'member']),
  ...person,
})
export type Member = Static<typeof Member>

export const WorkspaceMember = Shape('WorkspaceMember', {
  workspace_id: Uuid,
  organization_id: Uuid,
  user_id: Uuid,
  role: OneOf(['admin', 'member']),
  ...person,
})
export type WorkspaceMember = Static<typeof WorkspaceMember>

export const MemberQuery = Shape({
  ...LIST,
  query: Maybe(Text(254, { description: 'Part of a name or of a verified address, case-insensitive.' })),
})

export const MemberInput = Shape({
  email: Maybe(Email),
  user_id: Maybe(Uuid),
  role: Maybe(Role),
})
export type MemberInput = Static<typeof MemberInput>

export const WorkspaceMemberInput = Shape({ user_id: Uuid, role: Maybe(Role) })
export type WorkspaceMemberInput = Static<typeof WorkspaceMemberInput>

export const RoleInput = Shape({ role: OneOf(['admin', 'member']) })
export type RoleInput = Static<typeof RoleInput>

export const Invitation = Shape('Invitation', {
  id: Uuid,
  organization_id: Uuid,
  organization_name: Type.String({ examples: ['Acme Robotics'] }),
  email: Type.String({ examples: ['grace@example.com'] }),
  role: OneOf(['admin', 'member']),
  status: OneOf(['pending', 'accepted', 'declined', 'revoked', 'expired']),
  invited_by: Uuid,
  actor: ActorShape,
  expires_at: Instant,
  created_at: Instant,
})
export type Invitation = Static<typeof Invitation>

/** What the holder of a mailed link can see without signing in. */
export const InvitationPreview = Shape('InvitationPreview', {
  organization_name: Type.String({ examples: ['Acme Robotics'] }),
  invited_by_name: Type.String({ examples: ['Ada Lovelace'] }),
  email: Type.String({ description: 'The invited address. Only the account of this address can accept.' }),
  role: OneOf(['admin', 'member']),
  expires_at: Instant,
})
export type InvitationPreview = Static<typeof InvitationPreview>

export const TokenInput = Shape({ token: Name(200, { description: 'The token of the mailed link.' }) })
