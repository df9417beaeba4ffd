/** The types of notification channels. The worker has a sender for each (worker/notification-channels/senders.ts). */
import type { ChannelDeclaration } from './declaration.ts'
import { email } from './email.ts'
import { feishu } from './feishu.ts'
import { slack } from './slack.ts'
import { teams } from './teams.ts'
import { webhook } from './webhook.ts'

const declared = { slack, teams, feishu, webhook, email }

export type ChannelType = keyof typeof declared

type Configs = { [Type in ChannelType]: (typeof declared)[Type] extends ChannelDeclaration<infer Config> ? Config : never }

/** The `config` of a channel of a type. */
export type ConfigOf<Type extends ChannelType = ChannelType> = Configs[Type]

/** The declaration of each type. */
export const CHANNELS: { [Type in ChannelType]: ChannelDeclaration<Configs[Type]> } = declared

/** Whether this version knows a type. During an upgrade, newer processes may already use others. */
export const isChannelType = (type: string): type is ChannelType => Object.hasOwn(CHANNELS, type)

/** What pages call a type. */
export const channelTitle = (type: string): string =>
  isChannelType(type) ? CHANNELS[type].title : `${type} (unknown to this version of Signalbox)`

export const CHANNEL_TYPES = Object.keys(CHANNELS) as ChannelType[]
