/** mail_channel_disabled: tells the admins of a workspace that one of its notification channels was switched off. */
import type { Tasks } from '../../core/jobs/tasks.ts'
import { config } from '../../core/platform/config.ts'
import { sql } from '../../core/platform/database.ts'
import { line } from '../../core/values/plain-text.ts'
import { mailAdmins } from './admins.ts'

interface Disabled {
  organization_id: string
  workspace_id: string
  name: string
  channel_type: string
  workspace: string
  reason: string
  updated_at: string
}

/** Mails the admins of the channel's workspace, or one of them; of one that was switched on again meanwhile there is nothing to tell. */
export async function mailChannelDisabled(payload: Tasks['mail_channel_disabled']): Promise<void> {
  const { organization_id, channel_id } = payload
  const [channel] = await sql<Disabled[]>`
    select
      channel.organization_id, channel.workspace_id, channel.name, channel.channel_type, workspace.name as workspace,
      channel.disabled_reason as reason, channel.updated_at
    from notification_channels as channel
    join workspaces as workspace
      on workspace.id = channel.workspace_id
      and workspace.organization_id = channel.organization_id
    where channel.id = ${channel_id}
      and channel.organization_id = ${organization_id}
      and not channel.enabled
      and channel.disabled_reason is not null
  `
  if (!channel) return
  const name = line(channel.name, 120)
  const notice = {
    ...channel,
    key: `${channel_id}.${Date.parse(channel.updated_at)}`,
    subject: `Notification channel "${name}" was switched off`,
    text: `Signalbox switched off the ${channel.channel_type} channel "${name}" of the workspace "${line(channel.workspace, 120)}".

Why: ${channel.reason}

What waited for it was cancelled. Its log, which says what went wrong, is at
${config.PUBLIC_URL}/api/v1/notification-channels/${channel_id}/logs
`,
  }
  await mailAdmins(notice, { task: 'mail_channel_disabled', payload })
}
