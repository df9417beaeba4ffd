import type { ChannelType, ConfigOf } from '../../core/notification-channels/types.ts'

type Configs<Type extends ChannelType> = (url: string, secret: (field: string) => string) => ConfigOf<Type>[]

/** Valid configs of each type that together have every field: where they send to, and a value for each secret. */
export const CONFIGS: { [Type in ChannelType]: Configs<Type> } = {
  slack: (url, secret) => [
    { webhook_url: `${url}/services/${secret('webhook_url')}` },
    { bot_token: `xoxb-${secret('bot_token')}`, slack_channel: 'C0123456789', api_url: url },
  ],
  teams: (url, secret) => [{ webhook_url: `${url}/invoke?sig=${secret('webhook_url')}` }],
  feishu: (url, secret) => [{ webhook_url: `${url}/hook/${secret('webhook_url')}`, secret: secret('secret') }],
  webhook: (url, secret) => [{ url, secret: secret('secret'), headers: { 'X-Api-Key': secret('headers') } }],
  email: (url, secret) => [
    {
      smtp_host: new URL(url).hostname,
      smtp_port: Number(new URL(url).port),
      smtp_user: 'ada',
      smtp_password: secret('smtp_password'),
      from_address: 'ada@example.com',
      to_addresses: ['ada@example.com'],
    },
  ],
}
