/** Bodies of the largest size that cost the most to read, by what is expensive about them. */

import { gzipSync } from 'node:zlib'
import { delimited as message } from '../../api/otlp/wire.ts'

const MAX_BYTES = 1_048_576

/** Repeats a piece until it takes about a number of bytes. */
export const fill = (piece: string, bytes = MAX_BYTES - 4_096): string =>
  piece.repeat(Math.max(1, Math.floor(bytes / Buffer.byteLength(piece))))

/** As many different pieces as take a number of bytes. */
export function series(pieceOf: (number: number) => string, separator: string, bytes = MAX_BYTES - 4_096): string {
  const pieces: string[] = []
  let length = 0
  for (let number = 0; length < bytes; number++) {
    const piece = pieceOf(number)
    pieces.push(piece)
    length += Buffer.byteLength(piece) + separator.length
  }
  return pieces.slice(0, -1).join(separator)
}

/** Fewer values than are refused unread. */
const MANY = 15_000
const many = (piece: (number: number) => string): string => Array.from({ length: MANY }, (_, number) => piece(number)).join(',')

export const JSON_BODIES: Record<string, () => string> = {
  'as many fields as fit': () => `{${series((number) => `"${number.toString(36)}":0`, ',')}}`,
  'as many numbered fields as fit': () => `{${series((number) => `"${number * 50_000}":0`, ',')}}`,
  'as many items as fit': () => `{"x":[0${fill(',0')}]}`,
  'as many objects as fit': () => `{"x":[{}${fill(',{}')}]}`,
  'many fields': () => `{${many((number) => `"${'k'.repeat(40)}${number}":0`)}}`,
  'many numbered fields': () => `{${many((number) => `"${number * 50_000}":0`)}}`,
  'two long names': () => `{"${fill('k', 500_000)}":0,"${fill('l', 500_000)}":0}`,
  'nested deeply': () => `{"x":${'['.repeat(500_000)}${']'.repeat(500_000)}}`,
  'one long number': () => `{"x":${fill('1')}}`,
  'combining marks': () => `{"x":"a${fill('\u0301\u0316')}"}`,
  'combining marks in a name': () => `{"a${fill('\u0301\u0316')}":0}`,
  'allowed combining marks': () => `{"x":"${fill(`a${'\u0301\u0316'.repeat(8)}`)}"}`,
  escapes: () => `{"x":"${fill('\\u0041')}"}`,
  'not closed': () => `{"x":"${fill('x')}`,
}

/** Texts for a field, each as large as a body can be. */
export const TEXTS: Record<string, () => string> = {
  letters: () => fill('x'),
  'accented letters': () => fill('e\u0301'),
  emoji: () => fill('\u{1F469}\u200D'),
  blanks: () => `x${fill(' ')}x`,
  'an address': () => `${fill('a.')}@example.com`,
  'an address in Unicode': () => `${fill('é')}@${'é'.repeat(500)}`,
  'a URL': () => `https://${fill('é.')}`,
  'a path': () => `https://example.com/${fill('a/../')}`,
  placeholders: () => fill('{{/a}}'),
  pointers: () => fill('/~1'),
}

/** What a list is filled with. */
export const ITEMS: Record<string, (number: number) => unknown> = {
  names: (number) => `item-${number}`,
  'the same': () => 'api',
  addresses: (number) => `ada${number}@example.com`,
  'addresses in Unicode': (number) => `a${number}@éééééééé.example`,
  objects: (number) => (number % 4 === 0 ? { name: `${number}` } : 0),
}

export const LIST_LENGTH = MANY

/** About the largest size of a form. */
const FORM_BYTES = 261_000

export const FORMS: Record<string, () => string> = {
  'as many fields as fit': () => series((number) => `f${number}=`, '&', FORM_BYTES),
  'one field as often as fits': () => `a=${fill('&a=', FORM_BYTES)}`,
  'a thousand fields': () => Array.from({ length: 999 }, (_, number) => `f${number}=${'x'.repeat(250)}`).join('&'),
  'percent signs': () => `name=${fill('%22', FORM_BYTES)}`,
  quotes: () => ['name', 'email', 'comment', 'x'].map((name) => `${name}=${fill('"', FORM_BYTES / 4)}`).join('&'),
  'combining marks': () => `name=${fill('\u0301\u0316', FORM_BYTES - 1_000)}&email=${fill('\u0301', 1_000)}`,
  'an address': () => `email=${fill('é', FORM_BYTES)}@example.com`,
}

const HEAD = 'openapi: 3.1.0\ninfo: {title: a, version: b}\npaths: {}\n'
const DOCUMENT = '"openapi":"3.1.0","info":{"title":"a","version":"b"},"paths":{}'

/** Descriptions of an API, in YAML and JSON. */
export const DESCRIPTIONS: Record<string, [type: string, text: () => string]> = {
  'YAML of many keys': ['application/yaml', () => `${HEAD}x-a:\n${series((number) => `  k${number}: 0`, '\n')}`],
  'YAML of many tags': ['application/yaml', () => `${HEAD}tags:\n${series((number) => `- name: t${number}`, '\n')}`],
  'YAML of many equal tags': ['application/yaml', () => `${HEAD}tags:\n${fill('- name: t\n')}`],
  'YAML of many items': ['application/yaml', () => `${HEAD}x-a: [0${fill(',0')}]`],
  'YAML of typed values': ['application/yaml', () => `${HEAD}x-a:\n${fill('- !!str 0\n')}`],
  'YAML of aliases': ['application/yaml', () => `${HEAD}x-a: &a [0]\nx-b:\n${fill('- *a\n')}`],
  'YAML of anchors': ['application/yaml', () => `${HEAD}x-a:\n${series((number) => `- &a${number} 0`, '\n')}`],
  'YAML of a long text': ['application/yaml', () => `${HEAD}x-a: |\n${fill('  text\n')}`],
  'YAML that is folded': ['application/yaml', () => `${HEAD}x-a: "${fill('a\n\n  ')}"`],
  'YAML of comments': ['application/yaml', () => `${HEAD}${fill('# a\n')}`],
  'YAML of blanks': ['application/yaml', () => `${HEAD}x-a: ${fill(' ')}#`],
  'YAML of documents': ['application/yaml', () => `${HEAD}${fill('---\n')}`],
  'YAML of directives': ['application/yaml', () => `${fill('%A b\n')}${HEAD}`],
  'YAML that is not closed': ['application/yaml', () => `${HEAD}x-a: "${fill('a')}`],
  'YAML of questions': ['application/yaml', () => `${HEAD}x-a:\n${fill('  ? a\n')}`],
  'JSON of many keys': ['application/json', () => `{${DOCUMENT},${series((number) => `"x-${number}":0`, ',')}}`],
  'JSON of many items': ['application/json', () => `{${DOCUMENT},"x-a":[0${fill(',0')}]}`],
  'JSON of many tags': ['application/json', () => `{${DOCUMENT},"tags":[${series((number) => `{"name":"t${number}"}`, ',')}]}`],
  'JSON of many equal tags': ['application/json', () => `{${DOCUMENT},"tags":[{"name":"t"}${fill(',{"name":"t"}')}]}`],
  'JSON of unknown paths': [
    'application/json',
    () => `{${DOCUMENT},"components":{"schemas":{${series((number) => `"s${number}":0`, ',')}}}}`,
  ],
  'JSON of references': [
    'application/json',
    () =>
      `{${DOCUMENT},"components":{"schemas":{"a":{},${series((number) => `"s${number}":{"$ref":"#/components/schemas/a"}`, ',')}}}}`,
  ],
  'JSON of schemas': [
    'application/json',
    () =>
      `{${DOCUMENT},"components":{"schemas":{${series((number) => `"s${number}":{"type":"string","enum":["a","b"]}`, ',')}}}}`,
  ],
  'JSON of operations': [
    'application/json',
    () =>
      `{${DOCUMENT.replace('{}', '')}{${series((number) => `"/${number}":{"get":{"responses":{"200":{"description":"x"}}}}`, ',')}}}`,
  ],
  'JSON of a deep schema': [
    'application/json',
    () =>
      `{${DOCUMENT},"components":{"schemas":{${series((number) => `"s${number}":${'{"allOf":['.repeat(30)}{}${']}'.repeat(30)}`, ',')}}}}`,
  ],
}

/** About the largest size of an export of telemetry. */
const EXPORT_BYTES = 4_190_000

const spansOf = (spans: string): string => `{"resourceSpans":[{"scopeSpans":[{"spans":[${spans}]}]}]}`

const INFERENCE = [
  '{"key":"gen_ai.operation.name","value":{"stringValue":"chat"}}',
  '{"key":"gen_ai.usage.input_tokens","value":{"intValue":"1"}}',
].join(',')

/** Exports of telemetry, in JSON and Protocol Buffers. @param execution that they name */
export const exportsFor = (
  execution: string,
): Record<string, [headers: Record<string, string>, body: () => string | Uint8Array]> => {
  const [json, protobuf] = [{ 'Content-Type': 'application/json' }, { 'Content-Type': 'application/x-protobuf' }]
  const id = `{"key":"signalbox.execution_id","value":{"stringValue":"${execution}"}}`
  const used = () =>
    series(
      (number) => `{"traceId":"${number.toString(16).padStart(32, '1')}","spanId":"1","attributes":[${INFERENCE}]}`,
      ',',
      EXPORT_BYTES - 200,
    )
  return {
    'JSON of many spans': [json, () => spansOf(`{}${fill(',{}', EXPORT_BYTES)}`)],
    'JSON of many attributes': [json, () => spansOf(`{"attributes":[{}${fill(',{}', EXPORT_BYTES)}]}`)],
    'JSON of much usage': [
      json,
      () => `{"resourceSpans":[{"resource":{"attributes":[${id}]},"scopeSpans":[{"spans":[${used()}]}]}]}`,
    ],
    'JSON of a long text': [json, () => spansOf(`{"name":"${fill('x', EXPORT_BYTES)}"}`)],
    'JSON that is nested deeply': [json, () => fill('[', EXPORT_BYTES)],
    'a message of many spans': [protobuf, () => message(1, message(2, Buffer.from('1200'.repeat(EXPORT_BYTES / 2), 'hex')))],
    'a message of many resources': [protobuf, () => Buffer.from('0a00'.repeat(EXPORT_BYTES / 2), 'hex')],
    'a bomb': [{ ...json, 'Content-Encoding': 'gzip' }, () => gzipSync(new Uint8Array(500_000_000))],
    'a compressed message': [
      { ...protobuf, 'Content-Encoding': 'gzip' },
      () => gzipSync(message(1, message(2, Buffer.from('1200'.repeat(EXPORT_BYTES / 2), 'hex')))),
    ],
  }
}

/** Headers of the largest size that the server reads. */
const HEADER_BYTES = 15_000
export const HEADERS: Record<string, Record<string, string>> = {
  Accept: { Accept: fill('a/b;q=0.1,', HEADER_BYTES) },
  'blank Accept': { Accept: `text/html${fill(' ', HEADER_BYTES)};` },
  Cookie: { Cookie: fill('a=b;', HEADER_BYTES) },
  'blank Cookie': { Cookie: `a${fill(' ', HEADER_BYTES)}b` },
  'one Cookie': { Cookie: `signalbox=${fill('=', HEADER_BYTES)}` },
  Prefer: { Prefer: `${fill('wait = 1 ;', HEADER_BYTES)}x` },
  'blank Prefer': { Prefer: `wait${fill(' ', HEADER_BYTES)}=` },
  'Prefer of commas': { Prefer: `${fill(',', HEADER_BYTES)}wait` },
  'If-None-Match': { 'If-None-Match': fill('"a",', HEADER_BYTES) },
  'If-Match': { 'If-Match': fill('W/"a" , ', HEADER_BYTES) },
  'blank If-Match': { 'If-Match': `"a"${fill(', ', HEADER_BYTES)}x` },
  'Idempotency-Key': { 'Idempotency-Key': fill('"', HEADER_BYTES) },
  Authorization: { Authorization: `Bearer ${fill(' ', HEADER_BYTES)}x y` },
  'a long token': { Authorization: `Bearer ${fill('a.', HEADER_BYTES)}` },
  'X-Forwarded-For': { 'X-Forwarded-For': fill('1.2.3.4,', HEADER_BYTES) },
  'X-Request-Id': { 'X-Request-Id': fill('a', HEADER_BYTES) },
  traceparent: { traceparent: fill('00-', HEADER_BYTES) },
  'User-Agent': { 'User-Agent': fill('Mozilla/5.0 (', HEADER_BYTES) },
  'Content-Type': { 'Content-Type': `application/json${fill(' ;', HEADER_BYTES)}` },
  'Last-Event-ID': { 'Last-Event-ID': fill('1', HEADER_BYTES) },
}

/** Queries of the largest size. */
export const QUERIES: Record<string, string> = {
  'many parameters': series((number) => `p${number}=`, '&', HEADER_BYTES),
  'one parameter often': fill('page=1&', HEADER_BYTES),
  'a long text': `query=${fill('%25_', HEADER_BYTES)}`,
  'combining marks': `query=a${fill('%CC%81', HEADER_BYTES)}`,
  'an address': `query=${fill('a.', 7_000)}@${fill('b.', 7_000)}`,
}
