/** Slack: to an incoming webhook, or as a bot. */
import type { Envelope } from '../../../core/notification-channels/messages.ts'
import { isBot } from '../../../core/notification-channels/slack/channel.ts'
import { messageOf } from '../../event-messages/index.ts'
import { envelopeOf } from '../../event-messages/people.ts'
import { postToChat } from '../post.ts'
import type { Sender } from '../sender.ts'
import { createThreads, findUpdates } from './fan-out.ts'
import { sendAsBot } from './send.ts'
import { topicOf } from './shown-gates.ts'
import { readThread, recordThreads, type ThreadChange, type ThreadState } from './threads.ts'
import { classifySlack, renderSlack } from './webhook.ts'

export const slack: Sender<'slack', ThreadState, ThreadChange> = {
  inFlight: 1,
  isForPeople: true,
  async prepare({ id: channel_id, organization_id, config }, message) {
    if (!isBot(config)) return undefined
    const topic = topicOf((JSON.parse(message.body) as Envelope).data)
    return topic ? readThread({ organization_id, channel_id, topic }) : undefined
  },
  async send(channel, message) {
    const { config } = channel
    if (isBot(config)) return sendAsBot({ ...channel, config }, message)
    return postToChat(channel, config.webhook_url ?? '', renderSlack(messageOf(envelopeOf(message))), classifySlack)
  },
  /** Of bots: a thread per execution, and per gate without one. */
  updates: { isFor: isBot, find: findUpdates, fanOut: createThreads, record: recordThreads },
}
