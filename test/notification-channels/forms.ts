/** The messages of every type of channel for people, and what its tool accepts. */
import type { ChannelType } from '../../core/notification-channels/types.ts'
import { type EventMessage, messageOf } from '../../worker/event-messages/index.ts'
import { mailOf } from '../../worker/notification-channels/email/mail.ts'
import { renderFeishu } from '../../worker/notification-channels/feishu.ts'
import { renderSlack } from '../../worker/notification-channels/slack/webhook.ts'
import { renderTeams } from '../../worker/notification-channels/teams.ts'
import { problemOfFeishu, problemOfTeams } from '../support/card-rules.ts'
import { problemOfMessage } from '../support/slack-rules.ts'
import { exampleOf } from './examples.ts'

/** A webhook gets the envelope, which programs read. */
export type TypeForPeople = Exclude<ChannelType, 'webhook'>

export const mailWith = (message: EventMessage) =>
  mailOf('c', { from_address: 'a@example.com', to_addresses: ['b@example.com'] }, { id: 'm' }, message)

/** What is sent, in parts that each contain the whole message. */
export const FORMS: Record<TypeForPeople, (message: EventMessage) => unknown[]> = {
  slack: (message) => [renderSlack(message)],
  teams: (message) => [renderTeams(message)],
  feishu: (message) => [renderFeishu(message, undefined, 1)],
  email: (message) => {
    const { text, html } = mailWith(message)
    return [text, html]
  },
}

type Tool = Exclude<TypeForPeople, 'email'>

// biome-ignore lint/suspicious/noExplicitAny: payloads of third parties
export const RULES: Record<Tool, (payload: any) => string | null> = {
  slack: problemOfMessage,
  teams: problemOfTeams,
  feishu: problemOfFeishu,
}

/** What breaks a rule of each tool; null if it accepts the message. Mail has no rules of this kind. */
export const problemsOf = (message: EventMessage): [Tool, string | null][] =>
  Object.entries(RULES).map(([type, problemOf]) => [type as Tool, problemOf(FORMS[type as Tool](message)[0])])

/** A message that a tool accepts, and payloads that none does. Rules and stand-ins that accept these as well test nothing. */
export function payloadsOf(type: Tool): { accepted: unknown; refused: unknown[] } {
  const [accepted] = FORMS[type](messageOf(exampleOf('gate.pending')))
  const tooLong = JSON.stringify(accepted).replaceAll('Gate pending', 'x'.repeat(1_000_000))
  return { accepted, refused: [{}, JSON.parse(tooLong)] }
}
