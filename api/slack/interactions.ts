/** Clicks on the buttons of gates in Slack: each is decided at once, and answered by a worker. */
import { createHash } from 'node:crypto'
import { addJob } from '../../core/jobs/tasks.ts'
import type { GateMessage } from '../../core/notification-channels/slack/buttons.ts'
import { takesClicks, tokenHashOf } from '../../core/notification-channels/slack/channel.ts'
import { decryptConfig } from '../../core/notification-channels/types.ts'
import { sql, transaction } from '../../core/platform/database.ts'
import { codeOf } from '../../core/platform/error-fields.ts'
import { encrypt } from '../../core/security/secrets.ts'
import type { Tx } from '../../sql/index.ts'
import { type DecidableGate, type DecisionRequest, decidableGate, deciderOf } from '../gates/deciders.ts'
import { approveGate, rejectGate } from '../gates/decisions.ts'
import { bySlackAccount, type FoundCaller, findCaller } from '../plugins/callers.ts'
import { transactionWith } from '../plugins/confirm-access.ts'
import type { Caller } from '../plugins/request-context.ts'
import { Problem } from '../problems.ts'
import type { Click, ClickedMessage } from './payload.ts'

/** How long a click waits for other decisions on the same execution: Slack expects a response within three seconds. */
const LOCK_TIMEOUT = '1500ms'
const LOCK_NOT_AVAILABLE = '55P03'

/** What the person sees: the gate as it is, why the click was refused, or how to link their account. */
type Answer = { answer: 'gate' | 'link' } | { answer: 'refusal'; detail: string }

/** The request of a click: what it says, the hash of its signed bytes, and where it came from. */
interface ClickRequest extends DecisionRequest {
  click: Click
  digest: Uint8Array
}

/** The hash of a signed request, by which a replay is recognized. */
export const digestOf = (timestamp: string, body: Uint8Array): Buffer =>
  createHash('sha256').update(`${timestamp}:`).update(body).digest()

/**
 * Records a click and what is to be answered.
 * @returns whether it is new: false for a replay of the same request, and if the organization was deleted
 */
async function recordClick(tx: Tx, { click, digest }: ClickRequest, answer: Answer): Promise<boolean> {
  const { account, user_name, team_domain, message, response_url } = click
  const { organization_id, channel_id, event_id, gate_id } = message
  const [recorded] = await tx<{ id: string }[]>`
    insert into slack_clicks (
      organization_id, digest, channel_id, event_id, gate_id, answer, detail, team_id, external_id, user_name, team_domain,
      response_url
    )
    select
      id, ${digest}, ${channel_id}, ${event_id}, ${gate_id}, ${answer.answer}, ${'detail' in answer ? answer.detail : null},
      ${account.team_id}, ${account.external_id}, ${user_name}, ${team_domain},
      ${response_url === null ? null : await encrypt(response_url)}
    from organizations
    where id = ${organization_id} and deleted_at is null
    on conflict (digest, organization_id) do nothing
    returning id
  `
  if (!recorded) return false
  await addJob(tx, 'answer_slack_click', { organization_id, click_id: recorded.id })
  return true
}

interface PostedGate {
  token_hash: Uint8Array
  channel_type: 'slack'
  config: object
  secrets: Uint8Array
}

/** The records of a message that shows a gate, with the channel that it was posted for, as it is now. */
const findPosted = async (
  { organization_id, channel_id, event_id, gate_id }: GateMessage,
  { slack_channel, ts, team_id }: ClickedMessage,
) =>
  await sql<PostedGate[]>`
  select posted.token_hash, channel.channel_type, channel.config, channel.secrets
  from (
    select team_id, slack_channel, ts, token_hash
    from slack_gate_messages
    where channel_id = ${channel_id}
      and gate_id = ${gate_id}
      and event_id = ${event_id}
      and organization_id = ${organization_id}
    union all
    -- The root shows a gate if it is about its first event.
    select thread.team_id, thread.slack_channel, thread.ts, thread.token_hash
    from slack_threads as thread
    join gates as gate
      on gate.id = ${gate_id}
      and gate.execution_id = thread.execution_id
      and gate.organization_id = ${organization_id}
    where thread.channel_id = ${channel_id}
      and thread.event_id = ${event_id}
      and thread.organization_id = ${organization_id}
  ) as posted
  join notification_channels as channel on channel.id = ${channel_id} and channel.organization_id = ${organization_id}
  where posted.slack_channel = ${slack_channel}
    and posted.ts = ${ts}
    and (posted.team_id = ${team_id}) is not false
`

/**
 * Whether the channel still posts with the bot and the API that a message was posted with, and that API is trusted: it is the API that
 * has named the message.
 */
async function isVouchedFor({ token_hash, ...channel }: PostedGate): Promise<boolean> {
  const config = await decryptConfig(channel)
  return takesClicks(config) && tokenHashOf(config).equals(token_hash)
}

/**
 * A button can be copied: anyone who holds the bot token can post its value under another message. A click counts only under the one
 * that this service posted for the gate. A team is compared where both sides know it: an app of a whole enterprise names none.
 * @throws Problem `invalid_interaction`
 */
async function requirePosted({ message, clicked }: Click): Promise<void> {
  const posted = clicked ? await findPosted(message, clicked) : []
  for (const each of posted) if (await isVouchedFor(each)) return
  const detail =
    posted.length > 0
      ? 'Nothing was decided: the bot token or api_url of the channel has changed since this message was posted, or api_url is not one of Slack. Decide in Signalbox.'
      : 'Nothing was decided: this is not the message that Signalbox posted for the gate. If it was posted a moment ago, click again; otherwise decide in Signalbox.'
  throw new Problem('invalid_interaction', detail)
}

/** @throws Problem `forbidden` if the account was unlinked while the click waited: by its person, or by a reset of the password */
async function requireLinked(tx: Tx, { id }: Caller, { team_id, external_id }: Click['account']): Promise<void> {
  const linked = await tx`
    select
    from user_identities
    where user_id = ${id}
      and provider = 'slack'
      and team_id = ${team_id}
      and external_id = ${external_id}
    for share
  `
  if (linked.length === 0)
    throw new Problem('forbidden', 'Nothing was decided: your Slack account was unlinked from Signalbox in the meantime.')
}

/** Decides the gate as the person who clicked. @throws Problem those of `approveGate` and `rejectGate` */
async function decide(request: ClickRequest, found: FoundCaller<'gate'>, decidable: DecidableGate): Promise<void> {
  const caller = deciderOf(found, request)
  const { decision, message } = request.click
  const { gate, required_role } = decidable
  await transactionWith({ caller, resource: gate, required_role }, async (tx) => {
    await tx`select set_config('lock_timeout', ${LOCK_TIMEOUT}, true)`
    if (!(await recordClick(tx, request, { answer: 'gate' }))) return
    if (decision === 'approve') await approveGate(tx, caller, gate, { binding: message.binding ?? null }, 'slack')
    else await rejectGate(tx, caller, gate, {}, 'slack')
    await requireLinked(tx, caller, request.click.account)
  })
}

/** What is answered to a click that decided nothing. */
function answerTo(error: unknown): Answer | null {
  if (codeOf(error) === LOCK_NOT_AVAILABLE)
    return { answer: 'refusal', detail: 'Another person is deciding at the same moment. Look at the gate, and click again.' }
  if (!(error instanceof Problem)) return null
  // The decision that stands says more than a refusal.
  if (error.code === 'invalid_transition') return { answer: 'gate' }
  return { answer: 'refusal', detail: error.detail }
}

/**
 * Handles a click. Refusals are no errors here: the person sees them in Slack.
 * @throws the error of a statement, if the database is not available
 */
export async function handleClick(request: ClickRequest): Promise<void> {
  const { click } = request
  const found = await findCaller(bySlackAccount(click.account), 'gate', click.message.gate_id)
  let answer: Answer | null = { answer: 'link' }
  try {
    const decidable = found && (await decidableGate(found))
    await requirePosted(click)
    if (found && decidable) return await decide(request, found, decidable)
  } catch (error) {
    answer = answerTo(error)
    if (!answer) throw error
  }
  const refused = answer
  await transaction((tx) => recordClick(tx, request, refused))
}
