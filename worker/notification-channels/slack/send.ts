/**
 * Slack: sends to an incoming webhook, or as a bot: in the thread of its execution or gate, if it is about one, and updates the messages
 * that show it. One attempt makes several calls. What it has done is recorded also if a later call fails, so that a retry does the
 * rest; if the worker is killed, the next one repeats the calls: updates show nothing new, and the message may appear twice.
 */
import { declarationOf } from '../../../core/events/catalogue.ts'
import type { Envelope } from '../../../core/notification-channels/messages.ts'
import { type BotConfig, isBot, tokenHashOf } from '../../../core/notification-channels/slack/channel.ts'
import { messageOf } from '../../event-messages/index.ts'
import { envelopeOf, type NamedEnvelope } from '../../event-messages/people.ts'
import { hasRecentHeartbeat, isStopping } from '../../process/heartbeat.ts'
import { type Classification, type SendResult, transient } from '../outcome.ts'
import { postToChat } from '../post.ts'
import type { DueMessage, OpenChannel, Sender } from '../sender.ts'
import { isDeleted, isRefused, isUnchangeable, type SlackCall, sendCard } from './api.ts'
import { cardOf, digestOf, gateOf, rootCardOf } from './cards.ts'
import { createThreads, findUpdates } from './new-threads.ts'
import { topicOf } from './shown-gates.ts'
import { type PostedMessage, readThread, recordThreads, type ThreadChange, type ThreadState } from './threads.ts'
import { classifySlack, renderSlack, type SlackMessage } from './webhook.ts'

/** Whether a reply is shown in the channel as well. */
const isBroadcast = (event: string): boolean => (declarationOf(event)?.slack ?? 'reply') !== 'reply'

type BotChannel = OpenChannel<'slack'> & { config: BotConfig }

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
  readonly #tokenHash: Buffer
  #root: PostedMessage | null
  #calls = 0

  constructor(
    readonly channel: BotChannel,
    readonly message: DueMessage,
    readonly state: ThreadState,
  ) {
    this.change = { topic: state.topic, root: null, replies: [], deleted: [] }
    this.#tokenHash = tokenHashOf(channel.config)
    // A root of another bot, or in another Slack channel, belongs to a former configuration: a new one is posted.
    const { root } = state
    this.#root = root && root.slack_channel === channel.config.slack_channel && this.#isOwn(root) ? root : null
  }

  /** Whether a message was posted with the bot token of now: another bot cannot change it. */
  #isOwn = ({ token_hash }: PostedMessage): boolean => this.#tokenHash.equals(token_hash)

  async #call(method: 'chat.postMessage' | 'chat.update', target: object, card: SlackMessage): Promise<SlackCall> {
    // Another worker may have taken over the lane during a slow call.
    if (this.#calls > 0 && (isStopping() || !hasRecentHeartbeat())) {
      throw new Failed(transient('interrupted', 'The worker stopped before everything was sent.'))
    }
    this.#calls += 1
    const call = await sendCard(this.channel.config, this.channel.id, method, target, card)
    this.duration_ms += call.duration_ms
    this.response_status = call.response_status
    return call
  }

  /** Posts a message. @throws Failed, also if its thread was deleted: see `isDeleted` */
  async #post(card: SlackMessage, event_id: string, thread: object = {}): Promise<PostedMessage | null> {
    const { slack_channel } = this.channel.config
    const call = await this.#call('chat.postMessage', { channel: slack_channel, ...thread }, card)
    if (isDeleted(call)) return null
    if (call.classification.kind !== 'delivered') throw new Failed(call.classification)
    const { ts, team_id } = call
    return { event_id, slack_channel, ts, team_id, token_hash: this.#tokenHash, shown: digestOf(card) }
  }

  async #postRoot(envelope: NamedEnvelope): Promise<void> {
    const card = rootCardOf(envelope, this.state, this.channel)
    const root = await this.#post(card, envelope.id)
    if (!root) throw new Failed(transient('not_understood', 'Slack reported a missing message, although none was named.'))
    this.#root = root
    this.change.root = root
  }

  /** Posts a new root for one that was deleted. If Slack refuses what it shows, the message becomes the root. */
  async #replaceRoot(envelope: NamedEnvelope): Promise<void> {
    this.#root = null
    try {
      await this.#postRoot(envelope)
    } catch (error) {
      if (!(error instanceof Failed && isRefused(error.classification))) throw error
    }
  }

  /**
   * Changes a message. If it cannot be changed, or Slack refuses what it would show, it stays as it is: that is no reason to hold
   * back others.
   *
   * @returns the message with what it shows now; null if it was deleted
   */
  async #update<Message extends PostedMessage>(posted: Message, card: SlackMessage): Promise<Message | null> {
    const shown = digestOf(card)
    if (shown.equals(posted.shown)) return posted
    const call = await this.#call('chat.update', { channel: posted.slack_channel, ts: posted.ts }, card)
    if (isDeleted(call)) return null
    const { classification } = call
    if (classification.kind !== 'delivered' && !isUnchangeable(call) && !isRefused(classification)) {
      throw new Failed(classification)
    }
    return { ...posted, shown }
  }

  async updateRoot(): Promise<void> {
    const { body, people, asked } = this.state.root ?? {}
    if (!this.#root || !body) return
    const envelope = envelopeOf({ body, people, asked })
    const updated = await this.#update(this.#root, rootCardOf(envelope, this.state, this.channel))
    if (!updated) await this.#replaceRoot(envelope)
    else if (updated !== this.#root) this.change.root = updated
  }

  /** Posts the message: as a reply, or as the root if there is none. */
  async postMessage(): Promise<void> {
    const envelope = envelopeOf(this.message)
    const gate = gateOf(envelope, this.state)
    if (this.#root) {
      const thread = { thread_ts: this.#root.ts, reply_broadcast: isBroadcast(this.message.event) }
      const reply = await this.#post(cardOf(envelope, this.state, this.channel), envelope.id, thread)
      if (reply) {
        // The root of its own thread shows it already.
        if (gate && gate.id !== this.state.topic.id) this.change.replies.push({ ...reply, gate_id: gate.id })
        this.accepted = [reply.ts]
        return
      }
    }
    await this.#postRoot(envelope)
    this.accepted = [this.#root?.ts ?? '']
  }

  async updateReplies(): Promise<void> {
    for (const { body, people, asked, ...reply } of this.state.replies) {
      if (!body || !this.#isOwn(reply)) continue
      const updated = await this.#update(reply, cardOf(envelopeOf({ body, people, asked }), this.state, this.channel))
      if (!updated) this.change.deleted.push(reply)
      else if (updated !== reply) this.change.replies.push(updated)
    }
  }
}

/** Sends a message that belongs to no thread. */
async function sendAlone({ id, config }: BotChannel, message: DueMessage): Promise<SendResult<never>> {
  const card = renderSlack(messageOf(envelopeOf(message)))
  const target = { channel: config.slack_channel }
  const { classification, response_status, duration_ms } = await sendCard(config, id, 'chat.postMessage', target, card)
  return { classification, response_status, duration_ms }
}

async function sendAsBot(channel: BotChannel, message: DueMessage<ThreadState>): Promise<SendResult<ThreadChange>> {
  if (!message.state) return sendAlone(channel, message)
  const attempt = new Attempt(channel, message, message.state)
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
  return { classification, response_status, duration_ms, accepted, change }
}

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
