/** mail_channel_disabled: tells the admins of a workspace that one of its notification channels was switched off. */
import { config } from '../../core/config.ts'
import { sql } from '../../core/database.ts'
import { sendMail } from './transport.ts'

interface Told {
  name: string
  email: string
  channel: string
  channel_type: string
  workspace: string
  reason: string
}

/** Mails everybody who is an admin of the channel's workspace: by that role, or as owner or admin of its organization. */
export async function mailChannelDisabled(channel_id: string): Promise<void> {
  const admins = await sql<Told[]>`
    select
      users.name, users.email, channel.name as channel, channel.channel_type,
      workspace.name as workspace, channel.disabled_reason as reason
    from notification_channels as channel
    join workspaces as workspace on workspace.id = channel.workspace_id
    join organization_members as organization_member on organization_member.organization_id = channel.organization_id
    join users on users.id = organization_member.user_id
    left join workspace_members as workspace_member
      on workspace_member.workspace_id = channel.workspace_id
      and workspace_member.user_id = users.id
    where channel.id = ${channel_id}
      and not channel.enabled
      and channel.disabled_reason is not null
      and users.email_verified
      and (organization_member.role in ('owner', 'admin') or workspace_member.role = 'admin')
  `
  for (const admin of admins) {
    await sendMail({
      to: { name: admin.name, address: admin.email },
      subject: `Notification channel "${admin.channel}" was switched off`,
      text: `Hello ${admin.name},

Signalbox switched off the ${admin.channel_type} channel "${admin.channel}" of the workspace "${admin.workspace}".

Why: ${admin.reason}

What waited for it was cancelled. Its log, which says what went wrong, is at
${config.PUBLIC_URL}/api/v1/notification-channels/${channel_id}/logs
`,
    })
  }
}
