/** Messages as people read them: one file per tool, made again by `bun run generate`. */
import { describe, expect, test } from 'bun:test'
import { EVENTS } from '../../core/events/catalogue.ts'
import { type EventMessage, messageOf } from '../../worker/event-messages/index.ts'
import { renderFeishu } from '../../worker/notification-channels/feishu.ts'
import { renderSlack } from '../../worker/notification-channels/slack/webhook.ts'
import { renderTeams } from '../../worker/notification-channels/teams.ts'
import { EXAMPLE_DATA, exampleOf } from './examples.ts'
import { FORMS, mailWith, payloadsOf, problemsOf, RULES, type TypeForPeople } from './forms.ts'

const NAMES = [...Object.keys(EVENTS), 'test.ping']

// biome-ignore lint/suspicious/noExplicitAny: payloads of tools, inspected field by field
type Any = any

const fact = (name: string, value: string): string => `- ${name}: ${value}`

function slackText(message: EventMessage): string {
  const { text, blocks } = renderSlack(message) as Any
  const lines = blocks.flatMap(({ type, text: own, fields, elements }: Any) => {
    if (type === 'header') return `**${own.text}**`
    if (fields) return fields.map((each: Any) => fact(...(each.text.replaceAll('*', '').split('\n') as [string, string])))
    return own ? own.text : elements.map((each: Any) => each.text)
  })
  return [`Notification: ${text}`, '', ...lines].join('\n')
}

function teamsText(message: EventMessage): string {
  const { summary, attachments } = renderTeams(message) as Any
  const { body, actions } = attachments[0].content
  const lines = body.flatMap(({ type, text, items, facts, style }: Any) => {
    if (type === 'FactSet') return facts.map(({ title, value }: Any) => fact(title, value))
    if (type === 'Container') return items.map((each: Any) => each.text.replaceAll(/^/gm, '> '))
    return style === 'heading' ? `**${text}**` : text
  })
  return [`Notification: ${summary}`, '', ...lines, `[${actions[0].title}](${actions[0].url})`].join('\n')
}

function feishuText(message: EventMessage): string {
  const { header, body, config } = (renderFeishu(message, undefined, 1) as Any).card
  const lines = body.elements.map(({ tag, text, columns, behaviors }: Any) => {
    if (tag === 'hr') return '---'
    if (tag === 'button') return `[${text.content}](${behaviors[0].default_url})`
    if (tag === 'column_set') return fact(...(columns.map((each: Any) => each.elements[0].text.content) as [string, string]))
    return text.content
  })
  return [`Notification: ${config.summary.content}`, '', `**${header.title.content}**`, header.subtitle.content, ...lines].join(
    '\n',
  )
}

function mailText(message: EventMessage): string {
  const mail = mailWith(message)
  return `Subject: ${mail.subject}\n\n${mail.text}`.trimEnd()
}

const TOOLS: Record<TypeForPeople, (message: EventMessage) => string> = {
  slack: slackText,
  teams: teamsText,
  feishu: feishuText,
  email: mailText,
}

test('every event has an example', () => {
  expect(Object.keys(EXAMPLE_DATA).sort()).toEqual(NAMES.toSorted())
})

describe.each(Object.entries(TOOLS))('%s', (tool, textOf) => {
  test('shows each event as in its golden file', async () => {
    const sections = NAMES.map((event) => `## ${event}\n\n${textOf(messageOf(exampleOf(event)))}\n`)
    const shown = `# Messages in ${tool}\n\n${sections.join('\n')}`
    const file = Bun.file(`${import.meta.dir}/golden/${tool}.txt`)
    if (process.env.UPDATE_GOLDEN) await file.write(shown)
    expect(shown).toBe(await file.text())
  })
})

test('nothing in a message is relative to when it is read', () => {
  for (const event of NAMES) {
    const { sentence, facts, next } = messageOf(exampleOf(event))
    expect([sentence, next, ...facts.map(({ value }) => value)].join('\n')).not.toMatch(/\bin \d|\bago\b|within a minute/)
  }
})

test('of a comparison, the verdict alone is shown', () => {
  expect(messageOf(exampleOf('dual_track.compared')).quote).toBe(
    'claude-code is cheaper by 40%, but passes 90% of its tests against 97.5%.',
  )
})

const problems = (message: EventMessage) =>
  problemsOf(message).flatMap(([type, problem]) => (problem === null ? [] : `${type}: ${problem}`))

/** A message of which every field has text of its own. */
const COMPLETE: EventMessage = {
  event: 'gate.pending',
  severity: 'info',
  title: 'The title',
  summary: 'The summary',
  warning: 'The warning.',
  sentence: 'The sentence.',
  effects: 'What it does.',
  facts: [{ name: 'The fact', value: 'Its value' }],
  quote: 'The quote',
  criteria: 'The criteria',
  next: 'What is next.',
  scope: 'The scope',
  about: { label: 'Open in Signalbox', url: 'https://signalbox.example.com/app/gates/1' },
  thread: null,
  created_at: '2026-11-21T09:00:00.000Z',
  at: 'The time',
}

test.each(Object.keys(FORMS) as TypeForPeople[])('%s shows all of a message, and its severity by a look of its own', (type) => {
  const { severity: _, summary: __, thread: ___, created_at: ____, about, facts, ...texts } = COMPLETE
  const words = [...Object.values(texts), ...facts.flatMap(({ name, value }) => [name, value]), about.url]
  for (const part of FORMS[type](COMPLETE)) {
    const shown = typeof part === 'string' ? part : JSON.stringify(part)
    expect(words.filter((each) => each !== null && !shown.includes(each))).toEqual([])
  }
  const looks = (['info', 'good', 'warning', 'bad'] as const).map((severity) =>
    JSON.stringify(FORMS[type]({ ...COMPLETE, severity })),
  )
  expect(new Set(looks).size).toBe(4)
})

test.each(Object.keys(RULES) as (keyof typeof RULES)[])(
  'the rules of %s refuse what is no message, and one that is too long',
  (type) => {
    const { accepted, refused } = payloadsOf(type)
    expect(RULES[type](accepted)).toBeNull()
    for (const payload of refused) expect(RULES[type](payload)).toBeString()
  },
)

/** Data in which every text that users choose is replaced. */
function withTexts(data: unknown, text: string): unknown {
  if (Array.isArray(data)) return data.map((each) => withTexts(each, text))
  if (data === null || typeof data !== 'object') return data
  const FREE =
    /^(title|name|agent|description|comment|summary|error|detail|reason|rationale|hostname|version|target_version|user_name|track_[ab]_agent)$/
  return Object.fromEntries(
    Object.entries(data).map(([key, value]) => [
      key,
      typeof value === 'string' && FREE.test(key) ? text : withTexts(value, text),
    ]),
  )
}

const BIDI = '\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069'
const HOSTILE: [what: string, text: string][] = [
  ['200 characters', 'W'.repeat(200)],
  ['200 characters of four bytes', '🚂'.repeat(200)],
  ['200 escaped characters', '&'.repeat(200)],
  ['markup', '</p><script>alert(1)</script>](https://evil.test) <https://evil.test|Approve> **x**'],
  ['mentions', '<!channel> <@U1> <at id=all></at> @all'],
  ['bidirectional overrides', `${BIDI}evorppA${BIDI}`],
]

describe.each(HOSTILE)('Names of %s', (_, text) => {
  test.each(NAMES)('neither break the limits of a tool nor hide what is asked: %s', (event) => {
    const plain = messageOf(exampleOf(event))
    const message = messageOf({
      ...exampleOf(event, withTexts(EXAMPLE_DATA[event], text) as object),
      asked: { acceptance_criteria: Array(50).fill(text), cost_usd: 1e9 },
    })
    expect(problems(plain)).toEqual([])
    expect(problems(message)).toEqual([])
    expect([message.title, message.next, message.about]).toEqual([plain.title, plain.next, plain.about])
    for (const form of Object.values(TOOLS)) {
      const shown = form(message)
      expect(shown).toContain(plain.title)
      if (plain.next) expect(shown).toContain(plain.next)
      expect(shown).not.toMatch(/[\u202a-\u202e\u2066-\u2069]/)
    }
    const { html } = mailWith(message)
    expect(html).not.toMatch(/<script|[\u202a-\u202e\u2066-\u2069]/)
  })
})
