import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { stringify } from 'yaml'
import { type Actor, type Box, type Site, signalbox } from '../support/signalbox.ts'
import { SHOP } from './shop.ts'

let box: Box
let ada: Actor
let site: Site
let path: string

beforeAll(async () => {
  box = await signalbox({ workers: 0 })
  ada = await box.user('Ada')
  site = await box.site(ada)
  path = `/api/v1/projects/${site.project.id}/api-description`
})
afterAll(() => box.close())

const JSON_TYPE = { 'Content-Type': 'application/json' }
const YAML_TYPE = { 'Content-Type': 'application/yaml' }
const put = (text: string, headers: Record<string, string> = JSON_TYPE) => ada.put(path, text, headers)

test('a project without a description returns 404', async () => {
  expect((await ada.get(path)).status).toBe(404)
})

for (const [name, headers, text] of [
  ['JSON', JSON_TYPE, `${JSON.stringify(SHOP, null, 3)}\n`],
  ['YAML', YAML_TYPE, `# kept\n${stringify(SHOP)}`],
] as const) {
  test(`a ${name} description is parsed, and returned unchanged`, async () => {
    const { status, body } = await put(text, headers)
    expect([status, body]).toEqual([
      200,
      {
        project_id: site.project.id,
        title: 'Checkout API',
        version: '1.4.2',
        operation_count: 3,
        updated_at: expect.any(String),
      },
    ])
    const response = await fetch(box.base + path, { headers: { Authorization: `Bearer ${ada.token}` } })
    expect(response.headers.get('content-type')).toBe(`${headers['Content-Type']}; charset=utf-8`)
    expect(await response.text()).toBe(text)
    const tag = response.headers.get('etag') ?? ''
    expect((await ada.get(path, { 'If-None-Match': tag })).status).toBe(304)
    expect((await put(text, { ...headers, 'If-Match': '"0-0"' })).status).toBe(412)
    expect((await put(text, { ...headers, 'If-Match': tag })).status).toBe(200)
  })
}

test('operations are counted where the reference of a path leads, as the documentation lists them', async () => {
  const get = { responses: { 204: { description: 'Done.' } } }
  const { status, body } = await put(
    JSON.stringify({
      openapi: '3.1.0',
      info: { title: 'Referring', version: '1' },
      paths: { '/a': { $ref: '#/components/pathItems/A' }, '/b': { $ref: '#/paths/~1a' }, 'x-not-a-path': { get } },
      components: { pathItems: { A: { get, put: get } } },
    }),
  )
  expect([status, body.operation_count]).toEqual([200, 4])
})

const like = (change: object) => JSON.stringify({ ...SHOP, ...change })
const nested = (depth: number) =>
  `{"openapi":"3.1.0","info":{"title":"x","version":"1"},"paths":{},"x-deep":${'['.repeat(depth)}${']'.repeat(depth)}}`

describe('A validation error names', () => {
  const cases: [what: string, text: string, pointer: string, code?: string][] = [
    ['no JSON', '{"openapi": ', '', 'malformed'],
    ['not an object', '[]', '', 'invalid'],
    ['no version', '{}', '/openapi', 'unsupported'],
    ['Swagger 2.0', '{"swagger": "2.0"}', '/openapi', 'unsupported'],
    ['a future version', like({ openapi: '4.0.0' }), '/openapi', 'unsupported'],
    ['a missing field', like({ info: { title: 'x' } }), '/info', 'required'],
    ['a wrong type', like({ servers: 'here' }), '/servers', 'type'],
    [
      'an external reference',
      like({ paths: { '/a': { $ref: 'http://127.0.0.1:9/a.json' } } }),
      '/paths/~1a/$ref',
      'external_ref',
    ],
    ['a reference to a file', like({ paths: { '/a': { $ref: '../../etc/passwd' } } }), '/paths/~1a/$ref', 'external_ref'],
    ['a reference to nowhere', like({ paths: { '/a': { $ref: '#/nowhere' } } }), '/paths/~1a/$ref', 'broken_ref'],
    ['too deep', nested(130), '', 'nested_too_deep'],
    ['far too deep', nested(100_000), '', 'nested_too_deep'],
  ]
  for (const [what, text, pointer, code] of cases) {
    test(what, async () => {
      const { status, body } = await put(text)
      expect([status, body.errors?.[0]]).toMatchObject([422, { pointer, code }])
    })
  }

  const bomb = [
    'a: &a [x, x, x, x, x, x, x, x, x, x]',
    ...'bcdefghij'.split('').map((name, index) => `${name}: &${name} [${Array(10).fill(`*${'abcdefghij'[index]}`).join(', ')}]`),
  ]
  const large = [`long: &long "${'x'.repeat(50_000)}"`, 'many:', ...Array(500).fill('  - *long')]
  const yaml: [string, string, string][] = [
    ['no YAML', 'openapi: "3.1.0\n', 'malformed'],
    ['a key twice', 'openapi: 3.1.0\nopenapi: 3.1.0\n', 'malformed'],
    ['a nested key twice', 'info: {a: 0, "a": 0}\n', 'malformed'],
    ['too many values', `a: [${'0,'.repeat(100_001)}]`, 'too_large'],
    ['many lines of dashes', '-\n'.repeat(200_000), 'invalid'],
    ['many separators', '---\n'.repeat(200_000), 'malformed'],
    ['aliases that multiply', bomb.join('\n'), 'malformed'],
    ['aliases that make it large', large.join('\n'), 'too_large'],
    ['too deep in YAML', Array.from({ length: 200 }, (_, depth) => `${' '.repeat(depth)}a:`).join('\n'), 'nested_too_deep'],
    ['far too deep in YAML', `a: ${'['.repeat(100_000)}`, 'nested_too_deep'],
    ['dashes far too deep in YAML', `${'- '.repeat(100_000)}a`, 'nested_too_deep'],
  ]
  for (const [what, text, code] of yaml) {
    test(what, async () => {
      const { status, body } = await put(text, YAML_TYPE)
      expect([status, body.errors?.[0].code]).toEqual([422, code])
    })
  }

  test('other types, invalid UTF-8 and oversized bodies are refused', async () => {
    expect((await put('x', { 'Content-Type': 'text/plain' })).status).toBe(415)
    expect((await ada.put(path, new Uint8Array([0x7b, 0xff, 0x7d]), JSON_TYPE)).body.code).toBe('malformed_encoding')
    expect((await put(' '.repeat(1_048_577))).status).toBe(413)
  })

  test('a refused description leaves the previous one', async () => {
    await put(JSON.stringify(SHOP))
    await put('{}')
    expect((await ada.get(path)).body).toEqual(SHOP)
  })
})

test('recursive references and the maximum depth are allowed', async () => {
  expect((await put(nested(126))).status).toBe(200)
  expect((await put(JSON.stringify(SHOP))).status).toBe(200)
})

describe('What is no reference is data:', () => {
  const data = { $ref: 'http://127.0.0.1:9/a.json', deep: [{ $ref: '#/nowhere', $id: 'x', $anchor: 'y', $dynamicRef: '#z' }] }
  const named = { $ref: { type: 'string' }, $id: { type: 'string' }, $anchor: { type: 'integer' }, $dynamicRef: true, enum: {} }
  const withSchema = (schema: object, media: object = {}) =>
    like({
      paths: {
        '/a': { get: { responses: { 200: { description: 'Ok.', content: { 'application/json': { schema, ...media } } } } } },
      },
    })
  const link = { operationId: 'a', parameters: { $ref: '$request.path.id' }, requestBody: data }
  const response = (more: object) => ({ get: { responses: { default: { description: 'Ok.', ...more }, 'x-more': data } } })
  test.each([
    ['an example', withSchema({ example: data })],
    ['examples of a schema', withSchema({ examples: [data] })],
    ['an example of a body', withSchema({}, { example: data })],
    ['named examples', withSchema({}, { examples: { $ref: { value: data }, default: { value: data } } })],
    ['a default', withSchema({ default: data })],
    ['an enum', withSchema({ enum: [data] })],
    ['a const', withSchema({ const: data })],
    ['an extension', withSchema({ 'x-data': data })],
    ['an extension of paths', like({ paths: { 'x-data': { '/a': data } } })],
    ['extensions of responses, and links', like({ paths: { '/a': response({ links: { next: link } }) } })],
    ['properties of such names', withSchema({ type: 'object', properties: named, $defs: named })],
    ['a mapping', withSchema({ oneOf: [], discriminator: { propertyName: 'a', mapping: { $ref: '#/nowhere' } } })],
  ])('%s', async (_, text) => {
    const { status, body } = await put(text)
    expect([status, body.errors]).toEqual([200, undefined])
    expect(JSON.stringify((await ada.get(path)).body)).toBe(text)
  })

  const broken = { $ref: '#/nowhere' }
  const external = { $ref: 'other.json' }
  test.each([
    ['a property named example', withSchema({ properties: { example: broken } }), 'schema/properties/example'],
    ['a property named default', withSchema({ properties: { default: { items: broken } } }), 'schema/properties/default/items'],
    [
      'a property named enum, deeper',
      withSchema({ allOf: [{ properties: { enum: broken } }] }),
      'schema/allOf/0/properties/enum',
    ],
    ['a property named x-id', withSchema({ properties: { 'x-id': broken } }), 'schema/properties/x-id'],
    [
      'a property named properties',
      withSchema({ properties: { properties: { items: broken } } }),
      'schema/properties/properties/items',
    ],
    ['a named example', withSchema({}, { examples: { one: external } }), 'examples/one'],
    [
      'the schema of a property named $ref',
      withSchema({ properties: { $ref: { items: broken } } }),
      'schema/properties/$ref/items',
    ],
  ])('%s is none, and its reference is checked', async (_, text, at) => {
    const { status, body } = await put(text)
    const pointer = `/paths/~1a/get/responses/200/content/application~1json/${at}/$ref`
    expect([status, body.errors?.map((each: { pointer: string }) => each.pointer)]).toEqual([422, [pointer]])
  })

  test.each([
    ['a default response', { '/a': { get: { responses: { default: broken } } } }, '/paths/~1a/get/responses/default/$ref'],
    [
      'a callback',
      { '/a': { post: { ...response({}).get, callbacks: { default: external } } } },
      '/paths/~1a/post/callbacks/default/$ref',
    ],
    ['a header', { '/a': response({ headers: { 'x-limit': broken } }) }, '/paths/~1a/get/responses/default/headers/x-limit/$ref'],
    [
      'a dynamic reference',
      { '/a': response({ content: { 'a/b': { schema: { $dynamicRef: '#none' } } } }) },
      '/paths/~1a/get/responses/default/content/a~1b/schema/$dynamicRef',
    ],
  ])('%s is none, and is checked', async (_, paths, pointer) => {
    const { status, body } = await put(like({ paths }))
    expect([status, body.errors?.map((each: { pointer: string }) => each.pointer)]).toEqual([422, [pointer]])
  })
})
