/** Exchanges the code of an authorization for a bot token, at the URL that the operator configured. */
import { config } from '../../core/platform/config.ts'
import { Problem } from '../problems.ts'

const TIMEOUT_MS = 10_000

const failed = (why: string): Problem => new Problem('slack_not_added', `Slack did not issue a bot token: ${why}. Try again.`)

/**
 * Exchanges a code (https://docs.slack.dev/reference/methods/oauth.v2.access).
 *
 * @param redirect_uri as in the link that led to Slack
 * @throws Problem `slack_not_added`
 */
export async function exchangeCode(code: string, redirect_uri: string): Promise<string> {
  const { SLACK_CLIENT_ID: client_id = '', SLACK_CLIENT_SECRET: client_secret = '' } = config
  let status: number
  let answer: { ok?: unknown; error?: unknown; access_token?: unknown }
  try {
    const response = await fetch(`${config.SLACK_API_URL.replace(/\/+$/, '')}/oauth.v2.access`, {
      method: 'POST',
      body: new URLSearchParams({ code, client_id, client_secret, redirect_uri }),
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    status = response.status
    answer = Object(await response.json())
  } catch {
    throw failed('it did not respond as documented')
  }
  const { ok, error, access_token } = answer
  if (status !== 200) throw failed(`it answered with status ${status}`)
  if (ok !== true) throw failed(typeof error === 'string' && /^[a-z_]{1,60}$/.test(error) ? error : 'it gave no reason')
  if (typeof access_token !== 'string' || !/^xoxb-[A-Za-z0-9-]{1,250}$/.test(access_token)) throw failed('it sent another token')
  return access_token
}
