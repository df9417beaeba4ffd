/** Where chat tools receive messages: webhooks on hosts of their own. */
import { isAllowedAddress } from '../outbound-addresses.ts'
import { type Flaw, urlError } from '../outbound-requests.ts'
import { config } from '../platform/config.ts'
import { Text } from '../values/schema.ts'

interface ChatTool {
  name: string
  host: RegExp
  path: RegExp
  /** The error for a URL on the right host with a wrong path. */
  hint: string
}

export const WebhookUrl = (example: string, description: string) => Text(2048, { description, examples: [example] })

/** What is wrong with the webhook of a chat tool. Addresses that the operator allowed may be anywhere. */
export function webhookError({ name, host, path, hint }: ChatTool, text: string): Flaw | null {
  const error = urlError(text)
  if (error) return error
  const url = new URL(text)
  if (isAllowedAddress(url.hostname, config.OUTBOUND_ALLOW)) return null
  if (url.protocol !== 'https:') return ['not_https', 'must start with https://']
  if (!host.test(url.hostname) || url.port !== '') return ['wrong_host', `must be a webhook URL of ${name}`]
  return path.test(url.pathname) ? null : ['wrong_path', hint]
}

export const originOf = (url: string | undefined): string => (url === undefined ? '' : new URL(url).origin)
