/** Configs of channels, of which the secrets are encrypted. */
import type { Json } from '../../sql/index.ts'
import { decrypt, encrypt, MASK } from '../security/secrets.ts'
import { CHANNELS, type ChannelType, type ConfigOf } from './types.ts'

/** Whether a field of a type's config is encrypted and never shown. */
export const isSecret = (type: ChannelType, field: string): boolean =>
  (CHANNELS[type].secrets as readonly string[]).includes(field)

const masked = (value: unknown): Json =>
  value !== null && typeof value === 'object' ? Object.fromEntries(Object.keys(value).map((name) => [name, MASK])) : MASK

/** Splits a config into a masked version for responses and its encrypted secrets. */
export async function encryptConfig(
  type: ChannelType,
  open: ConfigOf,
): Promise<{ config: Record<string, Json>; secrets: Uint8Array }> {
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
