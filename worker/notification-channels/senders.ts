/** The sender of each type of channel. */
import { CHANNEL_TYPES, type ChannelType, isChannelType } from '../../core/notification-channels/types.ts'
import { email } from './email/send.ts'
import { feishu } from './feishu.ts'
import type { Sender } from './sender.ts'
import { slack } from './slack/send.ts'
import { teams } from './teams.ts'
import { webhook } from './webhook.ts'

export const SENDERS: { [Type in ChannelType]: Sender<Type> } = { slack, teams, feishu, webhook, email }

/** The sender of a type; null if this version does not know the type, as during an upgrade. */
export const senderOf = <Type extends ChannelType>(type: Type): Sender<Type> | null =>
  isChannelType(type) ? SENDERS[type] : null

/** The types whose posted messages are kept up to date. */
export const UPDATED_TYPES = CHANNEL_TYPES.flatMap((type) => {
  const { updates } = SENDERS[type]
  return updates ? { type, updates } : []
})
