/** Feishu and Lark: a custom bot of a group. */
import { secretsOfSigning, secretsOfUrl } from '../security/secret-forms.ts'
import { Maybe, Shape, Text } from '../values/schema.ts'
import { declareChannel, flawed, serverOf, WebhookUrl, webhookError } from './declaration.ts'

const config = Shape('FeishuConfig', {
  webhook_url: WebhookUrl(
    'https://open.feishu.cn/open-apis/bot/v2/hook/00000000-0000-0000-0000-000000000000',
    'A custom bot of Feishu or Lark, on `open.feishu.cn` or `open.larksuite.com`. Write-only.',
  ),
  secret: Maybe(Text(256, { minLength: 1, description: "The bot's signing secret, if it requires signatures. Write-only." })),
})

const FEISHU = {
  name: 'Feishu',
  host: /^open\.(feishu\.cn|larksuite\.com)$/,
  path: /^\/open-apis\/bot\/v2\/hook\/[A-Za-z0-9-]+$/,
  hint: 'must be the webhook of a custom bot (/open-apis/bot/v2/hook/…)',
}

export const feishu = declareChannel(config, {
  title: 'Feishu or Lark',
  format: 'an interactive card',
  fields: { webhook_url: 'secret', secret: 'secret' },
  labels: { webhook_url: 'Webhook URL', secret: 'Signing secret' },
  masks: ({ webhook_url, secret }) => [...secretsOfUrl(webhook_url), ...(secret === undefined ? [] : secretsOfSigning(secret))],
  serverOf: ({ webhook_url }) => serverOf(webhook_url),
  errors: ({ webhook_url }) => flawed(['webhook_url', webhookError(FEISHU, webhook_url)]),
})
