/**
 * Sends a message as a bot: in the thread of its execution, if it is about one, and updates the messages that show the
 * execution. One attempt makes several calls. What it has done is recorded also if a later call fails, so that a retry does the
 * rest; if the worker is killed, at most the last call is repeated.
 */
import { messageOf } from '../event-messages/index.ts'
import { envelopeOf, type NamedEnvelope } from '../event-messages/people.ts'
import type { DueMessage, OpenChannel } from '../notification-channels/fetch-due.ts'
import { type Classification, type SendResult, transient } from '../notification-channels/outcome.ts'
import { renderSlack, type SlackMessage } from '../notification-channels/slack.ts'
import { hasRecentHeartbeat, isStopping } from '../process/heartbeat.ts'
import { callSlack, isDeleted, isUnchangeable, type SlackCall } from './api.ts'
import { cardOf, digestOf, gateOf, rootCardOf } from './cards.ts'
import type { PostedMessage, ThreadChange, ThreadState } from './threads.ts'

/** Replies that are shown in the channel as well. */
const BROADCAST = new Set(['execution.failed', 'gate.pending'])

/** A call failed: the attempt ends. */
class Failed extends Error {
  constructor(readonly classification: Classification) {
    super('A call of Slack failed')
  }
}

class Attempt {
  duration_ms = 0
  response_status: number | null = null
  /** The timestamp of the message, once it is posted. */
  accepted: string[] = []
  readonly change: ThreadChange
  #root: PostedMessage | null
  #calls = 0

  constructor(
    readonly channel: OpenChannel,
    readonly message: DueMessage,
    readonly state: ThreadState,
  ) {
    this.change = { execution_id: state.execution_id, root: null, replies: [], deleted: [] }
    // A root in another Slack channel belongs to a former configuration: a new one is posted.
    this.#root = state.root?.slack_channel === channel.config.slack_channel ? state.root : null
  }

  async #call(method: string, payload: object): Promise<SlackCall> {
    // Another worker may have taken over the lane during a slow call.
    if (this.#calls > 0 && (isStopping() || !hasRecentHeartbeat())) {
      throw new Failed(transient('interrupted', 'The worker stopped before everything was sent.'))
    }
    this.#calls += 1
    const call = await callSlack(this.channel.config, this.channel.id, method, payload)
    this.duration_ms += call.duration_ms
    this.response_status = call.response_status
    return call
  }

  /** Posts a message. @throws Failed, also if its thread was deleted: see `isDeleted` */
  async #post(card: SlackMessage, event_id: string, thread: object = {}): Promise<PostedMessage | null> {
    const { slack_channel = '' } = this.channel.config
    const call = await this.#call('chat.postMessage', { channel: slack_channel, ...thread, ...card })
    if (isDeleted(call)) return null
    if (call.classification.kind !== 'delivered') throw new Failed(call.classification)
    return { event_id, slack_channel, ts: call.ts, shown: digestOf(card) }
  }

  /** Posts the root of the thread; it replaces one that was deleted. */
  async #postRoot(envelope: NamedEnvelope): Promise<void> {
    const card = rootCardOf(envelope, this.state, this.channel.id)
    const root = await this.#post(card, envelope.id)
    if (!root) throw new Failed(transient('not_understood', 'Slack reported a missing message, although none was named.'))
    this.#root = root
    this.change.root = root
  }

  /** @returns the message with what it shows now; null if it was deleted */
  async #update<Message extends PostedMessage>(posted: Message, card: SlackMessage): Promise<Message | null> {
    const shown = digestOf(card)
    if (shown.equals(posted.shown)) return posted
    const call = await this.#call('chat.update', { channel: posted.slack_channel, ts: posted.ts, ...card })
    if (isDeleted(call)) return null
    if (call.classification.kind !== 'delivered' && !isUnchangeable(call)) throw new Failed(call.classification)
    return { ...posted, shown }
  }

  async updateRoot(): Promise<void> {
    const { body, people } = this.state.root ?? {}
    if (!this.#root || !body) return
    const envelope = envelopeOf({ body, people })
    const updated = await this.#update(this.#root, rootCardOf(envelope, this.state, this.channel.id))
    if (!updated) await this.#postRoot(envelope)
    else if (updated !== this.#root) {
      const { event_id, slack_channel, ts, shown } = updated
      this.change.root = { event_id, slack_channel, ts, shown }
    }
  }

  /** Posts the message: as a reply, or as the root if there is none. */
  async postMessage(): Promise<void> {
    const envelope = envelopeOf(this.message)
    const gate = gateOf(envelope, this.state)
    if (this.#root) {
      const thread = { thread_ts: this.#root.ts, reply_broadcast: BROADCAST.has(this.message.event) }
      const reply = await this.#post(cardOf(envelope, this.state, this.channel.id), envelope.id, thread)
      if (reply) {
        if (gate) this.change.replies.push({ ...reply, gate_id: gate.id })
        this.accepted = [reply.ts]
        return
      }
    }
    await this.#postRoot(envelope)
    this.accepted = [this.#root?.ts ?? '']
  }

  async updateReplies(): Promise<void> {
    for (const { body, people, ...reply } of this.state.replies) {
      if (!body) continue
      const updated = await this.#update(reply, cardOf(envelopeOf({ body, people }), this.state, this.channel.id))
      if (!updated) this.change.deleted.push(reply)
      else if (updated !== reply) this.change.replies.push(updated)
    }
  }
}

/** Sends a message that belongs to no thread. */
async function sendAlone({ id, config }: OpenChannel, message: DueMessage): Promise<SendResult> {
  const card = renderSlack(messageOf(envelopeOf(message)))
  const { classification, response_status, duration_ms } = await callSlack(config, id, 'chat.postMessage', {
    channel: config.slack_channel,
    ...card,
  })
  return { classification, response_status, duration_ms }
}

/** Sends a message as a bot, once. */
export async function sendAsBot(channel: OpenChannel, message: DueMessage): Promise<SendResult> {
  if (!message.thread) return sendAlone(channel, message)
  const attempt = new Attempt(channel, message, message.thread)
  let classification: Classification = { kind: 'delivered' }
  try {
    await attempt.updateRoot()
    if (!message.is_update && message.accepted.length === 0) await attempt.postMessage()
    await attempt.updateReplies()
  } catch (error) {
    if (!(error instanceof Failed)) throw error
    classification = error.classification
  }
  const { response_status, duration_ms, accepted, change } = attempt
  return { classification, response_status, duration_ms, accepted, thread: change }
}
