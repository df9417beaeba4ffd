import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { ChannelType } from '../../core/notification-channels/types.ts'
import type { Receiver } from '../support/receiver.ts'
import { payloadsOf } from './forms.ts'
import { feishu, slack, teams } from './stand-ins.ts'
import { Workbench } from './workbench.ts'

let bench: Workbench

beforeAll(async () => {
  bench = await Workbench.open()
})

afterAll(() => bench.close())

const HOSTILE =
  '<!channel> <https://evil.test|x> @all @everyone <at id=all></at> </script><script>alert(1)</script> [a](javascript:alert(1)) *b* & "q" \'s\''

const TOOLS: Record<Exclude<ChannelType, 'webhook' | 'email'>, () => Receiver> = { slack, teams, feishu }

/** What the tool would take for a mention in a message. */
const MENTIONS: Record<keyof typeof TOOLS, RegExp> = { slack: /<[!@]/, teams: /<\/?at\b/i, feishu: /<\/?at\b/i }

describe.each(Object.entries(TOOLS))('%s', (type, stub) => {
  test('gets an event message and a test message in its own format', async () => {
    const receiver = bench.receiver(stub())
    const { channel, project } = await bench.subscribedChannel(type, { webhook_url: `${receiver.url}/hook/1` })
    const gate = await bench.openGate(project, { description: 'Please look at the migration.' })
    expect(await bench.settled(channel)).toMatchObject({
      event: 'gate.pending',
      status: 'succeeded',
      attempt_count: 1,
      error: null,
    })
    expect(await bench.tested(channel)).toMatchObject({ event: 'test.ping', status: 'succeeded', attempt_count: 1 })
    const [message, ping] = receiver.requests
    expect(message).toMatchObject({ method: 'POST', path: '/hook/1' })
    expect(message?.headers['content-type']).toBe('application/json')
    const words = ['Gate pending', 'Release review', 'Please look at the migration.', 'Checkout', gate.id]
    // What it is about, and who asks.
    for (const word of [...words, '#1 Pay by invoice', 'Opened by', bench.admin.name]) {
      expect(message?.body).toContain(word)
    }
    expect(message?.body).toContain(`/app/gates/${gate.id}`)
    expect(message?.body).not.toContain(`/api/v1/`)
    expect(ping?.body).toContain('Release room')
    expect(receiver.requests).toHaveLength(2)
  })

  test('is played by a stand-in that refuses what is no message, and one that is too long', async () => {
    const { url } = bench.receiver(stub())
    const answerTo = async (payload: unknown) => {
      const response = await fetch(url, { method: 'POST', body: JSON.stringify(payload) })
      return [response.status, await response.text()]
    }
    const { accepted, refused } = payloadsOf(type as keyof typeof TOOLS)
    const yes = await answerTo(accepted)
    for (const payload of refused) expect(await answerTo(payload)).not.toEqual(yes)
  })

  test('gets names as text: they cannot mention, link or format', async () => {
    const receiver = bench.receiver(stub())
    expect(HOSTILE).toMatch(MENTIONS[type as keyof typeof TOOLS])
    const { channel, project } = await bench.subscribedChannel(type, { webhook_url: receiver.url })
    await bench.openGate(project, { name: HOSTILE, description: `${HOSTILE}\n# ${HOSTILE}` })
    expect(await bench.settled(channel)).toMatchObject({ status: 'succeeded' })
    const body = receiver.requests[0]?.body ?? ''
    expect(body).not.toMatch(MENTIONS[type as keyof typeof TOOLS])
    if (type === 'slack') {
      expect(body).not.toContain('<https://evil')
      expect(body).not.toContain('<script')
      expect(body).toContain('&lt;!channel&gt;')
    }
    if (type === 'teams') {
      expect(body).not.toContain('](')
      expect(JSON.parse(body).attachments[0].content.msteams.entities).toBeUndefined()
    }
    // The stub refuses any card text other than plain_text, which has neither links nor mentions.
    if (type === 'feishu') expect(JSON.parse(body).card.body.elements[0].text.tag).toBe('plain_text')
  })

  test('gets long texts truncated to its limits', async () => {
    const receiver = bench.receiver(stub())
    const { channel, project } = await bench.subscribedChannel(type, { webhook_url: receiver.url })
    for (const filler of ['&', '漢', '🚀', '*', '"', '\\']) {
      await bench.openGate(project, { name: filler.repeat(200), description: filler.repeat(10_000) })
    }
    const entries = await bench.logged(
      channel,
      (found) => found.length === 6 && found.every(({ status }) => status !== 'pending'),
    )
    expect(entries.map(({ status }) => status)).toEqual(Array(6).fill('succeeded'))
    for (const { body } of receiver.requests) expect(body.isWellFormed()).toBeTrue()
  })
})

test('messages to Feishu are signed with the secret of its bot, anew for each attempt', async () => {
  const secret = 'feishu-signing-secret'
  const receiver = bench.receiver(feishu(secret))
  const webhook_url = `${receiver.url}/open-apis/bot/v2/hook/1`
  const channel = await bench.channel('feishu', { webhook_url, secret })
  expect(channel.config).toEqual({ webhook_url: '********', secret: '********' })
  expect(await bench.tested(channel)).toMatchObject({ status: 'succeeded' })
  const wrong = await bench.channel('feishu', { webhook_url, secret: 'another' })
  expect(await bench.tested(wrong)).toMatchObject({ status: 'failed', error: { code: 'signature_rejected' } })
  const unsigned = await bench.channel('feishu', { webhook_url })
  expect(await bench.tested(unsigned)).toMatchObject({ status: 'failed', error: { code: 'signature_rejected' } })
})
