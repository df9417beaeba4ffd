/** Webhooks: the envelope, signed like the dispatches of deployment hooks. */
import { headerErrors, secretError, urlError } from '../outbound/requests.ts'
import { secretsOfHeader, secretsOfSigning } from '../security/secret-forms.ts'
import { Maybe, Shape, type Static, Text, Type } from '../values/schema.ts'
import { declareChannel, flawed, serverOf } from './declaration.ts'

const config = Shape('WebhookConfig', {
  url: Text(2048, { description: 'http or https, without credentials.', examples: ['https://example.com/signalbox'] }),
  secret: Maybe(
    Text(256, {
      minLength: 1,
      description:
        'Signs every message, like the secret of a deployment hook. After the prefix `whsec_` the key is decoded from base64, otherwise the key is the text itself. Write-only.',
    }),
  ),
  headers: Maybe(
    Type.Record(Type.String(), Text(4096), {
      maxProperties: 32,
      description: 'Sent with every message. Values are write-only; a PUT replaces all headers.',
      examples: [{ 'X-Api-Key': 'k-123' }],
    }),
  ),
})
export type WebhookConfig = Static<typeof config>

export const webhook = declareChannel(config, {
  title: 'Webhook',
  format:
    'the [envelope](/docs/events), signed like the dispatches of deployment hooks; `webhook-id` and `X-Signalbox-Delivery` are the id of the log entry',
  fields: { url: 'public', secret: 'secret', headers: 'secret' },
  labels: { url: 'URL', secret: 'Secret', headers: 'Headers' },
  masks: ({ secret, headers = {} }) => [
    ...(secret === undefined ? [] : secretsOfSigning(secret)),
    ...Object.values(headers).flatMap(secretsOfHeader),
  ],
  serverOf: ({ url }) => serverOf(url),
  errors: ({ url, secret, headers = {} }) =>
    flawed(
      ['url', urlError(url)],
      ['secret', secret === undefined ? null : secretError(secret, false)],
      ...headerErrors(headers, []).map(([name, flaw]) => [['headers', name], flaw] as [string[], typeof flaw]),
    ),
})
