/** What both sides of an invitation share: the organization that invites, and the invited. */
import type { Actor } from '../../core/actors.ts'
import { sql } from '../../core/platform/database.ts'
import { record } from '../../core/security/audit.ts'
import type { Fragment, Tx } from '../../sql/index.ts'
import { Problem } from '../problems.ts'
import { organizationScope } from './locked-organization.ts'
import type { Invitation } from './schema.ts'

/** The columns of an invitation, of `pendingInvitations`. */
export const invitationColumns = sql`
  invitation.id, invitation.organization_id, organization.name as organization_name, invitation.email, invitation.role,
  invitation.status, invitation.invited_by, actor_of(invitation.invited_by, invitation.organization_id) as actor,
  invitation.expires_at, invitation.created_at
`

/**
 * Pending invitations.
 *
 * @param organization_id that of the invitations; null for all
 */
export const pendingInvitations = (organization_id: string | null): Fragment => sql`
  invitations as invitation
  cross join lateral (
    select name
    from organizations
    where id = ${organization_id === null ? sql`invitation.organization_id` : organization_id}
      and deleted_at is null
    limit 1
  ) as organization
  where invitation.status = 'pending'
    and invitation.expires_at > now()
    ${organization_id === null ? sql`` : sql`and invitation.organization_id = ${organization_id}`}
`

/** The same problem for all reasons, so that callers cannot tell which invitations exist. */
export const invitationNotFound = (): Problem =>
  new Problem(
    'invitation_not_found',
    'This invitation does not exist, was used, declined or revoked, is older than 7 days, or is for another address.',
  )

/** Writes the audit entry of an invitation. */
export const recordInvitation = (tx: Tx, by: Actor, invitation: Invitation, participle: string, detail: string): Promise<void> =>
  record(tx, by, organizationScope(invitation.organization_id), {
    action: `invitation.${participle}`,
    resource_type: 'invitation',
    resource_id: invitation.id,
    detail,
  })

/** Ends a pending invitation. */
export async function closeInvitation(
  tx: Tx,
  { id, organization_id }: Invitation,
  status: 'accepted' | 'declined' | 'revoked',
): Promise<void> {
  await tx`
    update invitations
    set status = ${status}, token_hash = null
    where id = ${id}
      and organization_id = ${organization_id}
  `
}
