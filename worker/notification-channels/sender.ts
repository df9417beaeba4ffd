/** What differs between the types of channels when messages are sent, and what a due message is. */
import type { NewMessage } from '../../core/notification-channels/messages.ts'
import type { ChannelType, ConfigOf } from '../../core/notification-channels/types.ts'
import type { DatabaseClock } from '../../core/platform/clock.ts'
import type { Mask } from '../../core/security/masking.ts'
import type { Tx } from '../../sql/index.ts'
import type { StoredEvent } from '../event-messages/people.ts'
import type { DrainedEvent } from '../outbox/drained-event.ts'
import type { SendResult } from './outcome.ts'

/** An event and a channel that subscribes to it, or shows what it changes (`is_update`). */
export interface ChannelMatch extends Omit<NewMessage, 'max_attempts'> {
  channel_type: ChannelType
  /** Whether the messages of the channel are kept up to date (`Updates`). */
  is_updated: boolean
}

/** A channel with its secrets decrypted; it must not leave this process. */
export interface OpenChannel<Type extends ChannelType = ChannelType> {
  id: string
  organization_id: string
  workspace_id: string
  channel_type: Type
  config: ConfigOf<Type>
  target_since: string
  clock: DatabaseClock
  isFailing: boolean
}

/** With the envelope of its event and, for messages to people, what they say in addition to it. */
export interface DueMessage<State = unknown> extends StoredEvent {
  id: string
  event: string
  attempt_count: number
  max_attempts: number
  /** Only messages that were posted before are updated. */
  is_update: boolean
  /** What earlier attempts delivered: the addresses that got a mail, or the message that was posted. */
  accepted: string[]
  /** Addresses that the server refused for good, with its reply code. */
  refused: Record<string, string>
  request_id: string | null
  traceparent: string | null
  /** What else it shows, as its sender has read it. */
  state?: State
}

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
  /** The function gets the channels of this type that subscribe to the events, and returns the others whose messages change. */
  find(tx: Tx, events: DrainedEvent[]): Promise<(matches: ChannelMatch[]) => ChannelMatch[]>
  /** Called when the messages of events are written. @param matches all channels of this type that get one */
  fanOut(tx: Tx, events: DrainedEvent[], matches: ChannelMatch[]): Promise<void>
  /** Records what attempts changed, whether or not the attempts themselves are recorded: the messages are posted. Locks channels. */
  record(tx: Tx, changes: (Change & { organization_id: string; channel_id: string })[]): Promise<void>
}

/** @typeParam State what else a message shows @typeParam Change what an attempt changed in posted messages */
export interface Sender<Type extends ChannelType, State = unknown, Change extends object = object> {
  /** How many messages a channel gets at a time: one where people read them in order, such as a chat room; programs can sort. */
  inFlight: number
  isForPeople: boolean
  /** Reads what else a due message shows: its `state`. */
  prepare?(channel: OpenChannel<Type>, message: DueMessage): Promise<State | undefined>
  send(channel: OpenChannel<Type>, message: DueMessage<State>, context: SendContext): Promise<SendResult<Change>>
  updates?: Updates<Type, Change>
}
