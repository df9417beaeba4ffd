/** The sender of each type of channel. */
import type { ChannelType } from '../../core/notification-channels/types.ts'
import { email } from './email/send.ts'
import { feishu } from './feishu/send.ts'
import type { Sender } from './sender.ts'
import { slack } from './slack/send.ts'
import { teams } from './teams/send.ts'
import { webhook } from './webhook/send.ts'

export const SENDERS: { [Type in ChannelType]: Sender<Type> } = { slack, teams, feishu, webhook, email }
