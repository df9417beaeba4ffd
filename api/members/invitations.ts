/** Invitations as the organization that invites makes and manages them, with limits of mails to people who asked for none. */

import { addJob } from '../../core/jobs/tasks.ts'
import { config } from '../../core/platform/config.ts'
import { sql } from '../../core/platform/database.ts'
import { record } from '../../core/security/audit.ts'
import { type Quota, useQuota } from '../../core/security/quotas.ts'
import type { Actor } from '../../core/tenants/actors.ts'
import type { Fragment, Queryable, Tx } from '../../sql/index.ts'
import { readInvitations } from '../notifications/withdrawn.ts'
import { following, type Slice } from '../plugins/lists.ts'
import { limitReached } from '../plugins/rate-limit.ts'
import type { Caller } from '../plugins/request-context.ts'
import type { Resource, ResourceKey } from '../plugins/resources.ts'
import { requireSame } from '../plugins/responses.ts'
import { insufficientRole, Problem } from '../problems.ts'
import type { OrganizationRole } from '../roles.ts'
import { lockOrganization, organizationScope, requireRole } from './membership.ts'
import type { Invitation } from './schema.ts'

/** The columns of an invitation, of `pendingInvitations`. */
export const invitationColumns = sql`
  invitation.id, invitation.organization_id, organization.name as organization_name, invitation.email, invitation.role,
  invitation.status, invitation.invited_by, actor_of(invitation.invited_by, invitation.organization_id) as actor,
  invitation.expires_at, invitation.created_at
`

/** Pending invitations. @param organization_id null: of all organizations */
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

export const recordInvitation = (tx: Tx, by: Actor, invitation: Invitation, participle: string, detail: string): Promise<void> =>
  record(tx, by, organizationScope(invitation.organization_id), {
    action: `invitation.${participle}`,
    resource_type: 'invitation',
    resource_id: invitation.id,
    detail,
  })

export async function closeInvitation(tx: Tx, { id, organization_id }: Invitation, status: 'accepted' | 'declined' | 'revoked') {
  await tx`
    update invitations
    set status = ${status}, token_hash = null
    where id = ${id} and organization_id = ${organization_id}
  `
  await readInvitations(tx, [{ id }])
}

const DAY = 86_400
const BY_ACCOUNT: Quota = { most: config.INVITATIONS_PER_DAY, seconds: DAY }
const TO_ADDRESS: Quota = { most: 3, seconds: DAY }

/** Only accounts with a proven address cause mails to others. @throws Problem `address_not_verified` */
export async function requireProvenAddress(tx: Tx, by: Caller): Promise<void> {
  if (config.EMAIL_VERIFICATION === 'off') return
  const [proven] = await tx`select from users where id = ${by.id} and email_verified`
  if (proven) return
  throw new Problem(
    'address_not_verified',
    'You can add and invite people once your e-mail address is verified. Open the link that was mailed to it, or request a new one.',
  )
}

/** @throws Problem `invitation_limit_reached` */
async function count(tx: Tx, subject: string, quota: Quota, what: string): Promise<void> {
  const wait = config.RATE_LIMIT === 0 ? null : await useQuota(tx, subject, quota)
  if (wait !== null) throw limitReached('invitation_limit_reached', wait, what)
}

/** Counted apart from invitations: who has used up theirs can still add colleagues. @throws Problem `invitation_limit_reached` */
export async function countAddition(tx: Tx, by: Caller, user_id: string): Promise<void> {
  await count(tx, `additions by ${by.id}`, BY_ACCOUNT, `You can add ${BY_ACCOUNT.most} people a day`)
  const what = `A person can be added to organizations ${TO_ADDRESS.most} times a day`
  await count(tx, `additions of ${user_id}`, TO_ADDRESS, what)
}

export function listInvitations(db: Queryable, organization_id: string, { limit, after }: Slice) {
  return db<Invitation[]>`
    select ${invitationColumns}
    from ${pendingInvitations(organization_id)}
      ${following(sql`invitation.created_at, invitation.id`, after)}
    order by invitation.created_at desc, invitation.id desc
    limit ${limit}
  `
}

/** Counts and queues a mail. The worker generates the link, so that no job contains its token; the previous link stops working. */
async function queueMail(tx: Tx, by: Caller, { id, organization_id, email }: Invitation): Promise<void> {
  // Always in this order, so that two transactions cannot wait for each other.
  await count(tx, `invitations by ${by.id}`, BY_ACCOUNT, `You can send ${BY_ACCOUNT.most} invitations a day`)
  await count(tx, `invitations to ${email}`, TO_ADDRESS, `An address can be invited ${TO_ADDRESS.most} times a day`)
  await addJob(tx, 'mail_invitation', { organization_id, invitation_id: id })
}

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
  const expired = await tx<{ id: string }[]>`
    update invitations
    set status = 'expired', token_hash = null
    where organization_id = ${organization.id}
      and email = ${email}
      and status = 'pending'
      and expires_at <= now()
    returning id
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
  await readInvitations(tx, expired)
  const detail = `${by.name} invited ${email} to the organization ${organization.name} as ${role}.`
  await recordInvitation(tx, by, invitation, before ? 'resent' : 'created', detail)
  return invitation
}

async function lockInvitation(tx: Tx, by: Caller, { organization_id }: ResourceKey<'organization'>, id: string) {
  await lockOrganization(tx, organization_id)
  const callerRole = await requireRole(tx, by, organization_id, 'admin')
  const [invitation] = await tx<Invitation[]>`
    select ${invitationColumns} from ${pendingInvitations(organization_id)} and invitation.id = ${id}
  `
  if (!invitation) throw invitationNotFound()
  requireOwnerForAdmin(invitation.role, callerRole)
  return invitation
}

export async function revokeInvitation(tx: Tx, by: Caller, organization: Resource<'organization'>, id: string, request: Request) {
  const invitation = await lockInvitation(tx, by, organization, id)
  requireSame(request, invitation)
  await closeInvitation(tx, invitation, 'revoked')
  const detail = `${by.name} revoked the invitation of ${invitation.email} to the organization ${invitation.organization_name}.`
  await recordInvitation(tx, by, invitation, 'revoked', detail)
  return null
}

/** The old link stops working. @throws Problem `invitation_not_found`, `address_not_verified`, `invitation_limit_reached` */
export async function resendInvitation(tx: Tx, by: Caller, organization: Resource<'organization'>, id: string) {
  const invitation = await lockInvitation(tx, by, organization, id)
  await requireProvenAddress(tx, by)
  const [{ expires_at }] = await tx<[{ expires_at: string }]>`
    update invitations
    set expires_at = now() + interval '7 days', token_hash = null
    where id = ${invitation.id} and organization_id = ${invitation.organization_id}
    returning expires_at
  `
  await queueMail(tx, by, invitation)
  const detail = `${by.name} invited ${invitation.email} to the organization ${invitation.organization_name} again.`
  await recordInvitation(tx, by, invitation, 'resent', detail)
  return { ...invitation, expires_at }
}
