/** What is wrong with settings. */
import { InvalidDatabaseUrl, isMarkedAsPooled, targetOf } from '../../sql/target.ts'
import { missingClaim } from '../values/openid-issuers.ts'
import { isOwnComputer } from '../values/web-addresses.ts'

/** Lists all errors of an environment at once. */
export class SettingsError extends Error {
  constructor(readonly errors: string[]) {
    super(
      `Signalbox cannot start: ${errors.length} invalid setting${errors.length === 1 ? '' : 's'}\n${errors.map((error) => `  - ${error}`).join('\n')}`,
    )
    this.name = 'SettingsError'
  }
}

export interface Setting<Value> {
  /** Parses the text from the environment. Throws `InvalidSetting`. */
  read: (value: string) => Value
  /** The default, as text for `read`. If absent, the default is undefined. */
  fallback?: string
  required?: boolean
  /** One sentence or two for docs/settings.md and .env.example, as Markdown. */
  about: string
}

export const setting = <Value, const Rest extends Omit<Setting<Value>, 'read'>>(read: (value: string) => Value, rest: Rest) => ({
  read,
  ...rest,
})

/** Where a value comes from that the operator did not set. */
export const originOf = (value: string): string =>
  /^(tcp|udp|sctp):\/\//.test(value)
    ? ' Kubernetes and Docker set such a value for a service of that name: rename the service, or set enableServiceLinks: false for the pod.'
    : ''

interface DatabaseUrls {
  DATABASE_URL?: string
  DATABASE_DIRECT_URL?: string
  DATABASE_SSL?: 'disable' | 'require' | 'verify-full'
  DATABASE_CA?: string
}

/** What is wrong with the URLs of the database, each of which depends on other settings. */
export function databaseErrors(settings: DatabaseUrls): string[] {
  const { DATABASE_SSL: mode, DATABASE_CA: ca, DATABASE_DIRECT_URL } = settings
  const direct = DATABASE_DIRECT_URL === undefined ? 'DATABASE_URL' : 'DATABASE_DIRECT_URL'
  const errors: string[] = []
  for (const name of ['DATABASE_URL', 'DATABASE_DIRECT_URL'] as const) {
    const url = settings[name]
    if (url === undefined) continue
    try {
      targetOf(url, { mode, ca })
    } catch (error) {
      if (!(error instanceof InvalidDatabaseUrl)) throw error
      errors.push(`${name} must be ${error.message}.${originOf(url)}`)
    }
    if (name === direct && isMarkedAsPooled(url))
      errors.push(
        `${name} leads through a pooler in transaction mode (pgbouncer=true). Set DATABASE_DIRECT_URL to the server, or to a pooler in session mode.`,
      )
  }
  return errors
}

interface Combined {
  EMAIL_VERIFICATION?: 'required' | 'off'
  OPERATORS?: string[]
  PUBLIC_URL?: string
  SLACK_CLIENT_ID?: string
  SLACK_CLIENT_SECRET?: string
  SIGN_IN?: 'any' | 'sso'
  OIDC_ISSUER?: string
  OIDC_CLAIMS?: Record<string, string[]>
}

const OIDC = ['OIDC_ISSUER', 'OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET'] as const

/** What is missing for single sign-on. */
function signOnErrors({ SIGN_IN, OIDC_ISSUER, OIDC_CLAIMS = {} }: Combined, isSet: (name: string) => boolean): string[] {
  const missing = OIDC.filter((name) => !isSet(name))
  if (missing.length === OIDC.length)
    return SIGN_IN === 'sso' ? [`OIDC_ISSUER is not set, but SIGN_IN is sso, which needs ${OIDC.join(', ')}.`] : []
  if (missing.length > 0) return missing.map((name) => `${name} is not set. Single sign-on needs ${OIDC.join(', ')}.`)
  const claim = OIDC_ISSUER === undefined ? null : missingClaim(OIDC_ISSUER, OIDC_CLAIMS)
  return claim === null
    ? []
    : [`OIDC_CLAIMS must name ${claim}: anyone can have an account at ${OIDC_ISSUER}, and could sign in.`]
}

/** What other settings require and is missing. */
export function combinationErrors(settings: Combined, environment: Record<string, string | undefined>): string[] {
  const errors: string[] = []
  const isSet = (name: string): boolean => Boolean(environment[name]?.trim())
  if (settings.EMAIL_VERIFICATION === 'required' && !isSet('SMTP_URL')) {
    errors.push('SMTP_URL is not set, but EMAIL_VERIFICATION is required. Set SMTP_URL, or EMAIL_VERIFICATION=off.')
  }
  const isLocal = isOwnComputer(settings.PUBLIC_URL ?? 'http://localhost')
  if ((settings.OPERATORS ?? []).length > 0 && settings.EMAIL_VERIFICATION === 'off' && !isLocal) {
    errors.push(
      'OPERATORS is set, but EMAIL_VERIFICATION is off: anyone could register with the address of an operator. Set EMAIL_VERIFICATION=required, or remove OPERATORS.',
    )
  }
  if (isSet('AI_BASE_URL') || isSet('AI_MODEL') || isSet('AI_API_KEY')) {
    for (const name of ['AI_BASE_URL', 'AI_MODEL'] as const) {
      if (!isSet(name)) errors.push(`${name} is not set. A model needs both AI_BASE_URL and AI_MODEL.`)
    }
  }
  if ((settings.SLACK_CLIENT_ID === undefined) !== (settings.SLACK_CLIENT_SECRET === undefined)) {
    const missing = settings.SLACK_CLIENT_ID === undefined ? 'SLACK_CLIENT_ID' : 'SLACK_CLIENT_SECRET'
    errors.push(`${missing} is not set. Slack needs both SLACK_CLIENT_ID and SLACK_CLIENT_SECRET.`)
  }
  errors.push(...signOnErrors(settings, isSet))
  return errors
}
