/** Invitations as the invited see and answer them. */

import { sql } from '../../core/platform/database.ts'
import { recordSecurityEvent } from '../../core/security/security-log.ts'
import { tokenHash } from '../../core/security/tokens.ts'
import { SYSTEM, type Visitor } from '../../core/tenants/actors.ts'
import type { Fragment, Queryable, Tx } from '../../sql/index.ts'
import { acrossTenants } from '../../sql/reach.ts'
import { notifyInvited } from '../notifications/withdrawn.ts'
import { following, type Slice } from '../plugins/lists.ts'
import type { Caller } from '../plugins/request-context.ts'
import { closeInvitation, invitationColumns, invitationNotFound, pendingInvitations, recordInvitation } from './invitations.ts'
import { getMember, insertMember, type LockedOrganization, lockOrganization, lockUser } from './membership.ts'
import type { Invitation, InvitationPreview, Member } from './schema.ts'

/** The pending invitations of a user. None if the user's address is not verified. */
const invitationsOf = (user_id: string): Fragment => sql`
  ${pendingInvitations(null)}
    and invitation.email = (select email from people where id = ${user_id} and email_verified)
`

export function listMyInvitations(db: Queryable, user_id: string, { limit, after }: Slice) {
  return acrossTenants(db<Invitation[]>`
    select ${invitationColumns}
    from ${invitationsOf(user_id)}
      ${following(sql`invitation.created_at, invitation.id`, after)}
    order by invitation.created_at desc, invitation.id desc
    limit ${limit}
  `)
}

/** The pending invitations of a user as pages show them, newest first: all of them, or one. */
export function listReceivedInvitations(db: Queryable, user_id: string, { id, limit }: { id?: string; limit: number }) {
  return acrossTenants(
    db<Invitation[]>`
    select ${invitationColumns}
    from ${invitationsOf(user_id)}
      ${id === undefined ? sql`` : sql`and invitation.id = ${id}`}
    order by invitation.created_at desc, invitation.id desc
    limit ${limit}
  `,
    'partly',
  )
}

/** What the holder of a mailed link can see without signing in. @throws Problem `invitation_not_found` */
export async function previewInvitation(db: Queryable, token: string): Promise<InvitationPreview> {
  const [preview] = await acrossTenants(db<InvitationPreview[]>`
    select
      organization.name as organization_name, (select name from people where id = invitation.invited_by) as invited_by_name,
      invitation.email, invitation.role, invitation.expires_at
    from ${pendingInvitations(null)}
      and invitation.token_hash = ${tokenHash(token)}
  `)
  if (!preview) throw invitationNotFound()
  return preview
}

type InvitationReference = { token: string } | { invitation_id: string }

/** Finds a pending invitation and locks its organization. @throws Problem `invitation_not_found` */
async function lockWhere(tx: Tx, condition: Fragment): Promise<{ invitation: Invitation; organization: LockedOrganization }> {
  const find = (organization_id: string | null) => tx<Invitation[]>`
    select ${invitationColumns}
    from ${pendingInvitations(organization_id)}
      and ${condition}
  `
  const [candidate] = await acrossTenants(find(null))
  if (!candidate) throw invitationNotFound()
  const organization = await lockOrganization(tx, candidate.organization_id)
  // Checked again under the lock: a concurrent request may have used it.
  const [invitation] = await find(candidate.organization_id)
  if (!invitation) throw invitationNotFound()
  return { invitation, organization }
}

const hasToken = (token: string): Fragment => sql`invitation.token_hash = ${tokenHash(token)}`

/** The token proves access to the mailbox; by id, the caller's address must be verified. */
async function lockOwnInvitation(
  tx: Tx,
  by: Caller,
  reference: InvitationReference,
): Promise<{ invitation: Invitation; organization: LockedOrganization }> {
  await lockUser(tx, { user_id: by.id })
  const isMeant = 'token' in reference ? hasToken(reference.token) : sql`invitation.id = ${reference.invitation_id}`
  return lockWhere(
    tx,
    sql`
      ${isMeant}
      and invitation.email = (select email from people where id = ${by.id} and (email_verified or ${'token' in reference}))
    `,
  )
}

/** A user who is already a member keeps their role. @throws Problem `invitation_not_found`, `member_limit_reached` */
export async function acceptInvitation(tx: Tx, by: Caller, reference: InvitationReference): Promise<Member> {
  const { invitation, organization } = await lockOwnInvitation(tx, by, reference)
  await closeInvitation(tx, invitation, 'accepted')
  if ('token' in reference) {
    const verified = await tx`update users set email_verified = true where id = ${by.id} and not email_verified`
    if (verified.count > 0)
      await recordSecurityEvent(tx, by.id, by, 'email.verified', `The address ${invitation.email} was verified by an invitation.`)
    await tx`delete from email_verifications where user_id = ${by.id} and email = ${invitation.email}`
    await notifyInvited(tx, by.id)
  }
  const detail = `${by.name} accepted the invitation to the organization ${organization.name}.`
  await recordInvitation(tx, by, invitation, 'accepted', detail)
  const member = await insertMember(tx, by, organization, by.id, invitation.role)
  return member ?? getMember(tx, organization.id, by.id)
}

export async function declineInvitation(tx: Tx, by: Caller, reference: InvitationReference): Promise<Invitation> {
  const { invitation } = await lockOwnInvitation(tx, by, reference)
  await closeInvitation(tx, invitation, 'declined')
  const detail = `${by.name} declined the invitation to the organization ${invitation.organization_name}.`
  await recordInvitation(tx, by, invitation, 'declined', detail)
  return { ...invitation, status: 'declined' }
}

/** Declines an invitation as the holder of its mailed link, who needs no account for that. */
export async function declineByLink(tx: Tx, { ip_address }: Visitor, token: string): Promise<void> {
  const { invitation } = await lockWhere(tx, hasToken(token))
  await closeInvitation(tx, invitation, 'declined')
  const detail = `${invitation.email} declined the invitation to the organization ${invitation.organization_name}.`
  await recordInvitation(tx, { ...SYSTEM, ip_address }, invitation, 'declined', detail)
}
