/** Names that are Markdown: they are shown as written, and links that Signalbox sets around them still lead where they should. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { marked } from 'marked'
import { Receiver } from '../support/receiver.ts'
import { type Actor, type Answer, type Box, signalbox } from '../support/signalbox.ts'

const TYPES = ['changelog', 'project_summary', 'deployment_guide', 'api_docs', 'user_manual'] as const
/** The names that documents show as links. */
const LINKED: Record<string, string[]> = {
  deployment_guide: ['gate', 'hook'],
  project_summary: ['gate'],
  user_manual: ['guide manual'],
}
const FORMS = [
  (name: string) => `[${name}](https://evil.example.test/${name})`,
  (name: string) => `https://evil.example.test/${name}`,
  (name: string) => `${name} www.evil.example.test](https://evil.example.test)`,
]

let box: Box
let ada: Actor
const paths: string[] = []

const description = (name: (of: string) => string) => ({
  openapi: '3.1.0',
  info: { title: name('api'), version: name('version'), license: { name: name('license') }, contact: { name: name('contact') } },
  servers: [{ url: 'https://shop.example.com/v1' }],
  paths: {
    '/orders': { get: { tags: [name('tag')], summary: name('summary'), responses: { '200': { description: name('ok') } } } },
  },
  components: {
    schemas: { Order: { type: 'object', title: name('schema'), properties: { [name('field')]: { type: 'string' } } } },
  },
})

async function build(name: (of: string) => string): Promise<string> {
  const organization = await ada.make('/api/v1/organizations', { name: name('organization') })
  const workspace = await ada.make(`/api/v1/organizations/${organization.id}/workspaces`, { name: name('workspace') })
  const project = await ada.make(`/api/v1/workspaces/${workspace.id}/projects`, { name: name('project') })
  const path = `/api/v1/projects/${project.id}`
  expect((await ada.put(`${path}/api-description`, description(name))).status).toBe(200)
  const done = await ada.make(`${path}/requirements`, { title: name('title'), description: name('description') })
  const run = await ada.make(`/api/v1/requirements/${done.id}/executions`, { agent: name('agent') })
  await ada.make(`/api/v1/executions/${run.id}/start`)
  const artifacts = [{ name: name('guide manual'), url: 'https://docs.example.com/guide' }]
  await ada.make(`/api/v1/executions/${run.id}/complete`, { artifacts })
  await ada.put(`/api/v1/requirements/${done.id}`, { status: 'done' })
  const open = await ada.make(`${path}/requirements`, { title: name('open') })
  const execution = await ada.make(`/api/v1/requirements/${open.id}/executions`, { agent: name('agent') })
  await ada.make(`/api/v1/executions/${execution.id}/start`)
  await ada.make(`/api/v1/executions/${execution.id}/gates`, { name: name('gate') })
  const receiver = new Receiver()
  receiver.answer = () => new Response(null, { status: 410 })
  const hook = { name: name('hook'), environment: name('environment').slice(0, 64), trigger_on: 'gate_approved' }
  const { id } = await ada.make(`${path}/deployment-hooks`, { ...hook, url: receiver.url })
  await ada.make(`/api/v1/deployment-hooks/${id}/trigger`, {}, { Prefer: 'wait=20' })
  await ada.make(`${path}/deployment-hooks`, { ...hook, url: receiver.url })
  await receiver.stop()
  return path
}

beforeAll(async () => {
  box = await signalbox({ workers: 1 })
  ada = await box.user('Ada')
  for (const form of FORMS) paths.push(await build(form))
})
afterAll(() => box.close())

async function generate(path: string, deliverable_type: string): Promise<{ markdown: string; html: string }> {
  const input = { deliverable_type }
  const { body }: Answer = await ada.post(`${path}/deliverables/generate`, input, { Prefer: 'wait=20' })
  const { body: html }: Answer = await ada.get(`/api/v1/deliverables/${body.id}`, { Accept: 'text/html' })
  return { markdown: body.content, html }
}

/** The addresses of the links of a page, with their texts. */
function links(html: string): { href: string; text: string }[] {
  const found: { href: string; text: string }[] = []
  new HTMLRewriter()
    .on('a[href]', {
      element: (element) => void found.push({ href: element.getAttribute('href') ?? '', text: '' }),
      text(chunk) {
        const last = found.at(-1)
        if (last) last.text += chunk.text
      },
    })
    .transform(html)
  return found
}

/** What a reader sees: the page of Signalbox, and its Markdown rendered by two others. */
const views = ({ markdown, html }: { markdown: string; html: string }): [string, string][] => [
  ['page', html],
  ['marked', String(marked.parse(markdown))],
  ['md4c', Bun.markdown.html(markdown, { autolinks: true })],
]

for (const type of TYPES) {
  describe(type, () => {
    for (const [index, form] of FORMS.entries()) {
      test(`names such as ${form('name')} are no links, and do not break those around them`, async () => {
        const document = await generate(paths[index] ?? '', type)
        expect(document.markdown).toContain('evil')
        for (const [view, html] of views(document)) {
          const all = links(html)
          expect([view, all.filter(({ href }) => /evil/.test(decodeURIComponent(href)) && !href.startsWith('#'))]).toEqual([
            view,
            [],
          ])
          const names = LINKED[type] ?? []
          for (const name of names)
            expect([view, all.map(({ text }) => text)]).toEqual([view, expect.arrayContaining([form(name)])])
          // Of a link that broke, the address stays behind as text.
          expect([view, /\]\(&lt;/.test(html)]).toEqual([view, false])
        }
      })
    }
  })
}
