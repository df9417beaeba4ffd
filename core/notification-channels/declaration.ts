/** How a type of notification channel is declared: its config, what of it is secret, and how pages call it. */
import { type Flaw, isAllowedAddress, urlError } from '../outbound/requests.ts'
import { config } from '../platform/config.ts'
import { type Static, Text, Type } from '../values/schema.ts'
import { bareName, originOf } from '../values/web-addresses.ts'

/** An error in a field of a config, or in a value inside it. */
export type ConfigError = { path: string[]; flaw: Flaw }

interface Rules<Config> {
  title: string
  /** The format of its messages, as Markdown, for the documentation. */
  format: string
  /** Secret fields are encrypted and never shown; of an object, the values are. */
  fields: { [Field in keyof Config]-?: 'public' | 'secret' }
  /** What forms call the fields. */
  labels: { [Field in keyof Config]-?: string }
  /** What is masked in the answers of its server. */
  masks: (config: Config) => string[]
  /** The server that gets a secret. Before it changes, the secret must be sent again. */
  serverOf: (config: Config, secret: string) => string
  /** Values that the API shows for fields that are not set, as long as another one is. */
  defaults?: { [Field in keyof Config & string]?: { with: keyof Config & string; value: NonNullable<Config[Field]> & string } }
  /** Fields that are cleared with another one, unless they are sent. */
  clearedWith?: { [Field in keyof Config & string]?: keyof Config & string }
  /** What the schema does not check. @param stored the config before; null for a new channel */
  errors: (config: Config, stored: Config | null) => ConfigError[]
}

export interface ChannelDeclaration<Config> extends Rules<Config> {
  config: Type.TObject
  secrets: (keyof Config & string)[]
}

export const declareChannel = <const Schema extends Type.TObject>(
  config: Schema,
  rules: Rules<Static<Schema>>,
): ChannelDeclaration<Static<Schema>> => {
  const names = Object.keys(rules.fields) as (keyof Static<Schema> & string)[]
  return { config, ...rules, secrets: names.filter((name) => rules.fields[name] === 'secret') }
}

/** Errors of fields, of which some may have none. */
export const flawed = (...fields: [path: string | string[], flaw: Flaw | null][]): ConfigError[] =>
  fields.flatMap(([path, flaw]) => (flaw ? [{ path: [path].flat(), flaw }] : []))

export const Matching = (schema: Type.TString, pattern: RegExp, message: string) =>
  Type.Refine(
    schema,
    (text) => pattern.test(text),
    () => message,
  )

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
  if (!host.test(bareName(url.hostname)) || url.port !== '') return ['wrong_host', `must be a webhook URL of ${name}`]
  return path.test(url.pathname) ? null : ['wrong_path', hint]
}

/** The server of a URL, for comparisons. */
export const serverOf = (url: string | undefined): string => (url === undefined ? '' : originOf(url))
