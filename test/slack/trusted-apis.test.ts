/** A channel whose API is a tenant's own could name any message as its own: it has no buttons, and clicks under its messages do not count. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { createHash } from 'node:crypto'
import type { SlackConfig } from '../../core/notification-channels/slack/channel.ts'
import { config } from '../../core/platform/config.ts'
import { cardOf } from '../../worker/notification-channels/slack/cards.ts'
import type { GateState } from '../../worker/notification-channels/slack/shown-gates.ts'
import type { ThreadState } from '../../worker/notification-channels/slack/threads.ts'
import { exampleOf } from '../notification-channels/examples.ts'
import { BOT_TOKEN, interact, labelsOf, OTHER_BOT_TOKEN, SIGNING_SECRET, signed } from '../support/slack.ts'
import { type Room, SlackWorkbench } from './workbench.ts'

const FOREIGN = 'https://slack.evil.example/api'

let bench: SlackWorkbench

beforeAll(async () => {
  bench = await SlackWorkbench.open()
  await bench.link(bench.admin, 'U0ADA')
})
afterAll(() => bench.close())

/** Stores the API of a channel, and that its messages were posted with it. */
async function postedBy(api_url: string, { channel }: Room): Promise<void> {
  const { sql } = bench.box
  const hash = createHash('sha256').update(`${api_url} ${BOT_TOKEN}`).digest()
  await sql`
    update notification_channels set config = config || ${sql.json({ api_url })} where id = ${channel.id}
  `
  await sql`update slack_gate_messages set token_hash = ${hash} where channel_id = ${channel.id}`
  await sql`update slack_threads set token_hash = ${hash} where channel_id = ${channel.id}`
}

describe('a click decides nothing', () => {
  const REFUSED = 'Nothing was decided: the bot token or api_url of the channel has changed'

  test.each([
    ['in a thread', '*'],
    ['at its root', 'gate.pending'],
  ])('under a message %s that a foreign API has named', async (_, pattern) => {
    const room = await bench.room(pattern)
    const { gate, message } = await bench.gateIn(room)
    const clicks = ['U0ADA', 'U0NOBODY'].map((user) => signed(room.slack.interaction(message, 'Approve', user)))
    await postedBy(FOREIGN, room)
    for (const click of clicks) expect((await interact(bench.box, click)).status).toBe(200)
    const refusals = () => room.slack.ephemerals.filter(({ text }) => text.includes(REFUSED))
    await bench.shows('the refusals', () => refusals().length === 2)
    expect(room.slack.ephemerals.length).toBe(2)
    await bench.expectPending(gate)
  })

  test('under a message that another bot has posted', async () => {
    const room = await bench.room('gate.pending')
    const { gate, message } = await bench.gateIn(room)
    const path = `${bench.path}/${room.channel.id}`
    expect((await bench.admin.put(path, { config: { bot_token: OTHER_BOT_TOKEN } })).status).toBe(200)
    await room.slack.click(bench.box, message, 'Approve', 'U0ADA')
    await bench.shows('the refusal', () => room.slack.ephemerals.some(({ text }) => text.includes(REFUSED)))
    await bench.expectPending(gate)
  })

  test('under a message of a channel that was deleted', async () => {
    const room = await bench.room('gate.pending')
    const { gate, message } = await bench.gateIn(room)
    await bench.admin.delete(`${bench.path}/${room.channel.id}`)
    await room.slack.click(bench.box, message, 'Approve', 'U0ADA')
    await bench.shows('the refusal', () => room.slack.ephemerals.some(({ text }) => text.includes('Nothing was decided')))
    await bench.expectPending(gate)
  })
})

describe('buttons', () => {
  const envelope = exampleOf('gate.pending')
  const { gate } = envelope.data as { gate: GateState }
  const state = {
    topic: { type: 'execution', id: gate.execution_id },
    execution: null,
    root: null,
    replies: [],
    gates: [
      {
        ...gate,
        has_questions: false,
        require_passkey: false,
        is_open: true,
        effects: null,
        binding: null,
        decided_by_name: null,
      },
    ],
  } as ThreadState
  const channel = (config: SlackConfig) => ({ id: envelope.id, config })
  const before = config.SLACK_SIGNING_SECRET
  beforeAll(() => void Object.assign(config, { SLACK_SIGNING_SECRET: [SIGNING_SECRET] }))
  afterAll(() => void Object.assign(config, { SLACK_SIGNING_SECRET: before }))

  const bot = { bot_token: BOT_TOKEN, slack_channel: 'C0RELEASES' }

  test.each<[string, SlackConfig, boolean]>([
    ['Slack', bot, true],
    ['Slack for governments', { ...bot, api_url: 'https://slack-gov.com/api/' }, true],
    ['a tenant', { ...bot, api_url: FOREIGN }, false],
    ['a host that looks like Slack', { ...bot, api_url: 'https://slack.com.evil.example/api' }, false],
    ['a host behind credentials that look like Slack', { ...bot, api_url: 'https://slack.com@evil.example/api' }, false],
    ['Slack without TLS', { ...bot, api_url: 'http://slack.com/api' }, false],
    ['nobody: the channel has no bot', {}, false],
  ])('the API of %s', (_, config, isTrusted) => {
    const labels = labelsOf(cardOf(envelope, state, channel(config)))
    expect(labels).toEqual([...(isTrusted ? ['Approve', 'Request changes', 'Reject'] : []), 'Open in Signalbox'])
  })
})
