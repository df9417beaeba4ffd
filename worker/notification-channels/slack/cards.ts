/** What messages in threads show: the state of an execution, and gates with their buttons. */
import { createHash } from 'node:crypto'
import { declarationOf, type EventName } from '../../../core/events/catalogue.ts'
import { message as executionMessage } from '../../../core/events/executions.ts'
import { DECIDE } from '../../../core/events/gates.ts'
import type { Gate } from '../../../core/gates/gates.ts'
import {
  APPROVE,
  buttonValue,
  OPEN,
  OPEN_TO_APPROVE,
  OPEN_TO_REQUEST_CHANGES,
  REJECT,
} from '../../../core/notification-channels/slack/buttons.ts'
import { type SlackConfig, takesClicks } from '../../../core/notification-channels/slack/channel.ts'
import { config } from '../../../core/platform/config.ts'
import { pageUrl } from '../../../core/tenants/links.ts'
import { line, unlinked } from '../../../core/values/plain-text.ts'
import { type EventMessage, messageOf } from '../../event-messages/index.ts'
import type { NamedEnvelope } from '../../event-messages/people.ts'
import type { GateState } from './shown-gates.ts'
import type { ExecutionState, ThreadState } from './threads.ts'
import { escaped, mrkdwn, plain, renderSlack, type SlackMessage } from './webhook.ts'

type CardChannel = { id: string; config: SlackConfig }

/** A hash of what a message shows. */
export const digestOf = (card: SlackMessage): Buffer => createHash('sha256').update(JSON.stringify(card)).digest()

/** The event that describes an execution in each status; none describes one that waits. */
const EXECUTION_EVENTS: Partial<Record<ExecutionState['status'], EventName>> = {
  running: 'execution.started',
  completed: 'execution.completed',
  failed: 'execution.failed',
  cancelled: 'execution.cancelled',
}

const STATES: Record<ExecutionState['status'], string> = {
  queued: '⚪ queued',
  running: '🔵 running',
  awaiting_gate: '🟠 waiting for a decision',
  completed: '✅ completed',
  failed: '🔴 failed',
  cancelled: '⚪ cancelled',
}

const WAY_PHRASES: Record<NonNullable<Gate['decided_via']>, string> = {
  api: 'through the API',
  app: 'in the app',
  slack: 'in Slack',
  mail: 'by mail',
  override: 'by an override',
}

/** The status of a gate as people see it: no worker may have run since it expired. */
const statusOf = ({ status, is_open }: GateState): Gate['status'] => (status === 'pending' && !is_open ? 'expired' : status)

function gateMessageOf(envelope: NamedEnvelope, gate: GateState): EventMessage {
  const { decided_by_name, revoked_by_name, is_open: _, effects, warnings, ...shown } = gate
  // The event may precede the decision, and the revocation.
  const people = {
    ...envelope.people,
    ...(gate.decided_by && decided_by_name && { [gate.decided_by]: decided_by_name }),
    ...(gate.revoked_by && revoked_by_name && { [gate.revoked_by]: revoked_by_name }),
  }
  const status = statusOf(gate)
  const isCancelled = status === 'cancelled'
  const event: EventName =
    gate.revoked_at !== null ? 'gate.revoked' : status === 'pending' || isCancelled ? 'gate.pending' : `gate.${status}`
  const message = messageOf({ ...envelope, event, people, data: { ...envelope.data, gate: { ...shown, status } } })
  if (status === 'pending') return { ...message, warning: warnings && unlinked(warnings), effects: effects && unlinked(effects) }
  if (!isCancelled) return message
  const why = gate.superseded_by === null ? 'its execution has ended' : 'a newer one with another subject has replaced it'
  const sentence = `The gate “${unlinked(line(gate.name, 160))}” was cancelled: ${why}.`
  return { ...message, severity: 'info', title: 'Gate cancelled', sentence, next: null }
}

const DONE: Partial<Record<Gate['status'], string>> = {
  approved: 'Approved',
  rejected: 'Rejected',
  changes_requested: 'Changes requested',
}

/** Who decided a gate, and how; null while it waits, and if it ended without a decision. */
function decisionOf(gate: GateState): string | null {
  if (gate.decided_by === null || gate.decided_via === null) return null
  const done = DONE[gate.status] ?? 'Decided'
  const decision = `${done} by ${unlinked(line(gate.decided_by_name ?? 'a deleted user', 160))} ${WAY_PHRASES[gate.decided_via]}.`
  return gate.revoked_at === null ? decision : `${decision} The approval was revoked.`
}

const button = (action_id: string, text: string, rest: object) => ({ type: 'button', action_id, text: plain(text), ...rest })

/** Slack accepts 300 characters of text. */
const confirmation = (verb: string, { project }: NamedEnvelope, gate: GateState) => ({
  title: plain(`${verb} this gate?`),
  text: plain(
    `${verb} “${unlinked(line(gate.name, 45))}” in the project “${unlinked(line(project?.name ?? '', 45))}”? The decision is recorded with your name and cannot be undone.`,
  ),
  confirm: plain(verb),
  deny: plain('Cancel'),
})

/**
 * Approve, Reject, and the links to the page. Without a signing secret, clicks could not be verified: only the link. The same in a channel
 * whose clicks do not count.
 */
function buttonsOf(envelope: NamedEnvelope, gate: GateState, channel: CardChannel) {
  const { organization_id, id: gate_id, binding } = gate
  const value = buttonValue({ organization_id, channel_id: channel.id, event_id: envelope.id, gate_id, binding })
  const url = pageUrl('gate', gate_id) ?? ''
  const decisions = [
    // Answers are given on the page, and so is the proof of a passkey.
    gate.has_questions
      ? button(OPEN_TO_APPROVE, 'Answer and approve', { url, style: 'primary' })
      : gate.require_passkey
        ? button(OPEN_TO_APPROVE, 'Approve with a passkey', { url, style: 'primary' })
        : button(APPROVE, 'Approve', { value, style: 'primary', confirm: confirmation('Approve', envelope, gate) }),
    button(OPEN_TO_REQUEST_CHANGES, 'Request changes', { url }),
    button(REJECT, 'Reject', { value, style: 'danger', confirm: { ...confirmation('Reject', envelope, gate), style: 'danger' } }),
  ]
  return {
    type: 'actions',
    elements: [
      ...(config.SLACK_SIGNING_SECRET && takesClicks(channel.config) ? decisions : []),
      button(OPEN, 'Open in Signalbox', { url }),
    ],
  }
}

function gateCard(envelope: NamedEnvelope, gate: GateState, channel: CardChannel): SlackMessage {
  const card = renderSlack(gateMessageOf(envelope, gate))
  if (statusOf(gate) === 'pending') return { ...card, blocks: [...card.blocks, buttonsOf(envelope, gate, channel)] }
  const decision = decisionOf(gate)
  return decision === null ? card : { ...card, blocks: [...card.blocks, { type: 'section', text: mrkdwn(escaped(decision)) }] }
}

/** An execution that waits, for which there is no event: those of its gates are messages of their own. */
function waitingFor(gates: GateState[]) {
  const open = gates.filter((gate) => statusOf(gate) === 'pending')
  const [only] = open.length === 1 ? open : []
  const what = only ? `the gate “${unlinked(line(only.name, 160))}”` : `${open.length} gates`
  const sentence = open.length === 0 ? 'waits for a decision' : `waits for a decision on ${what}`
  return executionMessage('Execution waiting', 'warning', sentence, open.length === 0 ? null : DECIDE)
}

/** An execution as it is now, in the place of the event that began its thread. */
function executionCard(envelope: NamedEnvelope, { execution, gates }: ThreadState): SlackMessage {
  if (envelope.event.startsWith('execution.') && execution?.status === 'awaiting_gate') {
    return renderSlack(messageOf(envelope, waitingFor(gates)))
  }
  const event = (envelope.event.startsWith('execution.') && execution && EXECUTION_EVENTS[execution.status]) || null
  if (!event) return renderSlack(messageOf(envelope))
  const { actor: _, ...people } = envelope.people ?? {}
  const data = { ...envelope.data, execution: { ...(envelope.data.execution as object), ...execution } }
  // Who caused the first event did not cause this one.
  return renderSlack(messageOf({ ...envelope, event, data, people: event === envelope.event ? envelope.people : people }))
}

/** The gate that an event asks to decide; null for another event, and if the gate was deleted. */
export function gateOf(envelope: NamedEnvelope, { gates }: ThreadState): GateState | null {
  const { gate } = envelope.data as { gate?: { id?: string } }
  return (declarationOf(envelope.event)?.slack === 'decision' && gates.find(({ id }) => id === gate?.id)) || null
}

/** A message about an execution as it is now. */
export function cardOf(envelope: NamedEnvelope, state: ThreadState, channel: CardChannel): SlackMessage {
  const gate = gateOf(envelope, state)
  return gate ? gateCard(envelope, gate, channel) : renderSlack(messageOf(envelope))
}

/** The root of a thread: the message that began it, with the state of the execution. */
export function rootCardOf(envelope: NamedEnvelope, state: ThreadState, channel: CardChannel): SlackMessage {
  const gate = gateOf(envelope, state)
  const card = gate ? gateCard(envelope, gate, channel) : executionCard(envelope, state)
  if (!state.execution) return card
  const { agent, status } = state.execution
  const [header, ...blocks] = card.blocks
  const shown = { type: 'section', text: mrkdwn(`*Execution by ${escaped(unlinked(line(agent, 120)))}:* ${STATES[status]}`) }
  return { ...card, blocks: [...(header ? [header] : []), shown, ...blocks] }
}
