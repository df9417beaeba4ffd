import { describe, expect, test } from 'bun:test'
import { compileTemplate, depthOf, renderTemplate, templateErrors } from '../../core/deployment-hooks/templates.ts'
import { isWellFormedPointer, parseExactly, valueAt } from '../../core/values/json.ts'

const ENVELOPE = {
  event: 'gate.approved',
  sequence: 7,
  environment: 'production',
  flag: false,
  nothing: null,
  data: { gate: { name: 'Say "hi"\n{{/event}} {{secret:token}}', tags: ['a', 'b'] }, 'a/b': 1, 'm~n': 2, '': 3, ключ: 4, '0': 5 },
}
const SECRETS: Record<string, string> = { token: 's3cr"et', empty: '' }
const VALUES = { secret: (name: string) => SECRETS[name], report: (name: string) => `report-${name}` }

const rendered = (template: unknown): unknown => {
  const text = renderTemplate(compileTemplate(template), ENVELOPE, VALUES)
  return text === null ? 'too large' : JSON.parse(text)
}
const errorsOf = (template: unknown, hasReports = true) =>
  templateErrors(template, { secrets: new Set(Object.keys(SECRETS)), hasReports }).map(({ path, reason }) => [
    path.join('/'),
    reason,
  ])

describe('a string that is exactly a placeholder', () => {
  test.each([
    ['{{/event}}', 'gate.approved'],
    ['{{/sequence}}', 7],
    ['{{/flag}}', false],
    ['{{/nothing}}', null],
    ['{{/absent}}', null],
    ['{{/data/gate/absent/deeper}}', null],
    ['{{/data/gate}}', ENVELOPE.data.gate],
    ['{{/data/gate/tags}}', ['a', 'b']],
    ['{{/data/gate/tags/1}}', 'b'],
    ['{{/data/gate/tags/2}}', null],
    ['{{/data/gate/tags/01}}', null],
    ['{{/data/gate/tags/-}}', null],
    ['{{/data/gate/tags/length}}', null],
    ['{{/data/gate/name/0}}', null],
    ['{{/data/a~1b}}', 1],
    ['{{/data/m~0n}}', 2],
    ['{{/data/}}', 3],
    ['{{/data/ключ}}', 4],
    ['{{/data/0}}', 5],
    ['{{/data/__proto__}}', null],
    ['{{/constructor}}', null],
    ['{{/data/gate/tags/constructor}}', null],
    ['{{/toString}}', null],
    ['{{secret:token}}', 's3cr"et'],
    ['{{secret:empty}}', ''],
    ['{{report:url}}', 'report-url'],
    ['{{report:token}}', 'report-token'],
  ])('%s becomes its value, of its type', (template, value) => expect(rendered(template)).toEqual(value as never))
})

describe('a placeholder inside a longer string', () => {
  test.each([
    ['Deploy {{/environment}} #{{/sequence}}', 'Deploy production #7'],
    ['{{/environment}}{{/sequence}}', 'production7'],
    [' {{/nothing}}|{{/absent}}|{{/flag}}', ' ||false'],
    ['tags: {{/data/gate/tags}}', 'tags: ["a","b"]'],
    ['Bearer {{secret:token}}', 'Bearer s3cr"et'],
    ['{{{{/event}}', '{{/event}}'],
    ['{{{{{{/event}}', '{{gate.approved'],
    ['{{/event}}}}', 'gate.approved}}'],
    ['a } {x} }} {', 'a } {x} }} {'],
    ['{{{{{{{{', '{{{{'],
    ['$& \\ " \u2028 {{/environment}}', '$& \\ " \u2028 production'],
  ])('%s becomes its text', (template, text) => expect(rendered(template)).toBe(text))
})

test('values are put in as they are: they neither are rendered nor end a string', () => {
  expect(rendered({ a: 'x {{/data/gate/name}}', b: '{{/data/gate/name}}' })).toEqual({
    a: `x ${ENVELOPE.data.gate.name}`,
    b: ENVELOPE.data.gate.name,
  })
})

test('keys are not replaced, and other values are kept, at any depth', () => {
  const template = { '{{/event}}': [1, -0.5, true, null, { deep: ['{{/event}}'] }, [], {}], z: 1, a: 2 }
  expect(rendered(template)).toEqual({ '{{/event}}': [1, -0.5, true, null, { deep: ['gate.approved'] }, [], {}], z: 1, a: 2 })
  expect(renderTemplate(compileTemplate(template), ENVELOPE, VALUES)).toStartWith('{"{{/event}}":')
  expect(rendered(JSON.parse('{"__proto__": "{{/event}}", "constructor": 1}'))).toEqual(
    JSON.parse('{"__proto__": "gate.approved", "constructor": 1}'),
  )
  for (const plain of [7, true, 'text', [], {}]) expect(rendered(plain)).toEqual(plain)
})

test.each([
  '{{',
  'a {{ b',
  '{{event}}',
  '{{ /event }}',
  '{{/event',
  '{{}}',
  '{{/a~}}',
  '{{/a~2}}',
  '{{{/event}}',
  '{{{{{{',
  '{{/a{{/b}}',
  '{{secret:}}',
  '{{secret:Token}}',
  `{{secret:${'a'.repeat(33)}}}`,
  '{{secret:a-b}}',
  '{{report:uri}}',
  '{{#if}}',
  '{{/event}} {{',
])('%s is refused, with the path to the string', (text) => {
  expect(errorsOf({ 'a/b': ['fine', { c: text }] })).toEqual([['a/b/1/c', 'malformed']])
})

test('secrets that the hook does not have, and reports that it does not get, are refused', () => {
  expect(errorsOf(['{{secret:other}}', 'x {{secret:constructor}}', '{{secret:token}}'])).toEqual([
    ['0', 'unknown_secret'],
    ['1', 'unknown_secret'],
  ])
  expect(errorsOf({ a: '{{report:url}}', b: 'x{{report:token}}' }, false)).toEqual([
    ['a', 'no_reports'],
    ['b', 'no_reports'],
  ])
  expect(errorsOf({ a: '{{report:url}}', '{{': 'keys are not read' })).toEqual([])
  const numbers = ['1e309', '-1e309', '1e-325', '0e999', `0.${'0'.repeat(400)}1`]
  expect(errorsOf(parseExactly(`[${numbers}, 1e308, 1e-324, 12345678901234567890]`))).toEqual(
    numbers.map((_, index) => [String(index), 'out_of_range']),
  )
})

test('a body is at most 1 MiB, and rendering a larger one stops there', () => {
  const large = { big: 'é'.repeat(262_143) }
  const bytes = (template: unknown) => {
    const body = renderTemplate(compileTemplate(template), large, VALUES)
    return body === null ? null : Buffer.byteLength(body)
  }
  // Two bytes for each é, and two quotes around everything.
  expect(bytes('{{/big}}{{/big}}12')).toBe(1_048_576)
  expect(bytes('{{/big}}{{/big}}123')).toBeNull()
  expect(bytes(Array.from({ length: 2_000 }, () => '{{/big}}'))).toBeNull()
})

test('depth counts objects and arrays', () => {
  expect([1, 'a', null, {}, [], [[]], { a: [{}] }].map(depthOf)).toEqual([0, 0, 0, 1, 1, 2, 3])
})

/** A small generator of numbers, so that a failure can be repeated. */
function* numbers(seed: number): Generator<number, never> {
  for (let state = seed; ; ) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    yield state / 2 ** 32
  }
}

test('whatever the template and the values are, the result is the template with its strings replaced', () => {
  const random = numbers(20_261_122)
  const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random.next().value * items.length)] as Item
  const scraps = [
    '{{',
    '}}',
    '{',
    '}',
    '/',
    '~0',
    '~1',
    '"',
    '\\',
    '\n',
    'a',
    'é',
    '𝄞',
    'secret:token',
    '/event',
    '/data/gate',
    '{{/event}}',
  ]
  const text = (): string => Array.from({ length: Math.floor(random.next().value * 6) }, () => pick(scraps)).join('')
  const value = (depth: number): unknown => {
    if (depth === 0 || random.next().value < 0.5) return pick([text(), text(), 1, null, true])
    const items = Array.from({ length: 3 }, () => value(depth - 1))
    return random.next().value < 0.5 ? items : Object.fromEntries(items.map((item) => [text(), item]))
  }
  /** The same rules once more, by splitting: an independent implementation to compare with. */
  const expected = (template: unknown, envelope: object): unknown => {
    if (typeof template === 'string') {
      const whole = /^\{\{(\/(?:(?!\}\})[\s\S])*)\}\}$/.exec(template)?.[1]
      if (whole !== undefined && !template.startsWith('{{{{')) return valueAt(envelope, whole) ?? null
      if (template === '{{secret:token}}') return SECRETS.token
      return template.replaceAll(/\{\{\{\{|\{\{((?:(?!\}\})[\s\S])*)\}\}/g, (match, inner?: string) => {
        if (match === '{{{{') return '{{'
        const put = inner === 'secret:token' ? SECRETS.token : valueAt(envelope, inner ?? '')
        return put == null ? '' : typeof put === 'string' ? put : JSON.stringify(put)
      })
    }
    if (Array.isArray(template)) return template.map((item) => expected(item, envelope))
    if (template === null || typeof template !== 'object') return template
    return Object.fromEntries(Object.entries(template).map(([key, item]) => [key, expected(item, envelope)]))
  }
  let compared = 0
  for (let round = 0; round < 20_000; round += 1) {
    const template = value(3)
    if (errorsOf(template).length > 0) continue
    const envelope = { event: text(), data: { gate: value(2), a: text() } }
    const body = renderTemplate(compileTemplate(template), envelope, VALUES)
    expect(JSON.parse(body ?? '')).toEqual(expected(template, envelope) as never)
    compared += 1
  }
  expect(compared).toBeGreaterThan(2_000)
})

test('a pointer begins with / and escapes ~ and /', () => {
  expect(['/', '/a', '/a/~0~1', '//'].map(isWellFormedPointer)).toEqual([true, true, true, true])
  expect(['', 'a', '/~', '/~2', '#/a', 'a/b'].map(isWellFormedPointer)).toEqual([false, false, false, false, false, false])
})
