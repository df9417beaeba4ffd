/** The notification of an invitation, which no event announces. */
import type { NotificationText } from '../events/texts.ts'
import { quotedName } from '../values/plain-text.ts'

export const invitationReceived = (
  invitation: { organization_name: string; role: string; expires_at: string },
  invited_by: string | null,
): NotificationText => ({
  title: invited_by
    ? `${quotedName(invited_by)} invites you to ${quotedName(invitation.organization_name)}`
    : `You are invited to ${quotedName(invitation.organization_name)}`,
  body: `You are invited as ${invitation.role === 'admin' ? 'an admin' : 'a member'}. The invitation expires on ${invitation.expires_at.slice(0, 10)}.`,
})
