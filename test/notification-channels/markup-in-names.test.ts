/** Names arrive as text: checked with many names built from everything that is markup somewhere. */
import { expect, test } from 'bun:test'
import { marked, type Token } from 'marked'
import { line } from '../../core/values/plain-text.ts'
import { type EventMessage, messageOf } from '../../worker/event-messages/index.ts'
import { renderFeishu } from '../../worker/notification-channels/feishu.ts'
import { escaped, renderSlack } from '../../worker/notification-channels/slack/webhook.ts'
import { renderTeams } from '../../worker/notification-channels/teams.ts'
import { mailWith, type TypeForPeople } from './forms.ts'

const PIECES = [
  ...['<!channel>', '<!here|x>', '<@U1>', '<https://evil.test|Approve>', '@all', '<at id=all></at>', '</AT>', '<at>Ada</at>'],
  ...['<script>', '</script>', '<img src=x onerror=alert(1)>', '<!--', '-->', '&lt;', '&#60;', '&amp;', '"', "'", '<', '>', '&'],
  ...[
    '[a](javascript:alert(1))',
    '](',
    '![',
    '[',
    ']',
    '(',
    ')',
    '*',
    '**',
    '_',
    '__',
    '~',
    '~~',
    '`',
    '```',
    '\\',
    '|',
    '#',
    '# ',
  ],
  ...[
    '- ',
    '+ ',
    '1. ',
    '1) ',
    '---',
    '===',
    ':-',
    '|-',
    '- [x] ',
    'www.evil.test',
    'http://evil.test',
    'me@evil.test',
    '    ',
    '> ',
    '\n',
    '\r\n',
    '\n\n',
    ' ',
    'a',
    'Z',
    '9',
    'é',
    '漢',
    'ש',
    '🚀',
    '\u202e',
    '\u0000',
    '\ud800',
    '\t',
  ],
]

/** Pseudo-random numbers with a fixed seed, so that every run checks the same names. */
function* numbers(): Generator<number> {
  for (let state = 20_261_121; ; ) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    yield state / 2 ** 32
  }
}

const random = numbers()
const below = (most: number): number => Math.floor((random.next().value as number) * most)
const randomName = (most: number): string =>
  Array.from({ length: 1 + below(most) }, () => PIECES[below(PIECES.length)]).join('') || 'x'

function randomMessage(): EventMessage {
  const named = (most: number) => ({ id: 'i', name: randomName(most) })
  return messageOf({
    id: 'e',
    event: 'gate.pending',
    created_at: '2026-11-21T09:00:00.000Z',
    url: 'https://signalbox.example.com/app/gates/019a2f6e-7c1b-7d52-8a3f-5a0e6c1f2b3d',
    organization: named(20),
    workspace: named(20),
    project: named(20),
    data: { gate: { id: 'g', name: randomName(60), description: randomName(600) }, execution: { agent: randomName(40) } },
  })
}

const messages = Array.from({ length: 400 }, randomMessage)

// biome-ignore lint/suspicious/noExplicitAny: payloads of tools, inspected field by field
type Any = any

/** All strings in a payload under the given keys. */
function texts(form: Any, keys: string[]): string[] {
  if (form === null || typeof form !== 'object') return []
  return Object.entries(form).flatMap(([key, value]) =>
    typeof value === 'string' && keys.includes(key) ? [value] : texts(value, keys),
  )
}

const length = (text: string): number => [...text].length

/** The only link is ours, and every text reads as intended. */
function checkSlack(): void {
  const alike: Record<string, string> = { '∗': '*', ˍ: '_', '∼': '~', ˋ: '`', '›': '>' }
  const read = (text: string) =>
    text
      .replaceAll('&lt;', '<')
      .replaceAll('&gt;', '>')
      .replaceAll('&amp;', '&')
      .replaceAll(/[∗ˍ∼ˋ›]/g, (character) => alike[character] ?? '')
  // What Slack formats; our own headings are bold.
  const formats = /(?<![A-Za-z0-9])[*_~]|[*_~](?![A-Za-z0-9])|`|^\s*(?:>|&gt;)/m
  const own = /^\*(?:[A-Z][\w ]+:?)\*|^>/gm
  for (const each of messages) {
    const { text, blocks } = renderSlack(each) as Any
    const parsed = [text, ...texts(blocks, ['text']).slice(1)]
    const [link = ''] = parsed.at(-1)?.match(/<[^>]*>$/) ?? []
    expect(link).toBe(`<${each.about.url}|gate.pending>`)
    for (const [index, some] of parsed.entries()) {
      expect((index === parsed.length - 1 ? some.slice(0, -link.length) : some).replaceAll(/&(amp|lt|gt);/g, '')).not.toMatch(
        /[<&]/,
      )
    }
    for (const some of parsed) expect(some.replace(link, '').replaceAll(own, '')).not.toMatch(formats)
    expect(read(text)).toBe(each.summary)
    expect(read(blocks[1].text.text)).toBe(each.sentence)
    expect(blocks[1].text.verbatim).toBeTrue()
    for (const block of blocks) {
      if (block.text) expect(length(block.text.text)).toBeLessThanOrEqual(block.type === 'header' ? 150 : 3000)
      for (const field of block.fields ?? []) expect(length(field.text)).toBeLessThanOrEqual(2000)
      expect((block.fields ?? []).length).toBeLessThanOrEqual(10)
    }
    expect(JSON.stringify(blocks).length).toBeLessThan(13_200)
  }
}

/** The text as it is displayed, with whitespace collapsed. */
const readable = (text: string): string => text.replaceAll('\u200b', '').replaceAll(/\s+/g, ' ').trim()

const ENTITIES: Record<string, string> = { lt: '<', gt: '>', quot: '"', '#39': "'", '#60': '<', amp: '&' }
const decoded = (text: string): string =>
  text.replaceAll(/&(lt|gt|quot|#39|#60|amp);/g, (_, name: string) => ENTITIES[name] ?? '')

/** The elements, links and decoded text of a page. */
function page(html: string): { elements: Set<string>; links: string[]; text: string } {
  const elements = new Set<string>()
  const links: string[] = []
  let text = ''
  new HTMLRewriter()
    .on('body, body *', {
      element(element) {
        elements.add(element.tagName)
        for (const [name, value] of element.attributes) {
          if (name === 'href') links.push(value)
          expect(['style', 'class', 'dir', 'href']).toContain(name)
        }
      },
      text(chunk) {
        text += chunk.text
      },
    })
    .transform(html)
  return { elements, links, text: decoded(text) }
}

/** The kinds of Markdown tokens in a text, at any depth. A bare URL that shows itself is not deceptive and is skipped. */
const kinds = (tokens: Token[]): string[] =>
  tokens.flatMap((token) =>
    token.type === 'link' && token.raw === token.text
      ? []
      : [token.type, ...('tokens' in token && token.tokens ? kinds(token.tokens) : [])],
  )

/** Names contain no Markdown and no mention. */
function checkTeams(): void {
  for (const each of messages) {
    const form = renderTeams(each) as Any
    const card = form.attachments[0].content
    for (const text of texts(card.body, ['text', 'value']).slice(1)) {
      const found = kinds(marked.lexer(text.replace('**Next:** ', '')))
      expect([text, found.filter((kind) => !['paragraph', 'text', 'escape', 'space', 'br'].includes(kind))]).toEqual([text, []])
      expect(text).not.toMatch(/<\/?at\b/i)
    }
    // Markdown decodes entities, which then are text.
    expect(readable(page(`<body>${marked.parse(card.body[1].text, { gfm: false })}</body>`).text)).toBe(
      readable(decoded(each.sentence)),
    )
    expect(JSON.stringify(form)).not.toMatch(/<\/?at\b/i)
    expect(card.actions).toEqual([{ type: 'Action.OpenUrl', title: each.about.label, url: each.about.url }])
    expect(Buffer.byteLength(JSON.stringify(form))).toBeLessThan(20_000)
  }
}

/** All texts are plain text without mentions, and buttons lead to our pages. */
function checkFeishu(): void {
  for (const each of messages) {
    const form = renderFeishu(each, 'secret', 1) as Any
    for (const content of texts(form, ['content'])) {
      expect(content).not.toMatch(/<\/?at\b/i)
      expect(content).not.toBe('')
    }
    expect(JSON.stringify(form)).not.toContain('lark_md')
    expect(texts(form, ['default_url'])).toEqual([each.about.url])
    expect(Buffer.byteLength(JSON.stringify(form))).toBeLessThan(20_000)
  }
}

const ELEMENTS = ['a', 'bdi', 'blockquote', 'body', 'br', 'div', 'h1', 'p', 'strong', 'table', 'tbody', 'td', 'tr']

/** A mail contains no element, link or header other than ours, and its names read as written. */
function checkMail(): void {
  for (const each of messages) {
    const mail = mailWith(each)
    const { elements, links, text } = page(mail.html as string)
    expect([...elements].filter((name) => !ELEMENTS.includes(name))).toEqual([])
    expect(links).toEqual([each.about.url])
    for (const shown of [each.sentence, each.scope]) expect(text).toContain(shown)
    expect(mail.subject).toBe(each.summary)
    expect(mail.subject).not.toMatch(/[\r\n]/)
    for (const shown of [each.sentence, each.scope]) expect(mail.text).toContain(shown)
  }
}

const CHECKS: Record<TypeForPeople, () => void> = {
  slack: checkSlack,
  teams: checkTeams,
  feishu: checkFeishu,
  email: checkMail,
}

test.each(Object.entries(CHECKS))('in %s, names are neither markup nor mentions, and the only link is ours', (_, check) => {
  expect.hasAssertions()
  check()
})

test('a name is one line of whole characters within its limit', () => {
  for (let turn = 0; turn < 2_000; turn++) {
    const name = line(randomName(80), 40)
    expect(name.isWellFormed()).toBeTrue()
    expect(name).not.toMatch(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/u)
    expect(length(name)).toBeLessThanOrEqual(40)
  }
})

test('no name contains an address that a mail program or chat would link by itself', () => {
  const address = /:\/\/|www\.\p{L}|[\p{L}\p{N}][.。．]\p{L}{2}|@\p{L}/u
  for (const each of messages) {
    for (const shown of [each.summary, each.sentence, each.scope, ...each.facts.map(({ value }) => value)]) {
      expect(shown).not.toMatch(address)
    }
  }
})

test.each([
  ['*bold* _it_ ~st~ `code` ```x```', '∗bold∗ ˍitˍ ∼st∼ ˋcodeˋ ˋˋˋxˋˋˋ'],
  ['snake_case_name 2*3*4 1.0~rc1', 'snake_case_name 2*3*4 1.0~rc1'],
  ['漢*字*漢 é_x_ (_y_) “_z_”', '漢∗字∗漢 éˍxˍ (ˍyˍ) “ˍzˍ”'],
  ['> quoted\n  >>> all\na > b', '› quoted\n  ››› all\na &gt; b'],
  ['<!here> & <https://evil.test|_Approve_>', '&lt;!here&gt; &amp; &lt;https://evil.test|ˍApproveˍ&gt;'],
])('Slack shows %p as it is', (text, shown) => expect(escaped(text)).toBe(shown))

test('an address of a link keeps its characters in Slack, and its label is text', () => {
  const link = { url: 'https://ci.example.com/_runs_/~a?b=1&c=*|', host: 'ci.example.com' }
  const [message] = messages as [EventMessage]
  const { blocks } = renderSlack({
    ...message,
    quote: null,
    criteria: null,
    facts: [{ name: 'Build', value: '_4711_', link }],
  }) as Any
  expect(blocks[2].fields[0].text).toBe('*Build*\n<https://ci.example.com/_runs_/~a?b=1&amp;c=*%7C|ˍ4711ˍ> (ci.example.com)')
})
