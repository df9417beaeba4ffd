/**
 * Authorizations by Slack, whose codes are exchanged at the URL that the operator configured: "Add to Slack", by which the bot token of the
 * operator's app is stored in a channel; and sign in with Slack (OpenID Connect,
 * https://docs.slack.dev/authentication/sign-in-with-slack), which proves that the person who opened a link in a browser holds the Slack
 * account that the link is for. A person who got the link from someone else does not.
 */
import { epochSeconds } from '../../core/platform/clock.ts'
import { config } from '../../core/platform/config.ts'
import { sql } from '../../core/platform/database.ts'
import { equalInConstantTime } from '../../core/security/tokens.ts'
import { originOf } from '../../core/values/web-addresses.ts'
import { derivedFrom, makeState, readState, useUp } from '../credentials/signed-states.ts'
import { setConfigFields } from '../notification-channels/channels.ts'
import { visibleResource } from '../plugins/access.ts'
import { transactionWith } from '../plugins/confirm-access.ts'
import { findForCaller } from '../plugins/known-callers.ts'
import type { Caller, SignedIn } from '../plugins/request-context.ts'
import type { Resource } from '../plugins/resources.ts'
import { insufficientRole, notFound, Problem } from '../problems.ts'
import { hasAtLeast } from '../roles.ts'
import { findSlackLink, linkSlackAccount, type SlackAccount } from '../users/identities.ts'

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
 * @param redirect_uri as in the link that led to Slack
 * @throws Problem `slack_not_added`
 */
async function exchangeForBotToken(code: string, redirect_uri: string): Promise<string> {
  try {
    const { access_token } = await exchange('oauth.v2.access', code, redirect_uri)
    if (typeof access_token === 'string' && /^xoxb-[A-Za-z0-9-]{1,250}$/.test(access_token)) return access_token
    throw new Error('it sent another token')
  } catch (error) {
    throw new Problem('slack_not_added', `Slack did not issue a bot token: ${whyOf(error)}. Try again.`)
  }
}

type Claims = Json

/**
 * Exchanges a code for the claims of an id token (https://docs.slack.dev/reference/methods/openid.connect.token). Its signature is not
 * checked: it comes straight from the issuer, over TLS whose certificate is checked, in answer to our secret (OpenID Connect Core,
 * section 3.1.3.7, number 6). No browser has carried it.
 * @param redirect_uri as in the link that led to Slack
 * @throws Problem `slack_not_linked`
 */
async function exchangeForClaims(code: string, redirect_uri: string): Promise<Claims> {
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

const STATE_SECONDS = 600

/** The purposes of states, and of the nonce that Slack repeats in the id token. */
const INSTALL = 'slack install'
const SIGN_IN = 'slack sign in'
const NONCE = 'slack nonce'

const SCOPES = 'chat:write,chat:write.public'

const installUri = (): string => `${config.PUBLIC_URL}/slack/oauth`

/**
 * The link that leads a person to Slack, to authorize the app for a channel. Making it stores nothing.
 * @returns null if the operator has not configured "Add to Slack"
 */
export function installUrl(by: Pick<Caller, 'id'>, channel_id: string): string | null {
  const { SLACK_CLIENT_ID, SLACK_CLIENT_SECRET, SLACK_API_URL } = config
  if (!SLACK_CLIENT_ID || !SLACK_CLIENT_SECRET) return null
  const url = new URL('/oauth/v2/authorize', SLACK_API_URL)
  url.search = new URLSearchParams({
    client_id: SLACK_CLIENT_ID,
    scope: SCOPES,
    state: makeState(INSTALL, [by.id, channel_id], STATE_SECONDS),
    redirect_uri: installUri(),
  }).toString()
  return url.href
}

const notAdded = (detail: string): Problem => new Problem('slack_not_added', detail)

/** The channel, if the person may change it. @throws Problem `not_found`, `forbidden`, `second_factor_required` */
async function channelFor(by: Caller, channel_id: string): Promise<Resource<'channel'>> {
  const found = await findForCaller(by, 'channel', channel_id)
  const channel = found && visibleResource('channel', found, {})
  if (!channel) throw notFound('channel')
  if (!hasAtLeast(channel.role, 'admin')) throw insufficientRole('admin', channel.role, 'workspace')
  return channel
}

/**
 * Ends an authorization: exchanges the code, and stores the bot token in the channel that the state names.
 * @param by the signed-in person to whom Slack sent the code
 * @returns the channel
 * @throws Problem `slack_not_added`, `not_found`, `forbidden`
 */
export async function completeInstall(by: Caller, { code, state }: { code: string; state: string }) {
  const found = installUrl(by, '') === null ? null : readState(INSTALL, state)
  const [user_id, channel_id = ''] = found?.ids ?? []
  if (!found || user_id !== by.id || code === '') {
    throw notAdded(
      'This authorization has expired, or belongs to another person. Start again from the page of the channel, signed in as the same person.',
    )
  }
  const channel = await channelFor(by, channel_id)
  if (!(await useUp(state, found.expires)))
    throw notAdded('This authorization was used before. Start again from the page of the channel.')
  const token = await exchangeForBotToken(code, installUri())
  // The exchange may have taken seconds.
  return transactionWith({ caller: by, resource: channel, required_role: 'admin' }, async (tx) => {
    // A channel with a webhook keeps it until its `slack_channel` is set. The token is sent only to the API that issued it.
    const issued = { bot_token: token, api_url: config.SLACK_API_URL }
    const changed = await setConfigFields(tx, by, channel, 'slack', issued)
    if (!changed) throw notAdded('This is not a Slack channel.')
    return changed
  })
}

/** Below the path of "Add to Slack", so that the redirect URL of the operator's app covers both. */
export const CALLBACK = '/slack/oauth/link'

const signInUri = (): string => `${config.PUBLIC_URL}${CALLBACK}`

export const isSignInConfigured = (): boolean => Boolean(config.SLACK_CLIENT_ID && config.SLACK_CLIENT_SECRET)

/** Where a person proves that a Slack account is theirs. The state is bound to their session and to the link. */
export function signInUrl(by: SignedIn, link_hash: Buffer, { team_id }: SlackAccount): string {
  const state = makeState(SIGN_IN, [by.session_id, link_hash.toString('hex')], STATE_SECONDS)
  const url = new URL('/openid/connect/authorize', config.SLACK_API_URL)
  url.search = new URLSearchParams({
    response_type: 'code',
    scope: 'openid',
    client_id: config.SLACK_CLIENT_ID ?? '',
    state,
    nonce: derivedFrom(NONCE, state),
    redirect_uri: signInUri(),
    // The id of an enterprise is none of a team.
    ...(team_id.startsWith('T') ? { team: team_id } : {}),
  }).toString()
  return url.href
}

const SLACK = 'https://slack.com'

/** Whether an id token was issued now, by Slack, to this service, with a nonce. */
function isFor({ iss, aud, exp, nonce }: Claims, expected: string): boolean {
  const issuers = [SLACK, originOf(config.SLACK_API_URL)]
  return (
    issuers.includes(String(iss)) &&
    aud === config.SLACK_CLIENT_ID &&
    typeof exp === 'number' &&
    exp > epochSeconds() &&
    typeof nonce === 'string' &&
    equalInConstantTime(nonce, expected)
  )
}

/** Whether an id token is about a Slack account. A click may name the enterprise of a person instead of the team. */
const isAbout = (claims: Claims, { team_id, external_id }: SlackAccount): boolean =>
  claims[`${SLACK}/user_id`] === external_id && [claims[`${SLACK}/team_id`], claims[`${SLACK}/enterprise_id`]].includes(team_id)

/**
 * Links the Slack account of a link to the person who signed in with it.
 * @param by the person to whose browser Slack sent the code
 * @throws Problem `slack_not_linked`, `link_expired`, `identity_mismatch`, `identity_taken`
 */
export async function completeSignIn(by: SignedIn, { code, state }: { code: string; state: string }): Promise<void> {
  const found = isSignInConfigured() ? readState(SIGN_IN, state) : null
  const [session_id, hash = ''] = found?.ids ?? []
  if (!found || session_id !== by.session_id || code === '') {
    const detail = 'This sign-in has expired, or was begun in another session. Click in Slack again for a new link.'
    throw new Problem('slack_not_linked', detail)
  }
  const link_hash = Buffer.from(hash, 'hex')
  const link = await findSlackLink(sql, link_hash)
  const claims = await exchangeForClaims(code, signInUri())
  if (!isFor(claims, found.derived(NONCE)))
    throw new Problem('slack_not_linked', 'Slack answered for another sign-in. Click in Slack again for a new link.')
  if (!isAbout(claims, link)) {
    const detail =
      'You signed in to Slack as someone else than who clicked. If someone sent you the link, do not use it: it is meant for them.'
    throw new Problem('identity_mismatch', detail)
  }
  await transactionWith({ caller: by, resource: null, required_role: null }, (tx) => linkSlackAccount(tx, by, link_hash))
}
