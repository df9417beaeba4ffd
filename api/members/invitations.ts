import { addJob } from '../../core/jobs/tasks.ts'
import { notifyInvited } from '../../core/notifications/notify.ts'
import { config } from '../../core/platform/config.ts'
import { sql } from '../../core/platform/database.ts'
import { record } from '../../core/security/audit.ts'
import { recordSecurityEvent } from '../../core/security/security-log.ts'
import type { Queryable, Tx } from '../../sql/index.ts'
import { tokenHash } from '../auth/hashes.ts'
import type { Slice } from '../plugins/lists.ts'
import type { Caller, Resource } from '../plugins/request-context.ts'
import { requireSame } from '../plugins/responses.ts'
import { Problem } from '../problems.ts'
import { enter, getMember, holdUser } from './membership.ts'
import type { OrganizationRole } from './roles.ts'
import type { Invitation, InvitationPreview, Member } from './schema.ts'
import { type LockedOrganization, lockOrganization, requireRole, roleTooLow, wholeOf } from './standing.ts'

const MAILS_A_DAY = 50

const columns = sql`
  invitation.id, invitation.organization_id, organization.name as organization_name, invitation.email, invitation.role,
  invitation.status, invitation.invited_by, invitation.expires_at, invitation.created_at
`

const waiting = sql`
  invitations as invitation
  cross join lateral (
    select name from organizations where id = invitation.organization_id and deleted_at is null limit 1
  ) as organization
  where invitation.status = 'pending'
    and invitation.expires_at > now()
`

/** The one answer for whatever does not work, so that nobody learns which it is. */
const noInvitation = (): Problem =>
  new Problem(
    'invitation_not_found',
    'There is no such invitation: it may be used, declined, revoked, older than 7 days, or for another address.',
  )

/** What waits in an organization, newest first. */
export function listInvitations(db: Queryable, organization_id: string, { limit, after }: Slice) {
  return db<Invitation[]>`
    select ${columns}
    from ${waiting}
      and invitation.organization_id = ${organization_id}
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

/** What waits for a user, newest first; nothing where their address is not proven. */
export function listMyInvitations(db: Queryable, user_id: string, { limit, after }: Slice) {
  return db<Invitation[]>`
    select ${columns}
    from ${waiting}
      and invitation.email = (select email from users where id = ${user_id} and email_verified)
      and (
        ${after}::uuid is null
        or (invitation.created_at, invitation.id) < (select created_at, id from invitations where id = ${after})
      )
    order by invitation.created_at desc, invitation.id desc
    limit ${limit}
  `
}

/**
 * What the holder of a mailed link may see without signing in.
 *
 * @throws Problem `invitation_not_found`
 */
export async function previewInvitation(db: Queryable, token: string): Promise<InvitationPreview> {
  const [preview] = await db<InvitationPreview[]>`
    select
      organization.name as organization_name, (select name from users where id = invitation.invited_by) as invited_by_name,
      invitation.email, invitation.role, invitation.expires_at
    from ${waiting}
      and invitation.token_hash = ${tokenHash(token)}
  `
  if (!preview) throw noInvitation()
  return preview
}

/** A link is made by the worker, so that no job holds its token; the one before it is dead from here on. */
async function askForMail(tx: Tx, { id, organization_id }: Invitation): Promise<void> {
  if (config.RATE_LIMIT > 0) {
    const [{ asked }] = await tx<[{ asked: number }]>`
      select count(*) as asked
      from invitation_mails
      where organization_id = ${organization_id}
        and asked_at > now() - interval '1 day'
    `
    if (asked >= MAILS_A_DAY) {
      throw new Problem('invitation_limit_reached', `An organization may invite ${MAILS_A_DAY} times a day. Try again tomorrow.`)
    }
  }
  await tx`insert into invitation_mails (organization_id) values (${organization_id})`
  await addJob(tx, 'mail_invitation', { organization_id, invitation_id: id })
}

const recordInvitation = (tx: Tx, by: Caller, invitation: Invitation, participle: string, detail: string): Promise<void> =>
  record(tx, by, wholeOf(invitation.organization_id), {
    action: `invitation.${participle}`,
    resource_type: 'invitation',
    resource_id: invitation.id,
    detail,
  })

/** Nobody but the owner makes an admin, neither at once nor by an invitation. */
function requireRoleFor(role: Invitation['role'], mine: OrganizationRole): void {
  if (role === 'admin' && mine !== 'owner') throw roleTooLow('owner', mine)
}

/**
 * Invites an address into an organization, which is locked; one that is invited already is invited for longer.
 *
 * @throws Problem `invitation_limit_reached`; `forbidden` where anybody but the owner invites an admin, or changes such an invitation
 */
export async function invite(
  tx: Tx,
  by: Caller,
  organization: { id: string; name: string },
  mine: OrganizationRole,
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
  requireRoleFor(before?.role ?? role, mine)
  const [invitation] = await tx<[Invitation]>`
    insert into invitations as invitation (organization_id, email, role, invited_by, expires_at)
    values (${organization.id}, ${email}, ${role}, ${by.id}, now() + interval '7 days')
    on conflict (organization_id, email) where status = 'pending' do update
      set role = excluded.role, invited_by = excluded.invited_by, expires_at = excluded.expires_at, token_hash = null
    returning
      id, organization_id, ${organization.name}::text as organization_name, email, role, status, invited_by, expires_at, created_at
  `
  await askForMail(tx, invitation)
  const detail = `${by.name} invited ${email} to the organization ${organization.name} as ${role}.`
  await recordInvitation(tx, by, invitation, before ? 'resent' : 'created', detail)
  return invitation
}

/** An invitation that waits in an organization, which is locked. */
async function findInvitation(tx: Tx, by: Caller, { organization_id }: Resource, id: string): Promise<Invitation> {
  await lockOrganization(tx, organization_id)
  const mine = await requireRole(tx, by, organization_id, 'admin')
  const [invitation] = await tx<Invitation[]>`
    select ${columns} from ${waiting} and invitation.organization_id = ${organization_id} and invitation.id = ${id}
  `
  if (!invitation) throw noInvitation()
  requireRoleFor(invitation.role, mine)
  return invitation
}

/** Takes an invitation back. */
export async function revokeInvitation(tx: Tx, by: Caller, place: Resource, id: string, request: Request): Promise<null> {
  const invitation = await findInvitation(tx, by, place, id)
  requireSame(request, invitation)
  await tx`
    update invitations
    set status = 'revoked', token_hash = null
    where id = ${invitation.id}
      and organization_id = ${invitation.organization_id}
  `
  const detail = `${by.name} took back the invitation of ${invitation.email} to the organization ${invitation.organization_name}.`
  await recordInvitation(tx, by, invitation, 'revoked', detail)
  return null
}

/** Mails a new link, which works for 7 days from now; the old one is dead. */
export async function resendInvitation(tx: Tx, by: Caller, place: Resource, id: string): Promise<Invitation> {
  const invitation = await findInvitation(tx, by, place, id)
  const [{ expires_at }] = await tx<[{ expires_at: string }]>`
    update invitations
    set expires_at = now() + interval '7 days', token_hash = null
    where id = ${invitation.id}
      and organization_id = ${invitation.organization_id}
    returning expires_at
  `
  await askForMail(tx, invitation)
  const detail = `${by.name} invited ${invitation.email} to the organization ${invitation.organization_name} again.`
  await recordInvitation(tx, by, invitation, 'resent', detail)
  return { ...invitation, expires_at }
}

/** How the invited says which invitation is meant: with the mailed token, or by its id. */
export type Chosen = { token: string } | { invitation_id: string }

/**
 * The invitation that is meant, if it is the caller's. The token proves the mailbox; by its id only those find one whose
 * address is proven.
 */
async function findMine(
  tx: Tx,
  by: Caller,
  chosen: Chosen,
): Promise<{ invitation: Invitation; organization: LockedOrganization }> {
  await holdUser(tx, { user_id: by.id })
  const meant =
    'token' in chosen ? sql`invitation.token_hash = ${tokenHash(chosen.token)}` : sql`invitation.id = ${chosen.invitation_id}`
  const find = (within = sql``) => tx<Invitation[]>`
    select ${columns}
    from ${waiting}
      and ${meant} ${within}
      and invitation.email = (select email from users where id = ${by.id} and (email_verified or ${'token' in chosen}))
  `
  const [seen] = await find()
  if (!seen) throw noInvitation()
  const organization = await lockOrganization(tx, seen.organization_id)
  // Whoever held the lock may have used it up.
  const [invitation] = await find(sql`and invitation.organization_id = ${seen.organization_id}`)
  if (!invitation) throw noInvitation()
  return { invitation, organization }
}

async function settle(tx: Tx, { id, organization_id }: Invitation, status: 'accepted' | 'declined'): Promise<void> {
  await tx`
    update invitations
    set status = ${status}, token_hash = null
    where id = ${id}
      and organization_id = ${organization_id}
  `
}

/**
 * Accepts an invitation: using it up and joining are one. Who came in otherwise meanwhile keeps the role that they have.
 *
 * @throws Problem `invitation_not_found`, `member_limit_reached`
 */
export async function acceptInvitation(tx: Tx, by: Caller, chosen: Chosen): Promise<Member> {
  const { invitation, organization } = await findMine(tx, by, chosen)
  await settle(tx, invitation, 'accepted')
  if ('token' in chosen) {
    const proven = await tx`update users set email_verified = true where id = ${by.id} and not email_verified`
    if (proven.count > 0)
      await recordSecurityEvent(tx, by.id, by, 'email.verified', `The address ${invitation.email} was proven by an invitation.`)
    await tx`delete from email_verifications where user_id = ${by.id} and email = ${invitation.email}`
    await notifyInvited(tx, by.id)
  }
  const detail = `${by.name} accepted the invitation to the organization ${organization.name}.`
  await recordInvitation(tx, by, invitation, 'accepted', detail)
  const member = await enter(tx, by, organization, by.id, invitation.role)
  return member ?? getMember(tx, organization.id, by.id)
}

/** Declines an invitation. */
export async function declineInvitation(tx: Tx, by: Caller, chosen: Chosen): Promise<Invitation> {
  const { invitation } = await findMine(tx, by, chosen)
  await settle(tx, invitation, 'declined')
  const detail = `${by.name} declined the invitation to the organization ${invitation.organization_name}.`
  await recordInvitation(tx, by, invitation, 'declined', detail)
  return { ...invitation, status: 'declined' }
}
