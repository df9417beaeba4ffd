/** "Add to Slack": a person authorizes the operator's Slack app, and its bot token is stored in a channel. */
import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { epochSeconds } from '../../core/platform/clock.ts'
import { config } from '../../core/platform/config.ts'
import { transaction } from '../../core/platform/database.ts'
import { hasAtLeast } from '../members/roles.ts'
import { storeBotToken } from '../notification-channels/channels.ts'
import { findForCaller, roleAt } from '../plugins/callers.ts'
import { transactionWith } from '../plugins/confirm-access.ts'
import type { Caller, WorkspaceResource } from '../plugins/request-context.ts'
import { insufficientRole, notFound, Problem } from '../problems.ts'
import { exchangeCode } from './exchange.ts'

const SCOPES = 'chat:write,chat:write.public'
const STATE_SECONDS = 600

const redirectUri = (): string => `${config.PUBLIC_URL}/slack/oauth`

const signed = (text: string, secret: string): Buffer =>
  createHmac('sha256', createHmac('sha256', secret).update('signalbox slack state').digest()).update(text).digest()

/** The state of an authorization: for one person and one channel, for ten minutes. Not stored before it is used. */
function stateFor(user_id: string, channel_id: string): string {
  const text = [user_id, channel_id, epochSeconds() + STATE_SECONDS, randomBytes(16).toString('base64url')].join('.')
  const [secret = ''] = config.JWT_SECRET
  return `${text}.${signed(text, secret).toString('base64url')}`
}

interface State {
  user_id: string
  channel_id: string
  /** Seconds since 1970. */
  expires: number
}

function readState(state: string): State | null {
  const at = state.lastIndexOf('.')
  const [text, given] = [state.slice(0, Math.max(at, 0)), Buffer.from(state.slice(at + 1), 'base64url')]
  const isValid = config.JWT_SECRET.some((secret) => {
    const expected = signed(text, secret)
    return expected.length === given.length && timingSafeEqual(expected, given)
  })
  const [user_id = '', channel_id = '', expires = ''] = text.split('.')
  return isValid ? { user_id, channel_id, expires: Number(expires) } : null
}

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
    state: stateFor(by.id, channel_id),
    redirect_uri: redirectUri(),
  }).toString()
  return url.href
}

const notAdded = (detail: string): Problem => new Problem('slack_not_added', detail)

/** The channel, if the person may change it. @throws Problem `not_found`, `forbidden` */
async function channelFor(by: Caller, channel_id: string): Promise<WorkspaceResource> {
  const found = await findForCaller(by, 'channel', channel_id)
  const role = found ? roleAt(found) : null
  if (!found?.id || role === null || found.workspace_id === null) throw notFound('channel')
  if (!hasAtLeast(role, 'admin')) throw insufficientRole('admin', role, 'workspace')
  const { id, organization_id, workspace_id, project_id } = found
  return { id, organization_id, workspace_id, project_id, role }
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
export async function completeInstall(
  by: Caller,
  { code, state }: { code: string; state: string },
): ReturnType<typeof storeBotToken> {
  const found = installUrl(by, '') === null ? null : readState(state)
  if (!found || found.user_id !== by.id || found.expires <= epochSeconds() || code === '') {
    throw notAdded(
      'This authorization has expired, or belongs to another person. Start again from the page of the channel, signed in as the same person.',
    )
  }
  const place = await channelFor(by, found.channel_id)
  await useUp(state, found.expires)
  const token = await exchangeCode(code, redirectUri())
  // The exchange may have taken seconds.
  return transactionWith({ caller: by, resource: place, required_role: 'admin' }, (tx) =>
    storeBotToken(tx, by, place, token, config.SLACK_API_URL),
  )
}
