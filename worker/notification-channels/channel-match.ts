import type { NewMessage } from '../../core/notification-channels/messages.ts'

/** An event and a channel that subscribes to it, or shows what it changes (`is_update`). */
export interface ChannelMatch extends Omit<NewMessage, 'max_attempts'> {
  /** Whether the channel posts to Slack as a bot, with a thread per execution. */
  is_bot: boolean
}
