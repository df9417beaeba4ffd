/** Invitations as the organization that invites makes and manages them. */

import { addJob } from '../../core/jobs/tasks.ts'
import type { Queryable, Tx } from '../../sql/index.ts'
import type { Slice } from '../plugins/lists.ts'
import type { Caller } from '../plugins/request-context.ts'
import type { Resource, ResourceKey } from '../plugins/resources.ts'
import { requireSame } from '../plugins/responses.ts'
import { insufficientRole } from '../problems.ts'
import type { OrganizationRole } from '../roles.ts'
import { countInvitation, requireProvenAddress } from './invitation-limits.ts'
import {
  closeInvitation,
  invitationColumns,
  invitationNotFound,
  pendingInvitations,
  recordInvitation,
} from './invitation-records.ts'
import { lockOrganization, requireRole } from './locked-organization.ts'
import type { Invitation } from './schema.ts'

/** The pending invitations of an organization, newest first. */
export function listInvitations(db: Queryable, organization_id: string, { limit, after }: Slice) {
  return db<Invitation[]>`
    select ${invitationColumns}
    from ${pendingInvitations(organization_id)}
      and (
        ${after}::uuid is null
        or (invitation.created_at, invitation.id) < (
          select created_at, id from invitations where id = ${after} and organization_id = ${organization_id}
        )
      )
    order by invitation.created_at desc, invitation.id desc
    limit ${limit}
  `
}

/** Queues a mail. The worker generates the link, so that no job contains its token; the previous link stops working. */
async function queueMail(tx: Tx, by: Caller, { id, organization_id, email }: Invitation): Promise<void> {
  await countInvitation(tx, by, email)
  await addJob(tx, 'mail_invitation', { organization_id, invitation_id: id })
}

/** Only the owner can make admins, directly or by invitation. */
function requireOwnerForAdmin(role: Invitation['role'], callerRole: OrganizationRole): void {
  if (role === 'admin' && callerRole !== 'owner') throw insufficientRole('owner', callerRole, 'organization')
}

/**
 * Invites an address to a locked organization, or extends its pending invitation.
 *
 * @throws Problem `invitation_limit_reached`; `forbidden` if someone other than the owner invites an admin or changes an
 *   invitation of an admin
 */
export async function invite(
  tx: Tx,
  by: Caller,
  organization: { id: string; name: string },
  callerRole: OrganizationRole,
  email: string,
  role: Invitation['role'],
): Promise<Invitation> {
  await tx`
    update invitations
    set status = 'expired', token_hash = null
    where organization_id = ${organization.id}
      and email = ${email}
      and status = 'pending'
      and expires_at <= now()
  `
  const [before] = await tx<{ role: Invitation['role'] }[]>`
    select role
    from invitations
    where organization_id = ${organization.id}
      and email = ${email}
      and status = 'pending'
  `
  requireOwnerForAdmin(before?.role ?? role, callerRole)
  const [invitation] = await tx<[Invitation]>`
    insert into invitations as invitation (organization_id, email, role, invited_by, expires_at)
    values (${organization.id}, ${email}, ${role}, ${by.id}, now() + interval '7 days')
    on conflict (organization_id, email) where status = 'pending' do update
      set role = excluded.role, invited_by = excluded.invited_by, expires_at = excluded.expires_at, token_hash = null
    returning
      id, organization_id, ${organization.name}::text as organization_name, email, role, status, invited_by,
      actor_of(invited_by, organization_id) as actor, expires_at, created_at
  `
  await queueMail(tx, by, invitation)
  const detail = `${by.name} invited ${email} to the organization ${organization.name} as ${role}.`
  await recordInvitation(tx, by, invitation, before ? 'resent' : 'created', detail)
  return invitation
}

/** Locks the organization and finds one of its pending invitations. */
async function lockInvitation(
  tx: Tx,
  by: Caller,
  { organization_id }: ResourceKey<'organization'>,
  id: string,
): Promise<Invitation> {
  await lockOrganization(tx, organization_id)
  const callerRole = await requireRole(tx, by, organization_id, 'admin')
  const [invitation] = await tx<Invitation[]>`
    select ${invitationColumns} from ${pendingInvitations(organization_id)} and invitation.id = ${id}
  `
  if (!invitation) throw invitationNotFound()
  requireOwnerForAdmin(invitation.role, callerRole)
  return invitation
}

/** Revokes an invitation. */
export async function revokeInvitation(
  tx: Tx,
  by: Caller,
  organization: Resource<'organization'>,
  id: string,
  request: Request,
): Promise<null> {
  const invitation = await lockInvitation(tx, by, organization, id)
  requireSame(request, invitation)
  await closeInvitation(tx, invitation, 'revoked')
  const detail = `${by.name} revoked the invitation of ${invitation.email} to the organization ${invitation.organization_name}.`
  await recordInvitation(tx, by, invitation, 'revoked', detail)
  return null
}

/**
 * Mails a new link, valid for 7 days. The old one stops working.
 *
 * @throws Problem `invitation_not_found`, `address_not_verified`, `invitation_limit_reached`
 */
export async function resendInvitation(
  tx: Tx,
  by: Caller,
  organization: Resource<'organization'>,
  id: string,
): Promise<Invitation> {
  const invitation = await lockInvitation(tx, by, organization, id)
  await requireProvenAddress(tx, by)
  const [{ expires_at }] = await tx<[{ expires_at: string }]>`
    update invitations
    set expires_at = now() + interval '7 days', token_hash = null
    where id = ${invitation.id}
      and organization_id = ${invitation.organization_id}
    returning expires_at
  `
  await queueMail(tx, by, invitation)
  const detail = `${by.name} invited ${invitation.email} to the organization ${invitation.organization_name} again.`
  await recordInvitation(tx, by, invitation, 'resent', detail)
  return { ...invitation, expires_at }
}
