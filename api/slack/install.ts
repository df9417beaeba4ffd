/** "Add to Slack": a person authorizes the operator's Slack app, and its bot token is stored in a channel. */

import { createHash } from 'node:crypto'
import { config } from '../../core/platform/config.ts'
import { transaction } from '../../core/platform/database.ts'
import { setConfigFields } from '../notification-channels/channels.ts'
import { visibleResource } from '../plugins/access.ts'
import { transactionWith } from '../plugins/confirm-access.ts'
import { findForCaller } from '../plugins/known-callers.ts'
import type { Caller } from '../plugins/request-context.ts'
import type { Resource } from '../plugins/resources.ts'
import { insufficientRole, notFound, Problem } from '../problems.ts'
import { hasAtLeast } from '../roles.ts'
import { exchangeForBotToken } from './exchange.ts'
import { makeState, readState } from './states.ts'

const SCOPES = 'chat:write,chat:write.public'

const redirectUri = (): string => `${config.PUBLIC_URL}/slack/oauth`

/**
 * The link that leads a person to Slack, to authorize the app for a channel. Making it stores nothing.
 *
 * @returns null if the operator has not configured "Add to Slack"
 */
export function installUrl(by: Pick<Caller, 'id'>, channel_id: string): string | null {
  const { SLACK_CLIENT_ID, SLACK_CLIENT_SECRET, SLACK_API_URL } = config
  if (!SLACK_CLIENT_ID || !SLACK_CLIENT_SECRET) return null
  const url = new URL('/oauth/v2/authorize', SLACK_API_URL)
  url.search = new URLSearchParams({
    client_id: SLACK_CLIENT_ID,
    scope: SCOPES,
    state: makeState('install', [by.id, channel_id]),
    redirect_uri: redirectUri(),
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

/** Uses a state up. @throws Problem `slack_not_added` if it was used before */
async function useUp(state: string, expires: number): Promise<void> {
  const hash = createHash('sha256').update(state).digest()
  const used = await transaction(
    (tx) => tx`
      insert into slack_used_states (hash, expires_at)
      values (${hash}, to_timestamp(${expires}))
      on conflict (hash) do nothing
    `,
  )
  if (used.count === 0) throw notAdded('This authorization was used before. Start again from the page of the channel.')
}

/**
 * Ends an authorization: exchanges the code, and stores the bot token in the channel that the state names.
 *
 * @param by the signed-in person to whom Slack sent the code
 * @returns the channel
 * @throws Problem `slack_not_added`, `not_found`, `forbidden`
 */
export async function completeInstall(by: Caller, { code, state }: { code: string; state: string }) {
  const found = installUrl(by, '') === null ? null : readState('install', state)
  const [user_id, channel_id = ''] = found?.ids ?? []
  if (!found || user_id !== by.id || code === '') {
    throw notAdded(
      'This authorization has expired, or belongs to another person. Start again from the page of the channel, signed in as the same person.',
    )
  }
  const channel = await channelFor(by, channel_id)
  await useUp(state, found.expires)
  const token = await exchangeForBotToken(code, redirectUri())
  // The exchange may have taken seconds.
  return transactionWith({ caller: by, resource: channel, required_role: 'admin' }, async (tx) => {
    // A channel with a webhook keeps it until its `slack_channel` is set. The token is sent only to the API that issued it.
    const issued = { bot_token: token, api_url: config.SLACK_API_URL }
    const changed = await setConfigFields(tx, by, channel, 'slack', issued)
    if (!changed) throw notAdded('This is not a Slack channel.')
    return changed
  })
}
