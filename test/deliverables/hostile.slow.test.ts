/**
 * No text of a project becomes markup in its documents. Two projects differ only in their texts, harmless in one and
 * hostile in the other: their pages must have the same elements and links in the same order.
 */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { marked } from 'marked'
import { Receiver } from '../support/receiver.ts'
import { type Actor, type Box, signalbox } from '../support/signalbox.ts'
import { normalize } from './fixture.ts'

const TYPES = ['changelog', 'project_summary', 'deployment_guide', 'api_docs', 'user_manual'] as const

const KNOWN = [
  ...[
    '1. Login page',
    '1) Login page',
    '+ x',
    '- x',
    '* x',
    '- [x] y',
    '- [ ] y',
    '[x] y',
    '> x',
    '>x',
    '# x',
    '#',
    '###### x ##',
  ],
  ...['===', '---', '***', '___', '- - -', '```', '~~~', '```js', '    indented code', '\tcode', ':-', ':-:', '--- | ---'],
  ...['| a | b |', '|---|', 'a | b', 'a\\|b', 'a\\', '[a]: http://evil.test', '[^1]', '[^1]: x', '[a](b)', '[a][b]', '![a](b)'],
  ...['www.evil.test', 'WWW.evil.test', 'xwww.evil.test', 'http://evil.test', 'https://evil.test/a_b*c', 'ftp://evil.test'],
  ...[
    'me@evil.test',
    'mailto:me@evil.test',
    'xmpp:me@evil.test',
    '<http://evil.test>',
    '<me@evil.test>',
    '<b>x</b>',
    '<!--',
    '-->',
  ],
  ...['<script>alert(1)</script>', '<img src=x onerror=alert(1)>', '</li></ul><h1>x</h1>', '&lt;b&gt;', '&#60;b&#62;', '&copy;'],
  ...['*x*', '**x**', '_x_', '__x__', '~~x~~', '`x`', '``x``', '$x$', '$$x$$', 'x\\', '\\', '\\# x', '[Unreleased]', '<?x ?>'],
  ...[
    'x\n===',
    'x\n---',
    'x\n\n# y',
    'x\n- y',
    'x  \ny',
    '\u00a0- x',
    '@team',
    '12345678. x',
    '1234567890. x',
    '-',
    '+',
    '1.',
    '1)',
  ],
]

/** Pseudo-random numbers with a fixed seed, so that every run checks the same texts. */
function* numbers(): Generator<number, never> {
  for (let state = 20_261_122; ; ) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    yield state / 2 ** 32
  }
}
const random = numbers()
const below = (limit: number): number => Math.floor(random.next().value * limit)
const PIECES = [...KNOWN, ' ', ' ', ' ', '\n', '\n\n', '  \n', 'a', 'Z', '9', '.', ')', ':', '://', '@', 'www.', '漢']
const mixed = Array.from({ length: 50 }, () =>
  Array.from({ length: 1 + below(5) }, () => PIECES[below(PIECES.length)])
    .join(below(2) ? '' : ' ')
    .slice(0, 60),
)
const HOSTILE = [...KNOWN, ...mixed.filter((text) => text.trim() !== '')]

/** Returns the next text, truncated to a number of characters. */
type Words = (most?: number) => string

const hostile = (): Words => {
  let next = 0
  return (most = 200) => HOSTILE[next++ % HOSTILE.length]?.trim().slice(0, most).trim() ?? ''
}
/** A name: line breaks are refused in it. */
const named = (words: Words, most?: number): string => words(most).replaceAll(/\s+/g, ' ').trim() || 'x'

const harmless = (): Words => {
  let next = 0
  return () => `Text ${next++}`
}

const KINDS = ['feature', 'change', 'deprecation', 'removal', 'fix', 'security', 'docs', 'chore']

/** A paragraph of three lines. Backticks are removed, because they are allowed to mark code in it. */
const paragraph = (words: Words): string =>
  [words(), words(), words()].map((text) => `x ${text}`.replaceAll('`', '').replaceAll(/\s+/g, ' ')).join('\n')
/** A criterion: code may be marked in it, too. It must not be empty. */
const criterion = (words: Words): string => words().replaceAll('`', '').trim() || 'x'
/** As the second line of a paragraph, each of these could change the meaning of the first. */
const UNDERLINES = ['===', '---', ':-', ':--', ':-:', '--', '|-', '-|', '--- | ---', '***', '___', '|---|', '=', '-:']

function description(words: Words): object {
  const text = (most?: number) => words(most)
  const prose = () => paragraph(words)
  const schema = { type: 'object', required: ['id'], properties: { id: { type: 'string', description: text() } } }
  return {
    openapi: '3.1.0',
    info: { title: text(), version: text(), description: prose(), license: { name: text() } },
    servers: [{ url: 'https://shop.example.com/v1', description: text() }],
    tags: [{ name: 'Orders' }],
    paths: {
      '/orders': {
        get: {
          tags: ['Orders'],
          summary: text(),
          description: prose(),
          parameters: [{ name: text(), in: 'query', schema: { type: 'string', format: text() }, description: text() }],
          responses: { '200': { description: text(), content: { 'application/json': { schema } } } },
        },
        post: {
          tags: [text()],
          summary: text(),
          requestBody: { content: { 'application/json': { schema } } },
          responses: { '201': { description: text() } },
        },
      },
    },
    components: {
      securitySchemes: { key: { type: 'apiKey', in: 'header', name: text(), description: text() } },
      schemas: { Order: { ...schema, description: prose() } },
    },
  }
}

/** Builds a project with texts from `words`, and returns the page of each of its documents. */
async function buildPages(box: Box, words: Words, underlines: boolean) {
  const actor: Actor = await box.user(named(words, 120))
  const organization = await actor.make('/api/v1/organizations', { name: named(words, 120) })
  const workspace = await actor.make(`/api/v1/organizations/${organization.id}/workspaces`, { name: named(words, 120) })
  const project = await actor.make(`/api/v1/workspaces/${workspace.id}/projects`, { name: named(words) })
  const path = `/api/v1/projects/${project.id}`
  await actor.put(path, { description: paragraph(words), repository_url: 'https://git.example.com/a|b`c&copy;d' })
  expect((await actor.put(`${path}/api-description`, description(words))).status).toBe(200)

  const titles: { number: number; title: string; kind: string }[] = []
  for (const [index] of HOSTILE.entries()) {
    const kind = KINDS[index % KINDS.length] as string
    const underline = underlines ? UNDERLINES[index % UNDERLINES.length] : 'Text'
    const requirement = await actor.make(`${path}/requirements`, {
      title: named(words),
      kind,
      description: `${paragraph(words)}\n${underline}\n${paragraph(words)}`,
      acceptance_criteria: [criterion(words), criterion(words)],
    })
    const status = index % 5 === 4 ? 'in_progress' : 'done'
    await actor.put(`/api/v1/requirements/${requirement.id}`, { status })
    if (status === 'done') titles.push(requirement)
    if (index % 20 !== 4) continue
    const execution = await actor.make(`/api/v1/requirements/${requirement.id}/executions`, { agent: named(words, 120) })
    await actor.make(`/api/v1/executions/${execution.id}/start`)
    for (const action of ['approve', 'reject']) {
      const gate = await actor.make(`/api/v1/executions/${execution.id}/gates`, { name: named(words) })
      await actor.make(`/api/v1/gates/${gate.id}/${action}`, { comment: words() })
    }
    await actor.post(`/api/v1/executions/${execution.id}/fail`, { error: words() })
  }

  // An event drained after a hook was created would be sent to it as well.
  await box.settled()
  const receiver = new Receiver()
  receiver.answer = () => new Response(null, { status: 503 })
  for (const [index] of [1, 2, 3, 4].entries()) {
    const hook = await actor.make(`${path}/deployment-hooks`, {
      name: named(words, 120),
      environment: named(words, 64),
      trigger_on: 'gate_approved',
      url: receiver.url,
    })
    if (index < 2) await actor.make(`/api/v1/deployment-hooks/${hook.id}/trigger`, {}, { Prefer: 'wait=20' })
  }
  await receiver.stop()

  const documents: Record<string, { markdown: string; html: string }> = {}
  for (const deliverable_type of TYPES) {
    const asked = await actor.post(`${path}/deliverables/generate`, { deliverable_type }, { Prefer: 'wait=20' })
    expect([asked.status, asked.body.status, asked.body.error]).toEqual([200, 'draft', null])
    const { body } = await actor.get(`/api/v1/deliverables/${asked.body.id}`, { Accept: 'text/html' })
    documents[deliverable_type] = { markdown: asked.body.content, html: body }
  }
  return { documents: documents, titles }
}

/** The elements of a page with their links, in order, without ids and ports. */
function elements(html: string): string[] {
  const found: string[] = []
  new HTMLRewriter()
    .on('body *', {
      element(element) {
        const attributes = [...element.attributes]
          .filter(([name]) => name !== 'aria-label')
          // Anchors are made from headings: their letters, numbers and hyphens.
          .map(([name, value]) => ` ${name}=${isAnchor(name, value) ? '#anchor' : normalize(value)}`)
        found.push(`${element.tagName}${attributes.join('')}`)
      },
    })
    .transform(html)
  return found
}

const isAnchor = (name: string, value: string): boolean =>
  name === 'id' ? /^[\p{L}\p{M}\p{N}\p{Pc}-]+$/u.test(value) : name === 'href' && /^#[\w%.~-]+$/.test(value)

/** The displayed texts of the selected elements. */
function texts(html: string, selector: string): string[] {
  const found: string[] = []
  new HTMLRewriter()
    .on(selector, {
      element: () => void found.push(''),
      text(chunk) {
        found.push((found.pop() ?? '') + chunk.text)
      },
    })
    .transform(html)
  const ENTITIES: Record<string, string> = { lt: '<', gt: '>', quot: '"', '#39': "'", amp: '&' }
  return found.map((text) => text.replaceAll(/&(lt|gt|quot|#39|amp);/g, (_, name: string) => ENTITIES[name] ?? '').trim())
}

let box: Box
let harmlessPages: Awaited<ReturnType<typeof buildPages>>
let hostilePages: Awaited<ReturnType<typeof buildPages>>

beforeAll(async () => {
  box = await signalbox({ workers: 1 })
  ;[harmlessPages, hostilePages] = await Promise.all([buildPages(box, harmless(), false), buildPages(box, hostile(), true)])
})
afterAll(() => box.close())

describe('hostile texts add no element and no link', () => {
  for (const type of TYPES) {
    test(`to the page of the ${type}`, () => {
      expect(elements(hostilePages.documents[type]?.html ?? '')).toEqual(elements(harmlessPages.documents[type]?.html ?? ''))
    })

    test(`to the Markdown of the ${type}, rendered by another tool`, async () => {
      const rendered = async (markdown = '') => elements(`<body>${await marked.parse(markdown)}</body>`)
      expect(await rendered(hostilePages.documents[type]?.markdown)).toEqual(
        await rendered(harmlessPages.documents[type]?.markdown),
      )
    })
  }
})

test('hostile titles are displayed as written', () => {
  // What follows the number of a deprecation says what to do.
  const items = texts(hostilePages.documents.changelog?.html ?? '', 'li')
  const shown = new Set(items.map((text) => text.replace(/^(.*? \(#\d+\)): .*$/, '$1')))
  const entries = hostilePages.titles.filter(({ kind }) => kind !== 'docs' && kind !== 'chore')
  expect(entries.length).toBeGreaterThan(60)
  for (const { title, number } of entries) expect(shown).toContain(`${title.replaceAll(/\s+/g, ' ').trim()} (#${number})`)
})
