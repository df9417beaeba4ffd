/** What differs between the types of channels when messages are sent. */
import type { ChannelType, ConfigOf } from '../../core/notification-channels/types.ts'
import type { Mask } from '../../core/security/masking.ts'
import type { Tx } from '../../sql/index.ts'
import type { DrainedEvent } from '../outbox/drained-event.ts'
import type { ChannelMatch } from './channel-match.ts'
import type { DueMessage, OpenChannel } from './due-message.ts'
import type { SendResult } from './outcome.ts'

/** Of one attempt. */
export interface SendContext {
  /** Removes the secrets of the channel from what its server answers. */
  mask: Mask
  /** The trace context; null if the message belongs to no trace. */
  traceparent: string | null
}

/** Of types whose posted messages are updated when what they show changes. */
interface Updates<Type extends ChannelType, Change extends object> {
  /** Whether the messages of a channel are kept up to date. @param config its secrets are masked */
  isFor(config: ConfigOf<Type>): boolean
  /**
   * Reads which posted messages events change.
   *
   * @returns a function that is given the channels of this type that subscribe to the events, and returns the others whose messages change
   */
  find(tx: Tx, events: DrainedEvent[]): Promise<(matches: ChannelMatch[]) => ChannelMatch[]>
  /** Called when the messages of events are written. @param matches all channels of this type that get one */
  fanOut(tx: Tx, events: DrainedEvent[], matches: ChannelMatch[]): Promise<void>
  /** Records what attempts changed, whether or not the attempts themselves are recorded: the messages are posted. Locks channels. */
  record(tx: Tx, changes: (Change & { organization_id: string; channel_id: string })[]): Promise<void>
}

/**
 * @typeParam State what else a message shows
 * @typeParam Change what an attempt changed in posted messages
 */
export interface Sender<Type extends ChannelType, State = unknown, Change extends object = object> {
  /** How many messages a channel gets at a time: one where people read them in order, such as a chat room; programs can sort. */
  inFlight: number
  /** Whether messages are written for people: they have names in place of user ids. */
  isForPeople: boolean
  /** Reads what else a due message shows: its `state`. */
  prepare?(channel: OpenChannel<Type>, message: DueMessage): Promise<State | undefined>
  /** Renders a message, sends it once, and says what the answer means. */
  send(channel: OpenChannel<Type>, message: DueMessage<State>, context: SendContext): Promise<SendResult<Change>>
  updates?: Updates<Type, Change>
}
