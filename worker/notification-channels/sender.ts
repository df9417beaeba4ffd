/** What differs between the types of channels when messages are sent. */
import type { ChannelType } from '../../core/notification-channels/types.ts'
import type { Mask } from '../../core/security/masking.ts'
import type { DueMessage, OpenChannel } from './due-message.ts'
import type { SendResult } from './outcome.ts'

/** Of one attempt. */
export interface SendContext {
  /** Removes the secrets of the channel from what its server answers. */
  mask: Mask
  /** The trace context; null if the message belongs to no trace. */
  traceparent: string | null
}

export interface Sender<Type extends ChannelType> {
  /** How many messages a channel gets at a time: one where people read them in order, such as a chat room; programs can sort. */
  inFlight: number
  /** Whether messages are written for people: they name whom the event mentions by id. */
  isForPeople: boolean
  /** Reads what else a due message shows. */
  prepare?(channel: OpenChannel<Type>, message: DueMessage): Promise<void>
  /** Renders a message, sends it once, and says what the answer means. */
  send(channel: OpenChannel<Type>, message: DueMessage, context: SendContext): Promise<SendResult>
}
