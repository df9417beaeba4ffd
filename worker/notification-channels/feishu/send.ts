import { databaseMs } from '../../../core/platform/clock.ts'
import { messageOf } from '../../event-messages/index.ts'
import { envelopeOf } from '../../event-messages/people.ts'
import { postToChat } from '../post.ts'
import type { Sender } from '../sender.ts'
import { renderFeishu } from './card.ts'
import { classifyFeishu } from './outcome.ts'

export const feishu: Sender<'feishu'> = {
  inFlight: 1,
  isForPeople: true,
  send(channel, message) {
    const { webhook_url, secret } = channel.config
    const seconds = Math.floor(databaseMs(channel.clock) / 1000)
    return postToChat(channel, webhook_url, renderFeishu(messageOf(envelopeOf(message)), secret, seconds), classifyFeishu)
  },
}
