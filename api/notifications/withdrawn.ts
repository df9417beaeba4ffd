/** Notifications that ask people for what they can no longer do. */
import type { NotificationText } from '../../core/events/declaration.ts'
import { mayDecide } from '../../core/gates/approval.ts'
import { markRead, notify, withdraw } from '../../core/notifications/notify.ts'
import { sql } from '../../core/platform/database.ts'
import { quotedName } from '../../core/values/plain-text.ts'
import type { Fragment, Tx } from '../../sql/index.ts'
import { acrossTenants } from '../../sql/reach.ts'

/** The gates of an organization that unread notifications of a user ask to decide. The inbox is locked, after all else that is locked. */
async function askedGates(tx: Tx, organization_id: string, user_id: string): Promise<string[]> {
  // Made if it is missing, so that there is a row to lock: the first notification may be written at the same time.
  await tx`
    insert into notification_inboxes as inbox (user_id)
    values (${user_id})
    on conflict (user_id) do update
      set sequence = inbox.sequence
  `
  const asked = await tx<{ gate_id: string }[]>`
    -- Materialized: PostgreSQL may otherwise read the unread notifications of all gates while they are few, and keep the plan.
    with unread as materialized (
      select resource_id, type
      from notifications
      where user_id = ${user_id} and organization_id = ${organization_id} and read_at is null
    )
    select distinct resource_id as gate_id
    from unread
    where type = 'gate_pending'
  `
  return asked.map(({ gate_id }) => gate_id)
}

/** Marks as read what asks a user to decide gates of an organization that they can no longer decide: their role or their groups have changed. */
export async function readUndecidable(tx: Tx, organization_id: string, user_id: string): Promise<void> {
  const asked = await askedGates(tx, organization_id, user_id)
  if (asked.length === 0) return
  // In a statement of its own: to join them with the notifications, PostgreSQL may read all gates of the organization while they are few,
  // and keep the plan.
  const decidable = await tx<{ id: string }[]>`
    select id
    from gates
    where id = any(${asked}::uuid[])
      and organization_id = ${organization_id}
      and ${mayDecide(sql`${user_id}::uuid`)}
  `
  const kept = new Set(decidable.map(({ id }) => id))
  await markRead(
    tx,
    sql`
      notification.user_id = ${user_id}
      and notification.organization_id = ${organization_id}
      and notification.type = 'gate_pending'
      and notification.resource_id = any(${asked.filter((id) => !kept.has(id))}::uuid[])
    `,
  )
}

/** The gates of an organization that wait for a decision, where a condition holds for the row of `gates`. */
export async function pendingGates(tx: Tx, organization_id: string, condition: Fragment): Promise<string[]> {
  const found = await tx<{ id: string }[]>`
    select gates.id
    from gates
    where gates.organization_id = ${organization_id} and gates.status = 'pending' and ${condition}
  `
  return found.map(({ id }) => id)
}

/** Marks what asks for decisions on gates as read: they were cancelled, or deleted with what they are in. */
export async function readGone(tx: Tx, gate_ids: string[]): Promise<void> {
  if (gate_ids.length === 0) return
  await withdraw(tx, sql`notification.type = 'gate_pending' and notification.resource_id = any(${gate_ids}::uuid[])`)
}

/** Marks the notifications of invitations as read: they were answered, revoked or replaced. */
export async function readInvitations(tx: Tx, invitations: { id: string }[]): Promise<void> {
  if (invitations.length === 0) return
  await withdraw(tx, sql`notification.source_id = any(${invitations.map(({ id }) => id)}::uuid[])`)
}

interface PendingInvitation {
  id: string
  organization_id: string
  organization_name: string
  role: string
  invited_by_name: string | null
  expires_at: string
}

/** The text about an invitation, which no event announces. */
const invitationText = ({ organization_name, role, invited_by_name, expires_at }: PendingInvitation): NotificationText => ({
  title: invited_by_name
    ? `${quotedName(invited_by_name)} invites you to ${quotedName(organization_name)}`
    : `You are invited to ${quotedName(organization_name)}`,
  body: `You are invited as ${role === 'admin' ? 'an admin' : 'a member'}. The invitation expires on ${expires_at.slice(0, 10)}.`,
})

/**
 * Notifies a user of the pending invitations for their address, in the transaction that verifies or changes it, and marks those of other
 * addresses as read. Does nothing if the address is not verified. May be called again: a user gets one notification per invitation.
 */
export async function notifyInvited(tx: Tx, user_id: string): Promise<void> {
  const invitations = await acrossTenants(tx<PendingInvitation[]>`
    select
      invitation.id, invitation.organization_id, organization.name as organization_name, invitation.role,
      inviter.name as invited_by_name, invitation.expires_at
    from people as invited
    join invitations as invitation
      on invitation.email = invited.email
      and invitation.status = 'pending'
      and invitation.expires_at > now()
    cross join lateral (
      select name from organizations where id = invitation.organization_id and deleted_at is null limit 1
    ) as organization
    left join people as inviter on inviter.id = invitation.invited_by
    where invited.id = ${user_id}
      and invited.email_verified
    order by invitation.id
  `)
  await notify(
    tx,
    invitations.map((invitation) => ({
      source_id: invitation.id,
      scope: { organization_id: invitation.organization_id, workspace_id: null, project_id: null },
      type: 'invitation_received',
      ...invitationText(invitation),
      resource_type: 'invitation',
      resource_id: invitation.id,
      data: { organization_name: invitation.organization_name, role: invitation.role, expires_at: invitation.expires_at },
      user_ids: [user_id],
    })),
  )
  const current = invitations.map(({ id }) => id)
  await withdraw(
    tx,
    sql`
      notification.user_id = ${user_id}
      and notification.type = 'invitation_received'
      and notification.source_id <> all(${current}::uuid[])
    `,
  )
}
