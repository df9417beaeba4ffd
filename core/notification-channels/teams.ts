/** Microsoft Teams: a workflow that posts what it receives. */
import type { Flaw } from '../outbound/requests.ts'
import { secretsOfUrl } from '../security/secret-forms.ts'
import { Shape } from '../values/schema.ts'
import { bareName } from '../values/web-addresses.ts'
import { declareChannel, flawed, serverOf, WebhookUrl, webhookError } from './declaration.ts'

const config = Shape('TeamsConfig', {
  webhook_url: WebhookUrl(
    'https://prod-00.westeurope.logic.azure.com/workflows/1/triggers/manual/paths/invoke?api-version=1&sig=XXXX',
    'The URL of a Teams Workflow that posts the messages it receives. Write-only.',
  ),
})

const TEAMS = {
  name: 'Teams',
  host: /\.(logic\.azure\.com|api\.powerplatform\.com|api\.powerautomate\.com|flow\.microsoft\.com)$/,
  path: /./,
  hint: '',
}

const CONNECTOR: Flaw = [
  'wrong_host',
  'is a connector, which Teams has retired; create a Workflow "when a webhook request is received" instead',
]

function urlFlaw(text: string): Flaw | null {
  const error = webhookError(TEAMS, text)
  return error?.[0] === 'wrong_host' && /(^|\.)webhook\.office\.com$/.test(bareName(new URL(text).hostname)) ? CONNECTOR : error
}

export const teams = declareChannel(config, {
  title: 'Microsoft Teams',
  format: 'an Adaptive Card',
  fields: { webhook_url: 'secret' },
  labels: { webhook_url: 'Webhook URL' },
  masks: ({ webhook_url }) => secretsOfUrl(webhook_url),
  serverOf: ({ webhook_url }) => serverOf(webhook_url),
  errors: ({ webhook_url }) => flawed(['webhook_url', urlFlaw(webhook_url)]),
})
