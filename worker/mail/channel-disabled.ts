/** mail_channel_disabled: mails the admins of a workspace that a notification channel was disabled. */
import type { Tasks } from '../../core/jobs/tasks.ts'
import { pageUrl } from '../../core/links.ts'
import { sql } from '../../core/platform/database.ts'
import { line, unlinked } from '../../core/values/plain-text.ts'
import { mailAdmins } from './admins.ts'

interface DisabledChannel {
  organization_id: string
  workspace_id: string
  name: string
  channel_type: string
  workspace: string
  reason: string
  updated_at: string
}

/** Mails the admins of the channel's workspace, or one of them. Does nothing if the channel was enabled again. */
export async function mailChannelDisabled(payload: Tasks['mail_channel_disabled']): Promise<void> {
  const { organization_id, channel_id } = payload
  const [channel] = await sql<DisabledChannel[]>`
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
  const name = unlinked(line(channel.name, 120))
  const url = pageUrl('notification_channel', channel_id) ?? ''
  const notice = {
    ...channel,
    url,
    action: 'View the channel',
    key: `${channel_id}.${Date.parse(channel.updated_at)}`,
    subject: `Notification channel "${name}" was disabled`,
    text: `Signalbox disabled the ${channel.channel_type} channel "${name}" of the workspace "${unlinked(line(channel.workspace, 120))}".

Reason: ${channel.reason}

Its pending messages were cancelled. Its log shows what went wrong. Fix that, test the channel, and enable it again:
${url}
`,
  }
  await mailAdmins(notice, { task: 'mail_channel_disabled', payload })
}
