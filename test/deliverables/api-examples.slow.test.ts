/** Examples in the API documentation satisfy their schema, or are not shown, and the document says why. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import Ajv from 'ajv/dist/2020'
import addFormats from 'ajv-formats'
import { type Actor, type Box, type Site, signalbox } from '../support/signalbox.ts'

let box: Box
let ada: Actor
let site: Site

beforeAll(async () => {
  box = await signalbox({ workers: 1 })
  ada = await box.user('Ada')
  site = await box.site(ada)
})
afterAll(() => box.close())

async function documented(schema: object, media: object = {}): Promise<string> {
  const project = await ada.make(`/api/v1/workspaces/${site.workspace.id}/projects`, { name: 'Shop' })
  const content = { 'application/json': { schema, ...media } }
  const stored = await ada.put(`/api/v1/projects/${project.id}/api-description`, {
    openapi: '3.1.0',
    info: { title: 'Shop', version: '1' },
    paths: {
      '/a': { post: { requestBody: { required: true, content }, responses: { 200: { description: 'Done.', content } } } },
    },
  })
  expect(stored.status).toBe(200)
  const input = { deliverable_type: 'api_docs' }
  return (await ada.post(`/api/v1/projects/${project.id}/deliverables/generate`, input, { Prefer: 'wait=20' })).body.content
}

/** The example of the response; undefined if none is shown. */
function exampleIn(content: string): unknown {
  const [, json] = /\nResponse `200`:\n\n```json\n([\s\S]*?)\n```/.exec(content) ?? []
  return json === undefined ? undefined : JSON.parse(json)
}

const ajv = addFormats(new Ajv({ strict: false }))
const object = (field: object, required = ['field']) => ({ type: 'object', required, properties: { field } })

describe('An example satisfies its schema:', () => {
  for (const [name, schema] of [
    ['unique items', { type: 'array', minItems: 3, uniqueItems: true, items: { type: 'string' } }],
    ['unique items of a list', { type: 'array', minItems: 2, uniqueItems: true, items: { enum: ['a', 'b', 'c'] } }],
    ['no items', { type: 'array', maxItems: 0, items: { type: 'string' } }],
    ['a short text', object({ type: 'string', maxLength: 3 })],
    ['a default of another type', object({ type: 'integer', default: 'none' })],
    ['a pattern that the usual text matches', object({ type: 'string', pattern: '^[a-z]+$' })],
    ['an optional field that is too much', object({ type: 'string' })],
    [
      'many required fields',
      {
        type: 'object',
        required: Array.from({ length: 90 }, (_, index) => `field${index}`),
        properties: Object.fromEntries(Array.from({ length: 90 }, (_, index) => [`field${index}`, { type: 'integer' }])),
      },
    ],
  ] as [string, object][]) {
    test(name, async () => {
      const example = exampleIn(await documented(schema))
      expect(example).toBeDefined()
      expect([ajv.validate(schema, example), ajv.errors]).toEqual([true, null])
    })
  }
})

describe('None is shown, and the document says why, for', () => {
  for (const [name, schema, why] of [
    ['a pattern', object({ type: 'string', pattern: '^[A-Z]{3}-\\d+$' }), '`pattern` at `/field`'],
    ['a pattern that could take for ever', object({ type: 'string', pattern: '^(\\w+\\s?)*!$' }), '`pattern` at `/field`'],
    ['a number of fields', { type: 'object', minProperties: 3 }, '`minProperties`'],
    [
      'a format that is longer than allowed',
      object({ type: 'string', format: 'uuid', maxLength: 10 }),
      '`maxLength` at `/field`',
    ],
    ['an item that must be there', { type: 'array', items: { type: 'integer' }, contains: { const: 5 } }, '`contains`'],
    [
      'names of fields',
      { type: 'object', propertyNames: { pattern: '^x_' }, additionalProperties: { type: 'string' } },
      '`propertyNames` at `/key`',
    ],
    [
      'a field that needs another one',
      { type: 'object', properties: { a: { type: 'string' } }, dependentRequired: { a: ['b'] } },
      '`dependentRequired` at `/a`',
    ],
    [
      'a condition',
      { type: 'object', properties: { a: { type: 'string' } }, if: { required: ['c'] }, else: { required: ['b'] } },
      '`required` at `/b`',
    ],
    ['a long constant', object({ const: 'x'.repeat(500_000) }), 'has 500'],
  ] as [string, object, string][]) {
    test(name, async () => {
      const content = await documented(schema)
      expect(exampleIn(content)).toBeUndefined()
      expect(content).toContain('No example of the response `200`: one that is made of the schema ')
      expect(content).toContain('The call leaves its body out: one that is made of the schema ')
      expect(content).toContain(why)
      expect(content.length).toBeLessThan(10_000)
    })
  }

  test('an example of the description that does not satisfy its schema, if none can be made', async () => {
    const schema = object({ type: 'string', pattern: '^[A-Z]{3}$' })
    const content = await documented(schema, { example: { field: 7 } })
    expect(content).toContain(
      'No example of the response `200`: the example of the description does not satisfy `type` at `/field`.',
    )
    expect(exampleIn(await documented(schema, { example: { field: 'ABC' } }))).toEqual({ field: 'ABC' })
  })
})

describe('A pattern that could take for ever is not matched:', () => {
  for (const [name, pattern] of [
    ['optional parts', `^${'a?'.repeat(60)}${'a'.repeat(60)}$`],
    ['a repeated optional part', '^(a?){60}a{60}$'],
    ['a repeated part with others in it', '^((a?)b?){60}a{60}$'],
    ['a repeated part after a class of a bracket', '^(a*[(a])*$'],
    ['alternatives', `^${'(a|a)'.repeat(30)}$`],
  ] as [string, string][]) {
    test(name, async () => {
      const field = `${'a'.repeat(40)}!`
      const content = await documented(object({ type: 'string', pattern }), { example: { field } })
      expect(exampleIn(content)).toEqual({ field })
    })
  }
})
