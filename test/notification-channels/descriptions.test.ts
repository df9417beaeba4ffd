import { describe, expect, test } from 'bun:test'
import { EVENTS } from '../../core/events/catalogue.ts'
import type { Envelope } from '../../core/notification-channels/messages.ts'
import { messageOf } from '../../worker/event-messages/index.ts'
import { FORMS, mailWith } from './forms.ts'

/** Every event of the catalogue, and those that are listed here by name. */
const NAMES = [
  ...new Set([
    ...Object.keys(EVENTS),
    ...['execution.started', 'execution.completed', 'execution.failed', 'execution.cancelled', 'workflow.completed'],
    ...['gate.pending', 'gate.approved', 'gate.rejected'],
    ...['deployment.succeeded', 'deployment.failed', 'deployment.rollback'],
    ...['deliverable.generated', 'deliverable.failed', 'deliverable.published', 'deliverable.archived'],
    ...['dual_track.compared', 'dual_track.failed', 'dual_track.decided', 'dual_track.cancelled'],
    ...['budget.alert', 'budget.exhausted', 'member.added', 'member.removed', 'member.role_changed'],
    ...['runtime.online', 'runtime.offline', 'hook.disabled', 'channel.disabled', 'test.ping'],
  ]),
]

const NAME = 'Nimbus <b>'
const PAGE = 'https://signalbox.example.com/app/projects/019a2f6e-7c1b-7d52-8a3f-5a0e6c1f2b3d'

const DATA = {
  execution: { id: 'e-1', agent: NAME, error: 'It broke.', cost_usd: 1.5 },
  gate: { id: 'g-1', name: NAME, execution_id: 'e-1', comment: 'Fine.' },
  dispatch: { id: 'd-1', event: 'gate.approved', environment: 'production', error: { code: 'x', detail: 'No answer.' } },
  deliverable: { id: 'l-1', title: NAME, deliverable_type: 'changelog', version: 3 },
  comparison: {
    id: 'c-1',
    track_a_agent: NAME,
    track_b_agent: 'b',
    winner: 'a',
    result: { recommendation: 'tie', rationale: 'r' },
  },
  budget: { budget_monthly_limit_usd: 100, budget_used_usd: 85.5 },
  member: { user_name: NAME, user_email: 'n@example.com', role: 'admin' },
  runtime: { name: NAME, hostname: 'build-1', last_heartbeat: '2026-11-21T09:00:00.000Z' },
  hook: { id: 'h-1', name: NAME, environment: 'production' },
  channel: { id: 'k-1', name: NAME, channel_type: 'slack' },
  graph_id: 'w-1',
  executions: [{}, {}],
  target_version: 'v1.2.3',
  reason: 'It was slow.',
  environment: 'production',
  from: 'member',
  to: 'admin',
}

const envelope = (event: string, data: Record<string, unknown>): Envelope => ({
  id: 'event-1',
  event,
  created_at: '2026-11-21T09:00:00.000Z',
  url: PAGE,
  organization: { id: 'o', name: 'Acme' },
  workspace: { id: 'w', name: 'Platform' },
  project: { id: 'p', name: 'Checkout' },
  data,
})

const renderAll = (event: string, data: Record<string, unknown>) => {
  const message = messageOf(envelope(event, data))
  return { message, forms: Object.values(FORMS).flatMap((formsOf) => formsOf(message)), mail: mailWith(message) }
}

describe.each(NAMES)('%s', (event) => {
  test('has its own description in words for people', () => {
    const { message } = renderAll(event, DATA)
    // An event without a description is shown by its name.
    expect(message.title).not.toBe(event)
    expect(message.title).toMatch(/^[A-Z][a-z -]+$/)
    expect(message.sentence).toMatch(/^[A-Z].*\.$|^Nimbus.*\.$/)
    expect(message.summary).toStartWith(`[Checkout] ${message.title}`)
    expect(message.about).toEqual({ label: 'Open in Signalbox', url: PAGE })
  })

  test('leads to its page in every tool, and never to the API', () => {
    for (const data of [DATA, {}]) {
      const { message, forms } = renderAll(event, data)
      for (const form of forms) {
        expect(JSON.stringify(form)).toContain(PAGE)
      }
      const all = JSON.stringify([message, forms])
      expect(all).not.toMatch(/\{[a-z_]*id\}/)
      expect(all).not.toMatch(/\/api\/|\b(GET|POST|PUT) \//)
    }
  })

  test('can be rendered for every tool, even with empty or malformed data', () => {
    const nonsense = Object.fromEntries(Object.keys(DATA).map((key) => [key, [{ id: null }, 7]]))
    for (const data of [DATA, {}, nonsense]) {
      const { message, forms, mail } = renderAll(event, data)
      for (const form of [...forms, mail]) {
        const text = JSON.stringify(form)
        expect(text).toContain(message.title)
        expect(text).not.toMatch(/undefined|\[object|NaN/)
        expect(text.match(/"(text|content|value)":""/)).toBeNull()
      }
    }
  })
})

test('mails about one execution form one thread', () => {
  for (const event of NAMES.filter((name) => /^(execution|gate)\./.test(name))) {
    expect(renderAll(event, DATA).mail.references).toStartWith('<execution-e-1@')
  }
  expect(renderAll('budget.alert', DATA).mail.references).toBeUndefined()
})

test('a message without a page leads to the documentation of its event', () => {
  const { about } = messageOf({ ...envelope('gate.pending', DATA), url: null })
  expect(about.label).toBe('About this event')
  expect(about.url).toEndWith('/docs/events#gate.pending')
})

test('an event without a description is shown by its name', () => {
  expect(messageOf(envelope('new.event', {})).title).toBe('new.event')
})

test('bidirectional and invisible characters are removed from names', () => {
  const { message } = renderAll('gate.pending', { gate: { name: 'a\u202eb\u0000c\u2066d\r\n\te\ud800' } })
  expect(message.sentence).toBe('The gate “a b c d e\ufffd” waits for a decision.')
})
