/**
 * Mails with one link: mail_invitation, mail_password_reset and mail_verification. The tokens are generated here, so that no job payload
 * contains them.
 */
import type { Tasks } from '../../core/jobs/tasks.ts'
import { config } from '../../core/platform/config.ts'
import { sql, transaction } from '../../core/platform/database.ts'
import { type Quota, useQuota } from '../../core/security/quotas.ts'
import { recordSecurityEvent } from '../../core/security/security-log.ts'
import { newToken, tokenHash } from '../../core/security/tokens.ts'
import { PLACEHOLDER_DOMAINS } from '../../core/values/email-addresses.ts'
import { secondText } from '../../core/values/instants.ts'
import { quotedName, unlinked } from '../../core/values/plain-text.ts'
import type { Tx } from '../../sql/index.ts'
import { aside, button, link, mailHtml, paragraph } from './html.tsx'
import { sendMail } from './transport.ts'

interface LinkMail {
  subject: string
  /** Why the mail was sent, and how long the link is valid. */
  why: string
  url: string
  action: string
  otherwise: string
}

/** Without the name of the account: until its address is verified, it may belong to someone else than the user who chose the name. */
async function sendLinkMail(address: string, { subject, why, url, action, otherwise }: LinkMail): Promise<void> {
  const html = mailHtml(subject, subject, 'info', [
    paragraph('Hello,'),
    paragraph(why),
    button(url, action),
    aside('If the button does not work, open this address: ', link(url, url)),
    aside(otherwise),
  ])
  await sendMail({ to: { name: '', address }, subject, text: `Hello,\n\n${why}\n\n${url}\n\n${otherwise}\n`, html })
}

/** Mails a new link to the invited address. Earlier links become invalid. */
export async function mailInvitation({ organization_id, invitation_id }: Tasks['mail_invitation']): Promise<void> {
  const token = newToken()
  const [invitation] = await sql<{ email: string; role: string; organization: string; invited_by: string; expires_at: string }[]>`
    update invitations as invitation
    set token_hash = ${tokenHash(token)}
    from organizations as organization, people
    where invitation.id = ${invitation_id}
      and invitation.organization_id = ${organization_id}
      and invitation.status = 'pending'
      and invitation.expires_at > now()
      and organization.id = ${organization_id}
      and organization.deleted_at is null
      and people.id = invitation.invited_by
    returning invitation.email, invitation.role, organization.name as organization, people.name as invited_by,
      invitation.expires_at
  `
  if (!invitation) return // accepted, declined, revoked or expired meanwhile
  const { email, role } = invitation
  const [invited_by, organization] = [invitation.invited_by, invitation.organization].map((name) => unlinked(quotedName(name)))
  await sendLinkMail(email, {
    subject: `${invited_by} invites you to ${organization}`,
    why: `${invited_by} invites you to join the organization ${organization} on Signalbox as ${role === 'admin' ? 'an admin' : 'a member'}. Open this link before ${secondText(invitation.expires_at)}:`,
    url: `${config.PUBLIC_URL}/invitations?token=${token}`,
    action: 'Accept or decline',
    otherwise: 'If you do not want to join, ignore this mail. The link works only for you, and expires.',
  })
}

interface PasswordReset {
  id: string
  user_id: string
  email: string
  device: string
  ip_address: string
  is_new: boolean
}

/** Mails that an account gets. Who asks for more gets none: the earlier ones are valid for an hour. */
const MAILS: Quota = { most: 5, seconds: 3600 }

/** Mails a link to the user with the address of the request. Earlier links stay valid. Deletes the request if it leads to no mail. */
export async function mailPasswordReset(reset_id: string): Promise<void> {
  const [reset] = await sql<PasswordReset[]>`
    select reset.id, users.id as user_id, users.email, reset.device, reset.ip_address, reset.user_id is null as is_new
    from password_resets as reset
    join users
      on users.email = reset.email
      and users.deleted_at is null
    where reset.id = ${reset_id}
      and reset.expires_at > now()
  `
  if (!reset) {
    await sql`delete from password_resets where id = ${reset_id}`
    return
  }
  const token = newToken()
  const link = await transaction((tx) => addLink(tx, reset, token))
  if (!link) return
  await sendLinkMail(reset.email, {
    subject: 'Set a new password',
    why: `A new password was requested for your Signalbox account. If that was you, open this link before ${secondText(link.expires_at)}:`,
    url: `${config.PUBLIC_URL}/reset-password?token=${token}`,
    action: 'Set a new password',
    otherwise: 'If it was not you, ignore this mail. Your password stays unchanged.',
  })
}

/**
 * Adds a link for a request. A repetition of the job adds another one, since the mail with the first may have arrived.
 *
 * @returns null if the account gets no more mails, or the request was deleted meanwhile
 */
async function addLink(tx: Tx, reset: PasswordReset, token: string): Promise<{ expires_at: string } | null> {
  const { id, user_id, email, device, ip_address } = reset
  if (reset.is_new && !(await countMail(tx, reset))) {
    await tx`delete from password_resets where id = ${id}`
    return null
  }
  const updated = await tx`update password_resets set user_id = ${user_id} where id = ${id}`
  if (updated.count === 0) return null
  const [link] = await tx<[{ expires_at: string }]>`
    insert into password_resets (email, user_id, hash, device, ip_address)
    values (${email}, ${user_id}, ${tokenHash(token)}, ${device}, ${ip_address})
    returning expires_at
  `
  if (reset.is_new) {
    await recordSecurityEvent(tx, user_id, reset, 'password.reset_requested', 'A link to set a new password was requested.')
  }
  return link
}

/** Counts a mail for the account and its address. @returns whether it may be sent */
const countMail = async (tx: Tx, { user_id, email }: PasswordReset): Promise<boolean> =>
  config.RATE_LIMIT === 0 || (await useQuota(tx, `password reset: ${user_id} ${email}`, MAILS)) === null

/** Mails a new link to the user's unverified address: the changed one, if any. Earlier links become invalid. */
export async function mailVerification(user_id: string): Promise<void> {
  const [user] = await sql<{ email: string; changes: boolean }[]>`
    select coalesce(pending_email, email) as email, pending_email is not null as changes
    from users
    where id = ${user_id}
      and deleted_at is null
      and (pending_email is not null or (not email_verified and email not like ${`%@${PLACEHOLDER_DOMAINS.replaced}`}))
  `
  if (!user) return // deleted, replaced or verified meanwhile
  const why = user.changes ? 'was set as the new address of a Signalbox account' : 'was used to create a Signalbox account'
  const token = newToken()
  const expires_at = await transaction(async (tx) => {
    await tx`delete from email_verifications where user_id = ${user_id}`
    const [link] = await tx<[{ expires_at: string }]>`
      insert into email_verifications (hash, user_id, email, expires_at)
      values (${tokenHash(token)}, ${user_id}, ${user.email}, now() + interval '24 hours')
      returning expires_at
    `
    return link.expires_at
  })
  await sendLinkMail(user.email, {
    subject: 'Verify your e-mail address',
    why: `This address ${why}. If that was you, open this link before ${secondText(expires_at)}:`,
    url: `${config.PUBLIC_URL}/verify-email?token=${token}`,
    action: 'Verify address',
    otherwise: 'If it was not you, ignore this mail. Your address cannot be used without the link.',
  })
}
