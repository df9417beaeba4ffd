/** Exchanges the codes of authorizations, at the URL that the operator configured. */
import { config } from '../../core/platform/config.ts'
import { Problem } from '../problems.ts'

const TIMEOUT_MS = 10_000

type Json = Record<string, unknown>

/** @throws Error that says what Slack did instead */
async function exchange(method: string, code: string, redirect_uri: string): Promise<Json> {
  const { SLACK_CLIENT_ID: client_id = '', SLACK_CLIENT_SECRET: client_secret = '' } = config
  let status: number
  let answer: Json
  try {
    const response = await fetch(`${config.SLACK_API_URL.replace(/\/+$/, '')}/${method}`, {
      method: 'POST',
      body: new URLSearchParams({ code, client_id, client_secret, redirect_uri, grant_type: 'authorization_code' }),
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    status = response.status
    answer = Object(await response.json())
  } catch {
    throw new Error('it did not respond as documented')
  }
  const { ok, error } = answer
  if (status !== 200) throw new Error(`it answered with status ${status}`)
  if (ok !== true) throw new Error(typeof error === 'string' && /^[a-z_]{1,60}$/.test(error) ? error : 'it gave no reason')
  return answer
}

const whyOf = (error: unknown): string => (error instanceof Error ? error.message : 'unknown')

/**
 * Exchanges a code for a bot token (https://docs.slack.dev/reference/methods/oauth.v2.access).
 *
 * @param redirect_uri as in the link that led to Slack
 * @throws Problem `slack_not_added`
 */
export async function exchangeForBotToken(code: string, redirect_uri: string): Promise<string> {
  try {
    const { access_token } = await exchange('oauth.v2.access', code, redirect_uri)
    if (typeof access_token === 'string' && /^xoxb-[A-Za-z0-9-]{1,250}$/.test(access_token)) return access_token
    throw new Error('it sent another token')
  } catch (error) {
    throw new Problem('slack_not_added', `Slack did not issue a bot token: ${whyOf(error)}. Try again.`)
  }
}

/** The claims of an id token of Slack. */
export type Claims = Json

/**
 * Exchanges a code for the claims of an id token (https://docs.slack.dev/reference/methods/openid.connect.token). Its signature is not
 * checked: it comes straight from the issuer, over TLS whose certificate is checked, in answer to our secret (OpenID Connect Core,
 * section 3.1.3.7, number 6). No browser has carried it.
 *
 * @param redirect_uri as in the link that led to Slack
 * @throws Problem `slack_not_linked`
 */
export async function exchangeForClaims(code: string, redirect_uri: string): Promise<Claims> {
  try {
    const { id_token } = await exchange('openid.connect.token', code, redirect_uri)
    const [, payload = ''] = typeof id_token === 'string' ? id_token.split('.') : []
    return claimsIn(payload)
  } catch (error) {
    throw new Problem('slack_not_linked', `Slack did not say who you are: ${whyOf(error)}. Click in Slack again for a new link.`)
  }
}

function claimsIn(payload: string): Claims {
  try {
    return Object(JSON.parse(Buffer.from(payload, 'base64url').toString()))
  } catch {
    throw new Error('it sent no id token')
  }
}
