/** Messages about a gate whose subject and evidence try to break them. */
import { describe, expect, test } from 'bun:test'
import { messageOf } from '../../worker/event-messages/index.ts'
import { renderSlack, shortened } from '../../worker/notification-channels/slack/webhook.ts'
import { problemOfMessage } from '../support/slack-rules.ts'
import { EXAMPLE_DATA, exampleOf } from './examples.ts'
import { mailWith, problemsOf } from './forms.ts'

const digest = { gitCommit: 'b'.repeat(40) }

/** A message about a gate whose texts are all the same. */
function messageWith(text: string, uri: string) {
  const data = EXAMPLE_DATA['gate.pending'] as { gate: object }
  const gate = {
    ...data.gate,
    subject: { uri, digest, version: text.slice(0, 120) },
    environment: text.slice(0, 64),
    evidence: {
      summary: text,
      metrics: Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`${text}${index}`, 1e308 * (index % 2 ? -1 : 1)])),
      checks: Array.from({ length: 50 }, () => ({ name: text, state: 'failed', url: null, detail: text })),
      links: [],
    },
  }
  return messageOf(exampleOf('gate.pending', { ...data, gate }))
}

const URIS = [
  'javascript:alert(1)',
  'pkg:oci/checkout',
  'https://bank.example@evil.example/',
  'https://evil.example/<!channel>|Approve>',
  `https://evil.example/${'&'.repeat(2000)}`,
  'https://bücher.example/',
]

describe.each([
  'W'.repeat(200),
  '&'.repeat(200),
  '<!channel> <@U1> [a](javascript:b) </td><script>',
  '\u202e\u2066evorppA\n\n# x',
])('texts like %j', (text) => {
  test.each(URIS)('and the subject %p stay within the limits of every tool', (uri) => {
    const message = messageWith(text, uri)
    const slack = renderSlack(message)
    expect(problemOfMessage(slack)).toBeOneOf([null, 'msg_blocks_too_long'])
    expect(problemOfMessage(shortened(slack))).toBeNull()
    for (const [type, problem] of problemsOf(message)) if (type !== 'slack') expect([type, problem]).toEqual([type, null])
    const { html = '' } = mailWith(message)
    for (const shown of [JSON.stringify(slack), String(html)]) {
      expect(shown).not.toMatch(/<script|<!channel|javascript:alert|[\u202a-\u202e\u2066-\u2069]|bank\.example@/)
    }
  })
})

test('the host of a link is shown as it is', () => {
  const [subject] = messageWith('v1', 'https://bücher.example/').facts.filter(({ name }) => name === 'Subject')
  expect(subject).toEqual({
    name: 'Subject',
    value: 'v1 (bbbbbbbbbbbb)',
    link: { url: 'https://xn--bcher-kva.example/', host: 'xn--bcher-kva.example' },
  })
})
