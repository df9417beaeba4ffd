/** A channel and a message of it that is due. */
import type { ChannelType, ConfigOf } from '../../core/notification-channels/types.ts'
import type { DatabaseClock } from '../../core/platform/clock.ts'
import type { StoredEvent } from '../event-messages/people.ts'

/** A channel with its secrets decrypted; it must not leave this process. */
export interface OpenChannel<Type extends ChannelType = ChannelType> {
  id: string
  organization_id: string
  workspace_id: string
  channel_type: Type
  config: ConfigOf<Type>
  /** When this target was set. */
  target_since: string
  clock: DatabaseClock
  /** Whether its last attempt failed. */
  isFailing: boolean
}

/** With the envelope of its event and, for messages to people, what they say beside it. */
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
