/** Clicks on the buttons of gates in Slack: each is decided at once, and answered by a worker. */
import { createHash } from 'node:crypto'
import { addJob } from '../../core/jobs/tasks.ts'
import { transaction } from '../../core/platform/database.ts'
import { codeOf } from '../../core/platform/error-fields.ts'
import { encrypt } from '../../core/security/secrets.ts'
import type { Tx } from '../../sql/index.ts'
import { type DecisionRequest, decidableGate, deciderOf } from '../gates/deciders.ts'
import { approveGate, rejectGate } from '../gates/gates.ts'
import { bySlackAccount, type FoundCaller, findCaller } from '../plugins/callers.ts'
import { transactionWith } from '../plugins/confirm-access.ts'
import { Problem } from '../problems.ts'
import type { Click } from './payload.ts'

/** How long a click waits for other decisions on the same execution: Slack expects a response within three seconds. */
const LOCK_TIMEOUT = '1500ms'
const LOCK_NOT_AVAILABLE = '55P03'

/** What the person is told: the gate as it is, why the click was refused, or how to link their account. */
type Answer = { answer: 'gate' | 'link' } | { answer: 'refusal'; detail: string }

/** The request of a click: what it says, the hash of its signed bytes, and where it came from. */
export interface ClickRequest extends DecisionRequest {
  click: Click
  digest: Uint8Array
}

/** The hash of a signed request, by which a replay is recognized. */
export const digestOf = (timestamp: string, body: Uint8Array): Buffer =>
  createHash('sha256').update(`${timestamp}:`).update(body).digest()

/**
 * Records a click and what is to be answered.
 *
 * @returns whether it is new: false for a replay of the same request, and if the organization was deleted
 */
async function recordClick(tx: Tx, { click, digest }: ClickRequest, answer: Answer): Promise<boolean> {
  const { account, message, response_url } = click
  const { organization_id, channel_id, event_id, gate_id } = message
  const [recorded] = await tx<{ id: string }[]>`
    insert into slack_clicks (
      organization_id, digest, channel_id, event_id, gate_id, answer, detail, team_id, external_id, response_url
    )
    select
      id, ${digest}, ${channel_id}, ${event_id}, ${gate_id}, ${answer.answer}, ${'detail' in answer ? answer.detail : null},
      ${account.team_id}, ${account.external_id}, ${response_url === null ? null : await encrypt(response_url)}
    from organizations
    where id = ${organization_id}
      and deleted_at is null
    on conflict (digest, organization_id) do nothing
    returning id
  `
  if (!recorded) return false
  await addJob(tx, 'answer_slack_click', { organization_id, click_id: recorded.id })
  return true
}

/** Decides the gate as the person who clicked. @throws Problem those of `approveGate` and `rejectGate`, `not_found`, `forbidden` */
async function decide(request: ClickRequest, found: FoundCaller): Promise<void> {
  const gate = decidableGate(found)
  const caller = deciderOf(found, request)
  const operation = request.click.decision === 'approve' ? approveGate : rejectGate
  await transactionWith({ caller, resource: gate, required_role: 'admin' }, async (tx) => {
    await tx`select set_config('lock_timeout', ${LOCK_TIMEOUT}, true)`
    if (await recordClick(tx, request, { answer: 'gate' })) await operation(tx, caller, gate, {}, 'slack')
  })
}

/** What is answered to a click that decided nothing. */
function answerTo(error: unknown): Answer | null {
  if (codeOf(error) === LOCK_NOT_AVAILABLE) {
    return { answer: 'refusal', detail: 'Another person is deciding at the same moment. Look at the gate, and click again.' }
  }
  if (!(error instanceof Problem)) return null
  // The decision that stands says more than a refusal.
  if (error.code === 'invalid_transition') return { answer: 'gate' }
  return { answer: 'refusal', detail: error.detail }
}

/**
 * Handles a click. Refusals are no errors here: the person sees them in Slack.
 *
 * @throws the error of a statement, if the database is not available
 */
export async function handleClick(request: ClickRequest): Promise<void> {
  const { click } = request
  const found = await findCaller(bySlackAccount(click.account), 'gate', click.message.gate_id)
  let answer: Answer | null = { answer: 'link' }
  if (found) {
    try {
      return await decide(request, found)
    } catch (error) {
      answer = answerTo(error)
      if (!answer) throw error
    }
  }
  const refused = answer
  await transaction((tx) => recordClick(tx, request, refused))
}
