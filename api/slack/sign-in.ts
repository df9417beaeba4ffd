/**
 * Sign in with Slack (OpenID Connect, https://docs.slack.dev/authentication/sign-in-with-slack): proves that the person who opened a
 * link in a browser holds the Slack account that the link is for. A person who got the link from someone else does not.
 */

import { epochSeconds } from '../../core/platform/clock.ts'
import { config } from '../../core/platform/config.ts'
import { sql } from '../../core/platform/database.ts'
import { equalInConstantTime } from '../../core/security/tokens.ts'
import { transactionWith } from '../plugins/confirm-access.ts'
import type { SignedIn } from '../plugins/request-context.ts'
import { Problem } from '../problems.ts'
import { findSlackLink, linkSlackAccount, type SlackAccount } from '../users/identities.ts'
import { type Claims, exchangeForClaims } from './exchange.ts'
import { makeState, noncesOf, readState } from './states.ts'

/** Below the path of "Add to Slack", so that the redirect URL of the operator's app covers both. */
export const CALLBACK = '/slack/oauth/link'

const redirectUri = (): string => `${config.PUBLIC_URL}${CALLBACK}`

/** Whether the operator's Slack app can tell who a person is. */
export const isSignInConfigured = (): boolean => Boolean(config.SLACK_CLIENT_ID && config.SLACK_CLIENT_SECRET)

/** Where a person proves that a Slack account is theirs. The state is bound to their session and to the link. */
export function signInUrl(by: SignedIn, link_hash: Buffer, { team_id }: SlackAccount): string {
  const state = makeState('sign in', [by.session_id, link_hash.toString('hex')])
  const url = new URL('/openid/connect/authorize', config.SLACK_API_URL)
  url.search = new URLSearchParams({
    response_type: 'code',
    scope: 'openid',
    client_id: config.SLACK_CLIENT_ID ?? '',
    state,
    nonce: noncesOf(state)[0] ?? '',
    redirect_uri: redirectUri(),
    // The id of an enterprise is none of a team.
    ...(team_id.startsWith('T') ? { team: team_id } : {}),
  }).toString()
  return url.href
}

const SLACK = 'https://slack.com'

const isNonce = (nonce: unknown, state: string): boolean =>
  typeof nonce === 'string' && noncesOf(state).some((each) => equalInConstantTime(nonce, each))

/** Whether an id token was issued now, by Slack, to this service, for this state. */
function isFor({ iss, aud, exp, nonce }: Claims, state: string): boolean {
  const issuers = [SLACK, new URL(config.SLACK_API_URL).origin]
  return (
    issuers.includes(String(iss)) &&
    aud === config.SLACK_CLIENT_ID &&
    typeof exp === 'number' &&
    exp > epochSeconds() &&
    isNonce(nonce, state)
  )
}

/** Whether an id token is about a Slack account. A click may name the enterprise of a person instead of the team. */
const isAbout = (claims: Claims, { team_id, external_id }: SlackAccount): boolean =>
  claims[`${SLACK}/user_id`] === external_id && [claims[`${SLACK}/team_id`], claims[`${SLACK}/enterprise_id`]].includes(team_id)

/**
 * Links the Slack account of a link to the person who signed in with it.
 *
 * @param by the person to whose browser Slack sent the code
 * @throws Problem `slack_not_linked`, `link_expired`, `identity_mismatch`, `identity_taken`
 */
export async function completeSignIn(by: SignedIn, { code, state }: { code: string; state: string }): Promise<void> {
  const found = isSignInConfigured() ? readState('sign in', state) : null
  const [session_id, hash = ''] = found?.ids ?? []
  if (session_id !== by.session_id || code === '') {
    throw new Problem(
      'slack_not_linked',
      'This sign-in has expired, or was begun in another session. Click in Slack again for a new link.',
    )
  }
  const link_hash = Buffer.from(hash, 'hex')
  const link = await findSlackLink(sql, link_hash)
  const claims = await exchangeForClaims(code, redirectUri())
  if (!isFor(claims, state)) {
    throw new Problem('slack_not_linked', 'Slack answered for another sign-in. Click in Slack again for a new link.')
  }
  if (!isAbout(claims, link)) {
    throw new Problem(
      'identity_mismatch',
      'You signed in to Slack as someone else than who clicked. If someone sent you the link, do not use it: it is meant for them.',
    )
  }
  await transactionWith({ caller: by, resource: null, required_role: null }, (tx) => linkSlackAccount(tx, by, link_hash))
}
