import { messageOf } from '../../event-messages/index.ts'
import { envelopeOf } from '../../event-messages/people.ts'
import { postToChat } from '../post.ts'
import type { Sender } from '../sender.ts'
import { renderTeams } from './card.ts'
import { classifyTeams } from './outcome.ts'

export const teams: Sender<'teams'> = {
  inFlight: 1,
  isForPeople: true,
  send: (channel, message) =>
    postToChat(channel, channel.config.webhook_url, renderTeams(messageOf(envelopeOf(message))), classifyTeams),
}
