/** mail_invitation: mails the link of an invitation. The token is generated here, so that no job payload contains it. */

import type { Tasks } from '../../core/jobs/tasks.ts'
import { config } from '../../core/platform/config.ts'
import { sql } from '../../core/platform/database.ts'
import { newToken, tokenHash } from '../../core/security/tokens.ts'
import { secondText } from '../../core/values/instants-text.ts'
import { quotedName, unlinked } from '../../core/values/plain-text.ts'
import { linkMail } from './link-mail.ts'
import { sendMail } from './transport.ts'

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
  await sendMail({
    to: { name: '', address: email },
    ...linkMail({
      subject: `${invited_by} invites you to ${organization}`,
      why: `${invited_by} invites you to join the organization ${organization} on Signalbox as ${role === 'admin' ? 'an admin' : 'a member'}. Open this link before ${secondText(invitation.expires_at)}:`,
      url: `${config.PUBLIC_URL}/invitations?token=${token}`,
      action: 'Accept or decline',
      otherwise: 'If you do not want to join, ignore this mail. The link works only for you, and expires.',
    }),
  })
}
