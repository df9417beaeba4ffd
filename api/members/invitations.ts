import { addJob } from '../../core/jobs/tasks.ts'
import { notifyInvited } from '../../core/notifications/notify.ts'
import { config } from '../../core/platform/config.ts'
import { sql } from '../../core/platform/database.ts'
import { record } from '../../core/security/audit.ts'
import { recordSecurityEvent } from '../../core/security/security-log.ts'
import type { Fragment, Queryable, Tx } from '../../sql/index.ts'
import { tokenHash } from '../auth/hashes.ts'
import type { Slice } from '../plugins/lists.ts'
import type { Caller, Resource } from '../plugins/request-context.ts'
import { requireSame } from '../plugins/responses.ts'
import { insufficientRole, Problem } from '../problems.ts'
import { type LockedOrganization, lockOrganization, organizationPlace, requireRole } from './locked-organization.ts'
import { getMember, insertMember, lockUser } from './membership.ts'
import type { OrganizationRole } from './roles.ts'
import type { Invitation, InvitationPreview, Member } from './schema.ts'

const MAILS_PER_DAY = 50

const columns = sql`
  invitation.id, invitation.organization_id, organization.name as organization_name, invitation.email, invitation.role,
  invitation.status, invitation.invited_by, invitation.expires_at, invitation.created_at
`

/** @param organization_id that of the invitations; null for all */
const pendingInvitations = (organization_id: string | null): Fragment => sql`
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
const invitationNotFound = (): Problem =>
  new Problem(
    'invitation_not_found',
    'This invitation does not exist, was used, declined or revoked, is older than 7 days, or is for another address.',
  )

/** The pending invitations of an organization, newest first. */
export function listInvitations(db: Queryable, organization_id: string, { limit, after }: Slice) {
  return db<Invitation[]>`
    select ${columns}
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

/** The pending invitations of a user, newest first. Empty if the user's address is not verified. */
export function listMyInvitations(db: Queryable, user_id: string, { limit, after }: Slice) {
  return db<Invitation[]>`
    select ${columns}
    from ${pendingInvitations(null)}
      and invitation.email = (select email from people where id = ${user_id} and email_verified)
      and (
        ${after}::uuid is null
        or (invitation.created_at, invitation.id) < (select created_at, id from invitations where id = ${after})
      )
    order by invitation.created_at desc, invitation.id desc
    limit ${limit}
  `
}

/**
 * What the holder of a mailed link can see without signing in.
 *
 * @throws Problem `invitation_not_found`
 */
export async function previewInvitation(db: Queryable, token: string): Promise<InvitationPreview> {
  const [preview] = await db<InvitationPreview[]>`
    select
      organization.name as organization_name, (select name from people where id = invitation.invited_by) as invited_by_name,
      invitation.email, invitation.role, invitation.expires_at
    from ${pendingInvitations(null)}
      and invitation.token_hash = ${tokenHash(token)}
  `
  if (!preview) throw invitationNotFound()
  return preview
}

/** Queues a mail. The worker generates the link, so that no job contains its token; the previous link stops working. */
async function queueMail(tx: Tx, { id, organization_id }: Invitation): Promise<void> {
  if (config.RATE_LIMIT > 0) {
    const [{ asked }] = await tx<[{ asked: number }]>`
      select count(*) as asked
      from invitation_mails
      where organization_id = ${organization_id}
        and asked_at > now() - interval '1 day'
    `
    if (asked >= MAILS_PER_DAY) {
      throw new Problem(
        'invitation_limit_reached',
        `An organization can send ${MAILS_PER_DAY} invitations per day. Try again tomorrow.`,
      )
    }
  }
  await tx`insert into invitation_mails (organization_id) values (${organization_id})`
  await addJob(tx, 'mail_invitation', { organization_id, invitation_id: id })
}

const recordInvitation = (tx: Tx, by: Caller, invitation: Invitation, participle: string, detail: string): Promise<void> =>
  record(tx, by, organizationPlace(invitation.organization_id), {
    action: `invitation.${participle}`,
    resource_type: 'invitation',
    resource_id: invitation.id,
    detail,
  })

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
      id, organization_id, ${organization.name}::text as organization_name, email, role, status, invited_by, expires_at, created_at
  `
  await queueMail(tx, invitation)
  const detail = `${by.name} invited ${email} to the organization ${organization.name} as ${role}.`
  await recordInvitation(tx, by, invitation, before ? 'resent' : 'created', detail)
  return invitation
}

/** Locks the organization and finds one of its pending invitations. */
async function lockInvitation(tx: Tx, by: Caller, { organization_id }: Resource, id: string): Promise<Invitation> {
  await lockOrganization(tx, organization_id)
  const callerRole = await requireRole(tx, by, organization_id, 'admin')
  const [invitation] = await tx<Invitation[]>`
    select ${columns} from ${pendingInvitations(organization_id)} and invitation.id = ${id}
  `
  if (!invitation) throw invitationNotFound()
  requireOwnerForAdmin(invitation.role, callerRole)
  return invitation
}

/** Revokes an invitation. */
export async function revokeInvitation(tx: Tx, by: Caller, place: Resource, id: string, request: Request): Promise<null> {
  const invitation = await lockInvitation(tx, by, place, id)
  requireSame(request, invitation)
  await tx`
    update invitations
    set status = 'revoked', token_hash = null
    where id = ${invitation.id}
      and organization_id = ${invitation.organization_id}
  `
  const detail = `${by.name} revoked the invitation of ${invitation.email} to the organization ${invitation.organization_name}.`
  await recordInvitation(tx, by, invitation, 'revoked', detail)
  return null
}

/** Mails a new link, valid for 7 days. The old one stops working. */
export async function resendInvitation(tx: Tx, by: Caller, place: Resource, id: string): Promise<Invitation> {
  const invitation = await lockInvitation(tx, by, place, id)
  const [{ expires_at }] = await tx<[{ expires_at: string }]>`
    update invitations
    set expires_at = now() + interval '7 days', token_hash = null
    where id = ${invitation.id}
      and organization_id = ${invitation.organization_id}
    returning expires_at
  `
  await queueMail(tx, invitation)
  const detail = `${by.name} invited ${invitation.email} to the organization ${invitation.organization_name} again.`
  await recordInvitation(tx, by, invitation, 'resent', detail)
  return { ...invitation, expires_at }
}

/** How invited users identify an invitation: by the mailed token, or by its id. */
export type InvitationReference = { token: string } | { invitation_id: string }

/**
 * Finds and locks an invitation of the caller. The token proves access to the mailbox; by id, the caller's address must be
 * verified.
 */
async function lockOwnInvitation(
  tx: Tx,
  by: Caller,
  reference: InvitationReference,
): Promise<{ invitation: Invitation; organization: LockedOrganization }> {
  await lockUser(tx, { user_id: by.id })
  const condition =
    'token' in reference
      ? sql`invitation.token_hash = ${tokenHash(reference.token)}`
      : sql`invitation.id = ${reference.invitation_id}`
  const find = (organization_id: string | null) => tx<Invitation[]>`
    select ${columns}
    from ${pendingInvitations(organization_id)}
      and ${condition}
      and invitation.email = (select email from people where id = ${by.id} and (email_verified or ${'token' in reference}))
  `
  const [candidate] = await find(null)
  if (!candidate) throw invitationNotFound()
  const organization = await lockOrganization(tx, candidate.organization_id)
  // Checked again under the lock: a concurrent request may have used it.
  const [invitation] = await find(candidate.organization_id)
  if (!invitation) throw invitationNotFound()
  return { invitation, organization }
}

async function close(tx: Tx, { id, organization_id }: Invitation, status: 'accepted' | 'declined'): Promise<void> {
  await tx`
    update invitations
    set status = ${status}, token_hash = null
    where id = ${id}
      and organization_id = ${organization_id}
  `
}

/**
 * Accepts an invitation and joins the organization. A user who is already a member keeps their role.
 *
 * @throws Problem `invitation_not_found`, `member_limit_reached`
 */
export async function acceptInvitation(tx: Tx, by: Caller, reference: InvitationReference): Promise<Member> {
  const { invitation, organization } = await lockOwnInvitation(tx, by, reference)
  await close(tx, invitation, 'accepted')
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

/** Declines an invitation. */
export async function declineInvitation(tx: Tx, by: Caller, reference: InvitationReference): Promise<Invitation> {
  const { invitation } = await lockOwnInvitation(tx, by, reference)
  await close(tx, invitation, 'declined')
  const detail = `${by.name} declined the invitation to the organization ${invitation.organization_name}.`
  await recordInvitation(tx, by, invitation, 'declined', detail)
  return { ...invitation, status: 'declined' }
}
