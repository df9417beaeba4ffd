/** How a type of notification channel is declared: its config, what of it is secret, and how pages call it. */
import type { Flaw } from '../outbound-requests.ts'
import type { Static, Type } from '../values/schema.ts'

/** An error in a field of a config, or in a value inside it. */
export interface ConfigError {
  path: string[]
  flaw: Flaw
}

/** The part of a declaration that depends on the type of the config. */
interface Rules<Config> {
  /** What pages call the type. */
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
  /**
   * What the schema does not check.
   *
   * @param stored the config before; null for a new channel
   */
  errors: (config: Config, stored: Config | null) => ConfigError[]
}

export interface ChannelDeclaration<Config> extends Rules<Config> {
  config: Type.TObject
  /** The secret fields. */
  secrets: (keyof Config & string)[]
}

/** Declares a type of channel. */
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
