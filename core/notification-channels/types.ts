/** The types of notification channels, and their configs, of which the secrets are encrypted. The worker has a sender for each (worker/notification-channels/senders.ts), a check of the database their names. */
import type { Fragment, Json } from '../../sql/index.ts'
import { sql } from '../platform/database.ts'
import { decrypt, encrypt, MASK } from '../security/secrets.ts'
import type { ChannelDeclaration } from './declaration.ts'
import { email } from './email.ts'
import { feishu } from './feishu.ts'
import { slack } from './slack/channel.ts'
import { teams } from './teams.ts'
import { webhook } from './webhook.ts'

const declared = { slack, teams, feishu, webhook, email }

export type ChannelType = keyof typeof declared

type Configs = { [Type in ChannelType]: (typeof declared)[Type] extends ChannelDeclaration<infer Config> ? Config : never }

export type ConfigOf<Type extends ChannelType = ChannelType> = Configs[Type]

export const CHANNELS: { [Type in ChannelType]: ChannelDeclaration<Configs[Type]> } = declared

/** Whether this version knows a type. During an upgrade, newer processes may already use others. */
export const isChannelType = (type: string): type is ChannelType => Object.hasOwn(CHANNELS, type)

export const channelTitle = (type: string): string =>
  isChannelType(type) ? CHANNELS[type].title : `${type} (unknown to this version of Signalbox)`

export const CHANNEL_TYPES = Object.keys(CHANNELS) as ChannelType[]

/** Whether a field of a type's config is encrypted and never shown. */
export const isSecret = (type: ChannelType, field: string): boolean =>
  (CHANNELS[type].secrets as readonly string[]).includes(field)

const masked = (value: unknown): Json =>
  value !== null && typeof value === 'object' ? Object.fromEntries(Object.keys(value).map((name) => [name, MASK])) : MASK

/** Splits a config into a masked version for responses and its encrypted secrets. */
export async function encryptConfig(type: ChannelType, open: ConfigOf) {
  const secret = Object.entries(open).filter(([name]) => isSecret(type, name))
  const maskedFields = Object.fromEntries(secret.map(([name, value]) => [name, masked(value)]))
  return { config: { ...open, ...maskedFields }, secrets: await encrypt(JSON.stringify(Object.fromEntries(secret))) }
}

/** The reverse of `encryptConfig`. The result must not leave this process. */
export async function decryptConfig<Type extends ChannelType>(stored: {
  channel_type: Type
  config: object
  secrets: Uint8Array
}): Promise<ConfigOf<Type>> {
  return { ...stored.config, ...JSON.parse(await decrypt(stored.secrets)) }
}

/** SQL: the values of fields of a type that are shown although they are not set. */
const defaultsOf = (type: (typeof CHANNEL_TYPES)[number]): Fragment[] =>
  Object.entries(CHANNELS[type].defaults ?? {}).map(
    ([field, { with: other, value }]) => sql`
      case
        when channel_type = ${type} and config ? ${other}::text then jsonb_build_object(${field}::text, ${value}::text)
        else '{}'
      end ||
    `,
  )

export const channelColumns = sql`
  id, workspace_id, name, channel_type, ${CHANNEL_TYPES.flatMap(defaultsOf)} config as config,
  enabled, disabled_reason, created_at, updated_at
`
