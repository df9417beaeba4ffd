import { afterAll, beforeAll, expect, test } from 'bun:test'
import { type Actor, type Answer, type Box, signalbox } from '../support/signalbox.ts'
import { normalize } from './fixture.ts'
import { LIBRARY } from './library.ts'

let box: Box
let ada: Actor
let workspace: Answer['body']

beforeAll(async () => {
  box = await signalbox({ workers: 1 })
  ada = await box.user('Ada')
  workspace = (await box.site(ada)).workspace
})
afterAll(() => box.close())

// biome-ignore lint/suspicious/noExplicitAny: descriptions are changed at any place.
type Any = any

/** A project with an API description; none for null. */
async function projectWith(description: object | null): Promise<string> {
  const { id } = await ada.make(`/api/v1/workspaces/${workspace.id}/projects`, { name: 'Library' })
  const path = `/api/v1/projects/${id}`
  if (description) expect((await ada.put(`${path}/api-description`, description)).status).toBe(200)
  return path
}

async function generate(path: string, input: object = {}): Promise<Answer['body']> {
  const { body } = await ada.post(
    `${path}/deliverables/generate`,
    { deliverable_type: 'api_docs', ...input },
    { Prefer: 'wait=20' },
  )
  expect([body.status, body.error]).toEqual(['draft', null])
  return body
}

const html = async (id: string): Promise<string> => (await ada.get(`/api/v1/deliverables/${id}`, { Accept: 'text/html' })).body
const _publish = (id: string) => ada.make(`/api/v1/deliverables/${id}/publish`)

test('the documentation of an API equals the reviewed one, and is the same again', async () => {
  const path = await projectWith(LIBRARY)
  const { content } = await generate(path)
  const file = Bun.file(`${import.meta.dir}/golden/library_api_docs.md`)
  // Review the difference before accepting it.
  if (process.env.UPDATE_GOLDEN) await Bun.write(file, normalize(content))
  expect(normalize(content)).toBe(await file.text())
  expect((await generate(path)).content).toBe(content)
})

test('all links within the page lead to a heading', async () => {
  const page = await html((await generate(await projectWith(LIBRARY))).id)
  const ids = new Set([...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id))
  const targets = [...page.matchAll(/ href="#([^"]+)"/g)].map(([, anchor]) => decodeURIComponent(anchor ?? ''))
  expect(targets.length).toBeGreaterThan(10)
  for (const anchor of targets) expect(ids).toContain(anchor)
  // The tag has the name of our section, so the anchors differ.
  expect(ids).toContain('schemas-1')
})

test('without a description, the document and its source say what to do', async () => {
  const { content, source } = await generate(await projectWith(null))
  expect(content).toContain('The project has no API description yet')
  expect(source.missing).toEqual([
    expect.stringMatching(/^The project has no API description: store its OpenAPI document with PUT /),
  ])
})

test('what the description lacks is missing', async () => {
  const bare = {
    openapi: '3.1.0',
    info: { title: 'Bare', version: '1' },
    paths: { '/a': { get: { responses: { 204: { description: 'Done.' } } } } },
  }
  const { content, source } = await generate(await projectWith(bare))
  expect(source.missing).toEqual([
    'The API description names no server with an absolute URL: add one, so that the calls run as they stand.',
    '1 operation of the API description has no summary.',
    'The API description does not say what the API is for: add `info.description`.',
  ])
  expect(content).toContain("export BASE_URL='https://api.example.com'")
  expect(content).toContain('curl --fail-with-body -sS "$BASE_URL"\'/a\'')
  const secured = await generate(
    await projectWith({
      ...bare,
      security: [{ key: [] }],
      components: { securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'X-Key' } } },
    }),
  )
  expect(secured.source.missing).toContain('These operations need authentication and describe no response 401: GET /a.')
  expect(secured.content).toContain('## GET /a\n\nAuthentication: `key`.\n')
  expect(content).not.toContain('Authentication: ')
  const none = await generate(await projectWith({ ...bare, paths: {} }))
  expect(none.content).toContain('The API description has no operations.')
})

test('for one requirement, title and first sentence name it', async () => {
  const path = await projectWith(LIBRARY)
  const requirement = await ada.make(`${path}/requirements`, { title: 'Lend books' })
  const { content } = await generate(path, { requirement_id: requirement.id })
  expect(content).toStartWith('# Library API: documentation (\\#1 Lend books)\n\n')
  expect(content.split('\n\n')[1]).toContain('Lend books')
  expect(content).toContain('An API description covers the whole project, and so does this document.')
})

/** Names in other scripts, markup, and characters that would reorder the text around them. */
const NAMES = [
  'دفع الفواتير',
  'ชำระเงิน',
  '<img src=x onerror=alert(1)>',
  '**b** [x](javascript:alert(1))',
  'a\u202eb\u2067c',
  "`it's`",
  '| x |',
]

test('names in all scripts are shown, and none is markup', async () => {
  const names = NAMES.map((name, index) => [`/${index}/${name.replaceAll('/', '')}`, name] as const)
  const description = {
    openapi: '3.1.0',
    info: { title: NAMES.join(' '), version: NAMES[2], description: NAMES.join('\n') },
    tags: NAMES.map((name) => ({ name })),
    paths: Object.fromEntries(
      names.map(([path, name]) => [
        path,
        {
          get: {
            tags: [name],
            summary: name,
            parameters: [{ name, in: 'query', required: true, schema: { type: 'string', enum: [name], description: name } }],
            responses: { 200: { description: name, content: { 'application/json': { example: { [name]: name } } } } },
          },
        },
      ]),
    ),
  }
  const { id, content } = await generate(await projectWith(description))
  expect(content).not.toMatch(/[\u202a-\u202e\u2066-\u2069]/)
  const page = await html(id)
  expect(page).not.toMatch(/<img|<script|href="javascript|[\u202a-\u202e\u2066-\u2069]/)
  for (const name of NAMES.slice(0, 2)) expect(page.split(name).length).toBeGreaterThan(4)
})

/** Schemas that refer to each other, and to themselves, in every way. */
const RECURSIVE = {
  Node: {
    type: 'object',
    properties: {
      left: { $ref: '#/components/schemas/Node' },
      all: { type: 'array', items: { $ref: '#/components/schemas/Node' } },
    },
  },
  Loop: { $ref: '#/components/schemas/Pool' },
  Pool: { $ref: '#/components/schemas/Loop' },
  All: {
    allOf: [{ $ref: '#/components/schemas/All' }, { type: 'object', properties: { all: { $ref: '#/components/schemas/All' } } }],
  },
  One: { oneOf: [{ $ref: '#/components/schemas/One' }, { type: 'array', items: { $ref: '#/components/schemas/One' } }] },
  Map: { type: 'object', additionalProperties: { $ref: '#/components/schemas/Map' } },
}

test('500 operations with recursive schemas are documented, each with its call', async () => {
  const schemas: Any = { ...RECURSIVE }
  for (let index = 0; index < 60; index++) {
    const refs = [1, 7, 11].map((step) => [`ref${step}`, { $ref: `#/components/schemas/S${(index * step + step) % 60}` }])
    schemas[`S${index}`] = {
      type: 'object',
      required: ['id'],
      properties: { id: { type: 'string' }, ...Object.fromEntries(refs) },
    }
  }
  const names = Object.keys(schemas)
  const of = (index: number) => ({
    content: { 'application/json': { schema: { $ref: `#/components/schemas/${names[index % names.length]}` } } },
  })
  const paths: Any = {}
  for (let index = 0; index < 250; index++) {
    paths[`/things${index}`] = {
      get: { summary: `Get ${index}`, responses: { 200: { description: 'One.', ...of(index) } } },
      put: { summary: `Put ${index}`, requestBody: of(index + 1), responses: { 204: { description: 'Put.' } } },
    }
  }
  const servers = [{ url: 'https://api.example.com' }]
  const path = await projectWith({
    openapi: '3.1.0',
    info: { title: 'Large', version: '1' },
    servers,
    paths,
    components: { schemas },
  })
  const first = await generate(path)
  expect(first.content.match(/^curl --fail-with-body -sS '/gm)).toHaveLength(500)
  expect(first.content).not.toContain('Too large for this document')
  expect(first.content.length).toBeLessThan(2_000_000)
})

test('a short description that refers to long texts again and again gives a document of bounded size', async () => {
  const paths: Any = {}
  for (let index = 0; index < 5_000; index++) paths[`/a${index}`] = { $ref: '#/components/pathItems/P' }
  const P = {
    get: { summary: 's'.repeat(50_000), description: 'long '.repeat(50_000), responses: { 204: { description: 'Done.' } } },
  }
  const { content } = await generate(
    await projectWith({ openapi: '3.1.0', info: { title: 'Long', version: '1' }, paths, components: { pathItems: { P } } }),
  )
  expect(content.length).toBeLessThan(5_000_000)
  expect(content).toContain('### GET /a4999\n\nToo large for this document: see the API description.')
})
