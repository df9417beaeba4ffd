/**
 * Everything that the environment can set: one entry a setting, read by every process,
 * shown as the table of the README (a test compares the two).
 */

import {
  certificates,
  cidr,
  days,
  Fault,
  integer,
  jwtSecret,
  listOf,
  metricsToken,
  nameServer,
  oneOf,
  origin,
  price,
  seconds,
  secretsKey,
  share,
  some,
  text,
  url,
} from './setting-values.ts'

/** Every fault of an environment at once, so that nobody mends one and meets the next. */
export class SettingsError extends Error {
  constructor(readonly faults: string[]) {
    super(
      `Signalbox cannot start: ${faults.length} setting${faults.length === 1 ? '' : 's'} to mend\n${faults.map((fault) => `  - ${fault}`).join('\n')}`,
    )
    this.name = 'SettingsError'
  }
}

interface Setting<Value> {
  /** Turns the text of the environment into the value, or throws a `Fault`. */
  read: (value: string) => Value
  /** What holds where nothing is set: text that `read` takes. Absent: the value is undefined. */
  fallback?: string
  required?: boolean
  /** One line for the README. */
  about: string
}

const setting = <Value, const Rest extends Omit<Setting<Value>, 'read'>>(read: (value: string) => Value, rest: Rest) => ({
  read,
  ...rest,
})

export const SETTINGS = {
  DATABASE_URL: setting(url('postgres', 'postgresql'), {
    required: true,
    about: 'The PostgreSQL server (15 or newer). `bun start` brings its own where this is unset.',
  }),
  DATABASE_DIRECT_URL: setting(url('postgres', 'postgresql'), {
    about:
      'The same server past a pooler such as PgBouncer in transaction mode: for LISTEN, migrations and the job queue. Default: `DATABASE_URL`, and then nothing may pool in between.',
  }),
  DATABASE_SSL: setting(oneOf('disable', 'require', 'verify-full'), {
    about:
      'TLS to the database: `require` encrypts, `verify-full` also checks certificate and name. Default: what `sslmode` in the URL says, else `disable`.',
  }),
  DATABASE_CA: setting(certificates, {
    about: "The authority that signed the server's certificate, for `verify-full`: PEM text or a path. Default: the system's.",
  }),
  DATABASE_POOL: setting(integer(1, 100), { fallback: '8', about: 'Connections that each process keeps to it.' }),
  PORT: setting(integer(1, 65_535), { fallback: '8080', about: 'Port of the API.' }),
  HOST: setting(text, {
    about: 'Address that the API listens on, such as `127.0.0.1`. Default: all addresses; with `bun start`, loopback alone.',
  }),
  PUBLIC_URL: setting(origin, {
    about: 'Origin of the links that are sent out, those to the runbook in alerts too. Default: `http://localhost:$PORT`.',
  }),
  JWT_SECRET: setting((value) => some(listOf(jwtSecret)(value)), {
    required: true,
    about: 'Signs access tokens, 32 characters or more. A comma-separated list: the first signs, all verify.',
  }),
  SECRETS_KEY: setting((value) => some(listOf(secretsKey)(value)), {
    required: true,
    about: 'Encrypts stored secrets: 32 bytes in base64. A comma-separated list: the first encrypts, all decrypt.',
  }),
  LOG_LEVEL: setting(oneOf('trace', 'debug', 'info', 'warn', 'error', 'silent'), {
    fallback: 'info',
    about: 'The least severe log line that is written.',
  }),
  RATE_LIMIT: setting(integer(0, 1_000_000), {
    fallback: '100',
    about: 'Requests a second for each caller; `0` switches every rate limit off.',
  }),
  RATE_LIMIT_BURST: setting(integer(1, 1_000_000), {
    about: 'Requests that a caller may make at once. Default: twice `RATE_LIMIT`.',
  }),
  TRUST_PROXY: setting(integer(0, 10), {
    fallback: '0',
    about:
      'Proxies in front of the API: the caller is the n-th address from the right of `X-Forwarded-For`, or the peer where that is no address.',
  }),
  METRICS_TOKEN: setting(metricsToken, {
    about: 'Whoever reads `/metrics` sends it as bearer token. Unset: loopback alone may read, and no proxy.',
  }),
  OTEL_EXPORTER_OTLP_ENDPOINT: setting(url('http', 'https'), {
    about: 'Where traces are exported to, by OTLP over HTTP, such as `http://localhost:4318`. Unset: nowhere.',
  }),
  OTEL_EXPORTER_OTLP_PROTOCOL: setting(oneOf('http/protobuf', 'http/json'), {
    fallback: 'http/protobuf',
    about: 'How they are written.',
  }),
  OTEL_EXPORTER_OTLP_HEADERS: setting(text, { about: 'Headers for that, as `name=value` separated by commas.' }),
  OTEL_SERVICE_NAME: setting(text, { about: 'Name of the service in them. Default: `signalbox-api` and `signalbox-worker`.' }),
  OTEL_RESOURCE_ATTRIBUTES: setting(text, { about: 'What else is said of it, as `name=value` separated by commas.' }),
  OTEL_TRACES_SAMPLER_ARG: setting(share, {
    about:
      'The part of the traces, from 0 to 1, that is exported; a trace that the caller began follows the caller. Default: all.',
  }),
  CORS_ORIGINS: setting(listOf(origin), { fallback: '', about: 'Origins, separated by commas, whose pages may call the API.' }),
  EMAIL_VERIFICATION: setting(oneOf('required', 'off'), {
    fallback: 'required',
    about: '`off` counts every e-mail address as proven. `bun start` sets that with its own database.',
  }),
  REGISTRATION: setting(oneOf('open', 'closed'), {
    fallback: 'open',
    about: '`closed` lets only addresses register that are invited.',
  }),
  SMTP_URL: setting(url('smtp', 'smtps'), {
    about:
      'Where mail goes out, such as `smtps://user:password@mail.example.com`. Needed while `EMAIL_VERIFICATION` is `required`.',
  }),
  MAIL_FROM: setting(text, { fallback: 'Signalbox <signalbox@localhost>', about: 'Sender of the mail.' }),
  OUTBOUND_ALLOW: setting(listOf(cidr), {
    fallback: '',
    about:
      'Special-purpose address ranges that hooks and channels may reach all the same, such as `10.0.0.0/8`. `bun start` opens loopback with its own database.',
  }),
  OUTBOUND_CA: setting(text, { about: 'Further trusted certificates for hooks and channels: PEM text or a path.' }),
  DNS_SERVERS: setting(listOf(nameServer), {
    fallback: '',
    about: "Name servers for the names of hooks and channels, as `ip:port`. Default: the system's.",
  }),
  DELIVERY_IN_FLIGHT: setting(integer(1, 1_000), {
    fallback: '256',
    about:
      'Requests to hooks and channels that one worker has in flight at once. A tenth is reserved for tenants that have none.',
  }),
  HOOK_RETRY_SECONDS: setting((value) => some(listOf(seconds)(value)), {
    about:
      'Delays between the attempts of a dispatch, without jitter. Default: 5 s, 1 min, 5 min, 30 min, 2 h, 5 h, 10 h, 10 h, each ± 20 %.',
  }),
  HOOK_DISABLE_SECONDS: setting(integer(1, 31_536_000), {
    fallback: '432000',
    about:
      'A hook of which no dispatch succeeded for so long is switched off by its next failure, if at least 10 failed since, over a tenth of that time. Default: 5 days.',
  }),
  AI_BASE_URL: setting(url('http', 'https'), {
    about:
      'Server of the model that compares tracks and polishes documents, with the OpenAI chat API, such as `https://api.openai.com/v1`. Redirects fail. Unset: figures alone decide.',
  }),
  AI_API_KEY: setting(text, { about: 'Key of that server, where it asks for one.' }),
  AI_MODEL: setting(text, { about: 'Name of the model. Needed with `AI_BASE_URL`.' }),
  AI_ON_FAILURE: setting(oneOf('metrics', 'fail'), {
    fallback: 'metrics',
    about: 'What becomes of a comparison when the model fails: `metrics` lets the figures decide, `fail` makes it `failed`.',
  }),
  AI_POLISH: setting(oneOf('on', 'off'), {
    fallback: 'off',
    about:
      '`on` lets that model, where one is set, word the prose of documents better; a paragraph is taken only if all of its facts are still there.',
  }),
  AI_PRICE_INPUT: setting(price, {
    fallback: '0',
    about: 'USD for a million tokens that the model reads; charged to the budgets of workspace and organization.',
  }),
  AI_PRICE_OUTPUT: setting(price, { fallback: '0', about: 'USD for a million tokens that the model writes.' }),
  AI_MAX_TOKENS: setting(integer(256, 1_000_000), {
    fallback: '4096',
    about: 'Tokens that the model may write in one call, those that it thinks with included.',
  }),
  AI_TIMEOUT_SECONDS: setting(integer(1, 600), { fallback: '60', about: 'Time for one call of the model, repeats included.' }),
  CHANNEL_RETRY_SECONDS: setting((value) => some(listOf(seconds)(value)), {
    about: 'Delays between the attempts of a notification, without jitter. Default: 5 s, 30 s, 2 min, 10 min, 1 h, each ± 20 %.',
  }),
  CHANNEL_DISABLE_SECONDS: setting(integer(0, 31_536_000), {
    fallback: '86400',
    about: 'How long all attempts of a notification channel must have failed, 20 at the least, until it is switched off.',
  }),
  RUNTIME_OFFLINE_SECONDS: setting(integer(1, 86_400), {
    fallback: '90',
    about: 'A runtime that sends no heartbeat for so long is offline.',
  }),
  RETENTION_DISPATCH_DAYS: setting(days, {
    fallback: '90',
    about: 'Dispatches and their attempts are kept for so long, and up to a week longer; what still waits is kept.',
  }),
  RETENTION_LOG_DAYS: setting(days, { fallback: '90', about: 'The same for the logs of notification channels.' }),
  RETENTION_OUTBOX_DAYS: setting(days, { fallback: '7', about: 'Events are kept for so long after they were told.' }),
  RETENTION_NOTIFICATION_DAYS: setting(days, { fallback: '180', about: 'Notifications that were read are kept for so long.' }),
  RETENTION_JOB_RUN_DAYS: setting(days, {
    fallback: '14',
    about: 'The record of what the workers ran (`ops.job_runs`) is kept for so long, and up to a day longer.',
  }),
  WORKER_CONCURRENCY: setting(integer(1, 200), {
    fallback: '20',
    about: 'Jobs that one worker runs at once, each on a connection of its own while it asks for work. Deliveries do not count.',
  }),
  DATA_DIR: setting(text, { fallback: '.data', about: '`bun start` keeps its database and its secrets here.' }),
  MAIL_PORT: setting(integer(1, 65_535), { fallback: '1025', about: 'SMTP port of the mail catcher of `bun start`.' }),
  MAIL_WEB_PORT: setting(integer(1, 65_535), { fallback: '8025', about: 'Page of the mail catcher of `bun start`.' }),
} as const satisfies Record<string, Setting<unknown>>

type Value<Entry extends Setting<unknown>> =
  | ReturnType<Entry['read']>
  | (Entry extends { required: true } | { fallback: string } ? never : undefined)

type Read = { -readonly [Name in keyof typeof SETTINGS]: Value<(typeof SETTINGS)[Name]> }

/** The settings in force, typed, with the defaults that follow from other settings filled in. */
export type Settings = Omit<Read, 'PUBLIC_URL' | 'RATE_LIMIT_BURST'> & {
  PUBLIC_URL: string
  PUBLIC_URL_IS_SET: boolean
  RATE_LIMIT_BURST: number
}

type Environment = Record<string, string | undefined>
type Name = keyof Read

/** Reads every setting. The faults name those that are wrong, and those of the needed ones that are missing. */
function readValues(environment: Environment, needed: readonly Name[]): { values: Partial<Read>; faults: string[] } {
  const faults: string[] = []
  const values: Record<string, unknown> = {}
  for (const [name, { read, ...rest }] of Object.entries<Setting<unknown>>(SETTINGS)) {
    const given = environment[name] || rest.fallback
    if (given === undefined) {
      if (rest.required && needed.includes(name as Name)) faults.push(`${name} is not set. ${rest.about}`)
      continue
    }
    try {
      values[name] = read(given)
    } catch (error) {
      if (!(error instanceof Fault)) throw error
      faults.push(`${name} must be ${error.message}.`)
    }
  }
  return { values, faults }
}

const DATABASE_SETTINGS = ['DATABASE_URL', 'DATABASE_DIRECT_URL', 'DATABASE_SSL', 'DATABASE_CA'] as const

/** What is needed to reach the database. */
export type DatabaseSettings = Pick<Read, (typeof DATABASE_SETTINGS)[number]>

/**
 * Reads what is needed to reach the database. Other settings may be missing, but none may be wrong: a release finds
 * that before the processes that need them start.
 *
 * @throws {SettingsError} naming every setting that is wrong, and `DATABASE_URL` if it is missing.
 */
export function readDatabaseSettings(environment: Environment): DatabaseSettings {
  const { values, faults } = readValues(environment, DATABASE_SETTINGS)
  if (faults.length > 0) throw new SettingsError(faults)
  return values as DatabaseSettings
}

/**
 * Reads the whole environment; a setting that is empty counts as unset.
 *
 * @throws {SettingsError} naming every setting that is missing or wrong.
 */
export function readSettings(environment: Environment): Settings {
  const { values, faults } = readValues(environment, Object.keys(SETTINGS) as Name[])
  const settings = values as Read
  if (settings.EMAIL_VERIFICATION === 'required' && settings.SMTP_URL === undefined && !environment.SMTP_URL) {
    faults.push('SMTP_URL is not set, but EMAIL_VERIFICATION is required: set where mail goes out, or EMAIL_VERIFICATION=off.')
  }
  if (environment.AI_BASE_URL || environment.AI_MODEL || environment.AI_API_KEY) {
    for (const name of ['AI_BASE_URL', 'AI_MODEL'] as const) {
      if (!environment[name]) faults.push(`${name} is not set: a model needs both AI_BASE_URL and AI_MODEL.`)
    }
  }
  if (faults.length > 0) throw new SettingsError(faults)
  return {
    ...settings,
    PUBLIC_URL_IS_SET: settings.PUBLIC_URL !== undefined,
    PUBLIC_URL: settings.PUBLIC_URL ?? `http://localhost:${settings.PORT}`,
    RATE_LIMIT_BURST: settings.RATE_LIMIT_BURST ?? Math.max(1, settings.RATE_LIMIT * 2),
  }
}
