import type { NewMessage } from '../../core/notification-channels/messages.ts'
import type { ChannelType } from '../../core/notification-channels/types.ts'

/** An event and a channel that subscribes to it, or shows what it changes (`is_update`). */
export interface ChannelMatch extends Omit<NewMessage, 'max_attempts'> {
  channel_type: ChannelType
  /** Whether the messages of the channel are kept up to date (`Updates`). */
  is_updated: boolean
}
