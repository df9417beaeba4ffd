/**
 * Every setting, read from the environment by every process. `bun run generate` writes docs/settings.md and .env.example
 * from this list.
 */
import { CONNECTED_SERVICES } from './connected-services.ts'
import { combinationErrors, databaseErrors, originOf, type Setting, SettingsError, setting } from './setting-errors.ts'
import {
  baseUrl,
  certificates,
  cidr,
  days,
  host,
  InvalidSetting,
  integer,
  jwtSecret,
  listOf,
  mailbox,
  nameServer,
  nonEmpty,
  oneOf,
  origin,
  pairs,
  price,
  seconds,
  secretsKey,
  share,
  smtpUrl,
  text,
  token,
} from './setting-values.ts'
import { SIGN_ON_SETTINGS } from './sign-on-settings.ts'

export const SETTINGS = {
  DATABASE_URL: setting(text, {
    required: true,
    about: 'PostgreSQL server, version 15 or newer. If unset, `bun start` runs its own.',
  }),
  DATABASE_DIRECT_URL: setting(text, {
    about:
      'The same server without the pooler, if `DATABASE_URL` leads through one in transaction mode, such as PgBouncer. Used for LISTEN, migrations and the job queue. Default: `DATABASE_URL`.',
  }),
  DATABASE_SSL: setting(oneOf('disable', 'require', 'verify-full'), {
    about:
      'TLS to the database: `disable`, `require` (encrypts) or `verify-full` (also verifies certificate and host name). Default: `sslmode` of the URL, else `disable`.',
  }),
  DATABASE_CA: setting(certificates, {
    about: 'Certificate authority of the database server, for `verify-full`: PEM text or a path. Default: those of the system.',
  }),
  DATABASE_POOL: setting(integer(1, 100), { fallback: '8', about: 'Database connections per process.' }),
  PORT: setting(integer(1, 65_535), { fallback: '8080', about: 'Port of the API.' }),
  HOST: setting(host, {
    about: 'Address that the API listens on, such as `127.0.0.1`. Default: all addresses; with `bun start`, only loopback.',
  }),
  PUBLIC_URL: setting(origin, {
    about: 'Base URL of the links in mails, messages and alerts; passkeys belong to its host. Default: `http://localhost:$PORT`.',
  }),
  JWT_SECRET: setting((value) => nonEmpty(listOf(jwtSecret)(value)), {
    required: true,
    about: 'Signs access tokens; at least 32 characters. A comma-separated list: the first signs, all verify.',
  }),
  SECRETS_KEY: setting((value) => nonEmpty(listOf(secretsKey)(value)), {
    required: true,
    about: 'Encrypts stored secrets; 32 bytes in base64. A comma-separated list: the first encrypts, all decrypt.',
  }),
  DEVELOPMENT: setting(oneOf('on', 'off'), { fallback: 'off', about: '`on` shows `/app/-/components`. `bun run dev` sets it.' }),
  LOG_LEVEL: setting(oneOf('trace', 'debug', 'info', 'warn', 'error', 'silent'), {
    fallback: 'info',
    about: 'Lowest severity of log lines to write: `trace`, `debug`, `info`, `warn`, `error` or `silent`.',
  }),
  RATE_LIMIT: setting(integer(0, 1_000_000), {
    fallback: '100',
    about: 'Requests per second and caller; `0` turns all rate limits off.',
  }),
  RATE_LIMIT_BURST: setting(integer(1, 1_000_000), {
    about: 'Requests that a caller may send in a burst. Default: twice `RATE_LIMIT`.',
  }),
  INVITATIONS_PER_DAY: setting(integer(1, 1_000_000), {
    fallback: '50',
    about: 'Invitations that an account may mail per day, and people that it may add. With `RATE_LIMIT=0` there is no limit.',
  }),
  TRUST_PROXY: setting(integer(0, 10), {
    fallback: '0',
    about:
      'Number of proxies in front of the API. With n proxies, the client is the n-th address from the right in `X-Forwarded-For`, or the peer if that is not an address.',
  }),
  METRICS_TOKEN: setting(token, {
    about: 'Bearer token that clients of `/metrics` must send. If unset, only loopback may read it, and not through a proxy.',
  }),
  OTEL_EXPORTER_OTLP_ENDPOINT: setting(baseUrl, {
    about: 'OTLP/HTTP endpoint that traces are exported to, such as `http://localhost:4318`. If unset, traces are not exported.',
  }),
  OTEL_EXPORTER_OTLP_PROTOCOL: setting(oneOf('http/protobuf', 'http/json'), {
    fallback: 'http/protobuf',
    about: 'Encoding of exported traces: `http/protobuf` or `http/json`.',
  }),
  OTEL_EXPORTER_OTLP_HEADERS: setting(pairs, { about: 'Headers of export requests, as `name=value` separated by commas.' }),
  OTEL_SERVICE_NAME: setting(text, { about: 'Service name in traces. Default: `signalbox-api` and `signalbox-worker`.' }),
  OTEL_RESOURCE_ATTRIBUTES: setting(pairs, {
    about: 'Further resource attributes in traces: `name=value`, separated by commas.',
  }),
  OTEL_TRACES_SAMPLER_ARG: setting(share, {
    about:
      "Fraction of traces to export, from 0 to 1. A trace that the caller started follows the caller's decision. Default: all.",
  }),
  CORS_ORIGINS: setting(listOf(origin), {
    fallback: '',
    about: 'Origins, separated by commas, whose web pages may call the API.',
  }),
  EMAIL_VERIFICATION: setting(oneOf('required', 'off'), {
    fallback: 'required',
    about: '`off` treats every e-mail address as verified. `bun start` sets this when it runs its own database.',
  }),
  REGISTRATION: setting(oneOf('open', 'closed'), {
    fallback: 'open',
    about: 'With `closed`, only invited e-mail addresses can register.',
  }),
  ...SIGN_ON_SETTINGS,
  SMTP_URL: setting(smtpUrl, {
    about: 'Mail server, such as `smtps://user:password@mail.example.com`. Required while `EMAIL_VERIFICATION` is `required`.',
  }),
  MAIL_FROM: setting(mailbox, { fallback: 'Signalbox <signalbox@localhost>', about: 'Sender of mails.' }),
  OUTBOUND_ALLOW: setting(listOf(cidr), {
    fallback: '',
    about:
      'Special-purpose address ranges that hooks, channels and issuers may reach, such as `10.0.0.0/8`. `bun start` allows loopback when it runs its own database.',
  }),
  OUTBOUND_CA: setting(certificates, {
    about: 'More certificate authorities for hooks, channels and issuers: PEM text or a path.',
  }),
  DNS_SERVERS: setting(listOf(nameServer), {
    fallback: '',
    about:
      'Name servers that resolve the host names of hooks, channels and issuers, and the records of domains, as `ip:port`. Default: those of the system.',
  }),
  DELIVERY_IN_FLIGHT: setting(integer(1, 1_000), {
    fallback: '256',
    about:
      'Requests to hooks and channels that one worker may have in flight. A quarter of them is reserved for tenants that have none.',
  }),
  HOOK_RETRY_SECONDS: setting((value) => nonEmpty(listOf(seconds)(value)), {
    about:
      'Delays between the attempts of a dispatch, without jitter. Default: 5 s, 1 min, 5 min, 30 min, 2 h, 5 h, 10 h, 10 h, each ± 20%.',
  }),
  HOOK_DISABLE_SECONDS: setting(integer(1, 31_536_000), {
    fallback: '432000',
    about:
      'A hook is disabled when no dispatch has succeeded for this long and at least 10 attempts have failed, the first and last of them at least a tenth of this time apart. Default: 5 days.',
  }),
  AI_BASE_URL: setting(baseUrl, {
    about:
      "API of the AI model that compares tracks; must be compatible with OpenAI's chat API, such as `https://api.openai.com/v1`. Redirects are not followed; a proxy named by `HTTP_PROXY`, `HTTPS_PROXY` and `NO_PROXY` is used. If unset, tracks are compared by their metrics alone.",
  }),
  AI_API_KEY: setting(token, { about: 'API key for `AI_BASE_URL`, if it requires one.' }),
  AI_MODEL: setting(text, { about: 'Name of the model. Required with `AI_BASE_URL`.' }),
  AI_ON_FAILURE: setting(oneOf('metrics', 'fail'), {
    fallback: 'metrics',
    about:
      'When the model fails to compare two tracks: `metrics` compares them by their metrics, `fail` marks the comparison as `failed`.',
  }),
  AI_PRICE_INPUT: setting(price, {
    fallback: '0',
    about: 'USD per million input tokens, charged to the budgets of workspace and organization.',
  }),
  AI_PRICE_OUTPUT: setting(price, { fallback: '0', about: 'USD per million output tokens.' }),
  AI_MAX_TOKENS: setting(integer(256, 1_000_000), {
    fallback: '4096',
    about: 'Maximum output tokens of one model call, including reasoning tokens.',
  }),
  AI_TIMEOUT_SECONDS: setting(integer(1, 600), { fallback: '60', about: 'Time limit of one model call, including retries.' }),
  CHANNEL_RETRY_SECONDS: setting((value) => nonEmpty(listOf(seconds)(value)), {
    about: 'Delays between the attempts of a message, without jitter. Default: 5 s, 30 s, 2 min, 10 min, 1 h, each ± 20%.',
  }),
  CHANNEL_DISABLE_SECONDS: setting(integer(0, 31_536_000), {
    fallback: '86400',
    about: 'A notification channel is disabled when all of its attempts have failed for this long, and at least 20 of them.',
  }),
  ...CONNECTED_SERVICES,
  RUNTIME_OFFLINE_SECONDS: setting(integer(1, 86_400), {
    fallback: '90',
    about: 'A runtime is offline after this long without a heartbeat.',
  }),
  RETENTION_DISPATCH_DAYS: setting(days, {
    fallback: '90',
    about: 'Days that dispatches and their attempts are kept; up to 7 more. Pending dispatches are always kept.',
  }),
  RETENTION_ROLLOUT_DAYS: setting(integer(31, 3_650), {
    fallback: '1825',
    about:
      'Days that reported rollouts are kept, beyond their dispatches, and the record of which subject ran where. What runs in an environment is always kept.',
  }),
  RETENTION_LOG_DAYS: setting(days, {
    fallback: '90',
    about: 'How long the logs of notification channels are kept, and up to a week longer.',
  }),
  RETENTION_OUTBOX_DAYS: setting(days, {
    fallback: '7',
    about: 'How long events are kept, unless they still wait to be fanned out.',
  }),
  RETENTION_NOTIFICATION_DAYS: setting(days, { fallback: '180', about: 'How long notifications are kept after they were read.' }),
  RETENTION_JOB_RUN_DAYS: setting(days, {
    fallback: '14',
    about: 'How long the history of job runs (`ops.job_runs`) is kept, and up to a day longer.',
  }),
  WORKER_CONCURRENCY: setting(integer(1, 200), {
    fallback: '20',
    about:
      'Jobs that one worker runs at once. Each needs a database connection while the worker fetches it. Deliveries do not count.',
  }),
  DATA_DIR: setting(text, { fallback: '.data', about: 'Folder in which `bun start` keeps its database and secrets.' }),
  MAIL_PORT: setting(integer(1, 65_535), { fallback: '1025', about: 'SMTP port of the mail catcher of `bun start`.' }),
  MAIL_WEB_PORT: setting(integer(1, 65_535), {
    fallback: '8025',
    about: 'Port of the web page that shows the mails caught by `bun start`.',
  }),
} as const satisfies Record<string, Setting<unknown>>

type Value<Entry extends Setting<unknown>> =
  | ReturnType<Entry['read']>
  | (Entry extends { required: true } | { fallback: string } ? never : undefined)

type Read = { -readonly [Name in keyof typeof SETTINGS]: Value<(typeof SETTINGS)[Name]> }

/** The parsed settings, with defaults that depend on other settings. */
export type Settings = Omit<Read, 'PUBLIC_URL' | 'RATE_LIMIT_BURST'> & {
  PUBLIC_URL: string
  PUBLIC_URL_IS_SET: boolean
  RATE_LIMIT_BURST: number
}

type Environment = Record<string, string | undefined>
type Name = keyof Read

const DATABASE_SETTINGS = ['DATABASE_URL', 'DATABASE_DIRECT_URL', 'DATABASE_SSL', 'DATABASE_CA'] as const
/** What the mail catcher of `bun start` uses. */
export const MAIL_CATCHER_SETTINGS = ['MAIL_PORT', 'MAIL_WEB_PORT'] as const

const ALL = Object.keys(SETTINGS) as Name[]
/** What the processes of the service use. */
const SERVICE_SETTINGS = ALL.filter((name) => !['DATA_DIR', ...MAIL_CATCHER_SETTINGS].includes(name))

/**
 * Parses settings. Reports invalid ones of `used`, of which the others get their defaults, and those of `needed` that are required
 * and missing.
 */
function readValues(environment: Environment, needed: readonly Name[], used: readonly Name[]) {
  const errors: string[] = []
  const values: Record<string, unknown> = {}
  for (const [name, { read, ...rest }] of Object.entries<Setting<unknown>>(SETTINGS)) {
    const given = (used.includes(name as Name) && environment[name]?.trim()) || rest.fallback
    if (given === undefined) {
      if (rest.required && needed.includes(name as Name)) errors.push(`${name} is not set. ${rest.about}`)
      continue
    }
    try {
      values[name] = read(given)
    } catch (error) {
      if (!(error instanceof InvalidSetting)) throw error
      errors.push(`${name} must be ${error.message}.${originOf(given)}`)
    }
  }
  return { values, errors: [...errors, ...databaseErrors(values)] }
}

/** The settings for connections to the database, and the key of what is stored in it if that is known. */
export type DatabaseSettings = Pick<Read, (typeof DATABASE_SETTINGS)[number]> & Partial<Pick<Read, 'SECRETS_KEY'>>

/**
 * Reads the settings for connections to the database.
 *
 * @param used those that must not be invalid: of a release all of the service, so that it finds errors before its processes start
 * @throws {SettingsError} listing all invalid settings, and `DATABASE_URL` if it is missing.
 */
export function readDatabaseSettings(environment: Environment, used: readonly Name[] = SERVICE_SETTINGS): DatabaseSettings {
  const { values, errors } = readValues(environment, DATABASE_SETTINGS, used)
  if (errors.length > 0) throw new SettingsError(errors)
  return values as DatabaseSettings
}

export const readConnectionSettings = (environment: Environment): DatabaseSettings =>
  readDatabaseSettings(environment, DATABASE_SETTINGS)

/**
 * Reads the settings of the service. An empty setting counts as unset.
 *
 * @param others settings that this process uses as well
 * @throws {SettingsError} listing all missing and invalid settings.
 */
export function readSettings(environment: Environment, others: readonly Name[] = []): Settings {
  const { values, errors } = readValues(environment, ALL, [...SERVICE_SETTINGS, ...others])
  const settings = values as Read
  errors.push(...combinationErrors(settings, environment))
  if (errors.length > 0) throw new SettingsError(errors)
  return {
    ...settings,
    PUBLIC_URL_IS_SET: settings.PUBLIC_URL !== undefined,
    PUBLIC_URL: settings.PUBLIC_URL ?? `http://localhost:${settings.PORT}`,
    RATE_LIMIT_BURST: settings.RATE_LIMIT_BURST ?? Math.max(1, settings.RATE_LIMIT * 2),
  }
}
