/** The config of a Slack channel, read when a click is answered. */
import { decryptConfig } from '../../core/notification-channels/configs.ts'
import type { SlackConfig } from '../../core/notification-channels/slack.ts'
import { sql } from '../../core/platform/database.ts'

/** The config of a channel as it is now; an empty one if the channel was deleted. */
export async function readSlackConfig(organization_id: string, channel_id: string): Promise<SlackConfig> {
  const [channel] = await sql<{ channel_type: 'slack'; config: object; secrets: Uint8Array }[]>`
    select channel_type, config, secrets
    from notification_channels
    where id = ${channel_id}
      and organization_id = ${organization_id}
      and channel_type = 'slack'
  `
  return channel ? decryptConfig(channel) : {}
}
