/** The messages of every type of channel for people, and what its tool accepts. */
import type { ChannelType } from '../../core/notification-channels/types.ts'
import type { EventMessage } from '../../worker/event-messages/index.ts'
import { mailOf } from '../../worker/notification-channels/email/mail.ts'
import { renderFeishu } from '../../worker/notification-channels/feishu/card.ts'
import { renderSlack } from '../../worker/notification-channels/slack/card.ts'
import { renderTeams } from '../../worker/notification-channels/teams/card.ts'
import { problemOfFeishu, problemOfTeams } from '../support/card-rules.ts'
import { problemOfMessage } from '../support/slack-rules.ts'

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

/** What breaks a rule of the tool; null if it accepts the message. Mail has no rules of this kind. */
export const PROBLEMS: Record<Exclude<TypeForPeople, 'email'>, (message: EventMessage) => string | null> = {
  slack: (message) => problemOfMessage(renderSlack(message)),
  teams: (message) => problemOfTeams(renderTeams(message)),
  feishu: (message) => problemOfFeishu(renderFeishu(message, undefined, 1)),
}
