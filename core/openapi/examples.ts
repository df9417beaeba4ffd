/** Examples of values: those that a description gives, else made from the schema. */
import { isObject } from '../values/json.ts'
import { isJson, list, type Node, node, nodes, propertiesOf, resolved, words } from './document.ts'
import type { Part } from './types.ts'
import { type Direction, type Violation, violationOf } from './validity.ts'

/** Limits for an example made from a schema: its values, and how deep they are nested. */
const MAX_VALUES = 60
const MAX_REQUIRED = 600
const MAX_DEPTH = 4
const MAX_ITEMS = 3
const MAX_STRING = 100

const MAX_CHARACTERS = 20_000

export type Example = { summary: string; value: unknown }

/** Examples that satisfy their schema; if there are none, why. */
interface Examples {
  shown: Example[]
  /** A sentence, after a colon. */
  why: Part[] | null
}

/** Strings by format. The id is one that no system assigns. */
const BY_FORMAT: Record<string, string> = {
  'date-time': '2026-01-31T12:00:00Z',
  date: '2026-01-31',
  time: '12:00:00Z',
  duration: 'P1D',
  email: 'user@example.com',
  'idn-email': 'user@example.com',
  hostname: 'example.com',
  'idn-hostname': 'example.com',
  ipv4: '192.0.2.1',
  ipv6: '2001:db8::1',
  uri: 'https://example.com',
  url: 'https://example.com',
  'uri-reference': '/example',
  iri: 'https://example.com',
  uuid: '00000000-0000-4000-8000-000000000000',
  byte: 'ZXhhbXBsZQ==',
  binary: 'example',
  password: 'secret',
}

const numeric = (value: unknown): number | null => (typeof value === 'number' && Number.isFinite(value) ? value : null)

function exampleString({ format, minLength, maxLength }: Node, word = 'string'): string {
  const known = Object.hasOwn(BY_FORMAT, words(format)) ? BY_FORMAT[words(format)] : undefined
  if (known !== undefined) return known
  const least = Math.min(numeric(minLength) ?? 0, MAX_STRING)
  return word.padEnd(least, word).slice(0, Math.max(least, numeric(maxLength) ?? MAX_STRING))
}

function exampleNumber(schema: Node, isInteger: boolean): number {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema
  const step = numeric(multipleOf) || (isInteger ? 1 : 0.5)
  // Exclusive limits are booleans in 3.0, and numbers of their own in 3.1.
  const least = numeric(exclusiveMinimum) ?? numeric(minimum)
  const most = numeric(exclusiveMaximum) ?? numeric(maximum)
  const isAboveLeast = exclusiveMinimum === true || numeric(exclusiveMinimum) !== null
  const isBelowMost = exclusiveMaximum === true || numeric(exclusiveMaximum) !== null
  let value = least === null ? step : Math.ceil(least / step) * step
  if (least !== null && isAboveLeast && value <= least) value += step
  if (most !== null && value >= most) value = isBelowMost ? most - step : Math.min(value, most)
  return Number.isFinite(value) ? value : 0
}

export function givenBy(schema: Node): { value: unknown } | null {
  if (Object.hasOwn(schema, 'example')) return { value: schema.example }
  const [first] = Array.isArray(schema.examples) ? schema.examples : []
  if (first !== undefined) return { value: first }
  for (const name of ['const', 'default']) if (Object.hasOwn(schema, name)) return { value: schema[name] }
  const [choice] = list(schema.enum)
  return choice === undefined ? null : { value: choice }
}

class ExampleBuilder {
  private left = MAX_VALUES
  private readonly open: string[] = []

  constructor(
    private readonly document: Node,
    private readonly direction: Direction,
    private readonly textFor?: (name: string) => string,
  ) {}

  /** @returns undefined for what must be left out: a schema within itself, or too much */
  of(schema: unknown, name = ''): unknown {
    const { $ref } = node(schema)
    if (typeof $ref !== 'string') return this.inline(node(schema), name)
    if (this.open.includes($ref)) return undefined
    this.open.push($ref)
    const value = this.inline(resolved(this.document, schema), name)
    this.open.pop()
    return value
  }

  private inline(schema: Node, name: string): unknown {
    const given = givenBy(schema)
    if (given && violationOf(this.document, schema, given.value, this.direction, true) === null) return given.value
    if (this.left <= MAX_VALUES - MAX_REQUIRED || this.open.length > MAX_DEPTH) return undefined
    this.left -= 1
    const choices = nodes(schema.oneOf ?? schema.anyOf)
    if (choices.length > 0) return this.firstOf(choices, schema, name)
    const parts = nodes(schema.allOf)
    const [part] = parts
    if (parts.length === 1 && part && !schema.properties) return this.of(part, name)
    return this.byType(schema, name)
  }

  /** The first choice with an example, with the properties that all choices have. */
  private firstOf(choices: Node[], schema: Node, name: string): unknown {
    const isNull = (choice: Node) => choice.type === 'null'
    for (const choice of [...choices.filter((each) => !isNull(each)), ...choices.filter(isNull)]) {
      const value = this.of(choice, name)
      if (value === undefined) continue
      return isObject(value) && schema.properties ? { ...node(this.object(schema)), ...value } : value
    }
    return undefined
  }

  private byType(schema: Node, name: string): unknown {
    const types = Array.isArray(schema.type) ? schema.type : [schema.type]
    switch (types.find((type) => type !== 'null') ?? (types.includes('null') ? 'null' : undefined)) {
      case 'string':
        return exampleString(schema, this.textFor?.(name))
      case 'integer':
        return exampleNumber(schema, true)
      case 'number':
        return exampleNumber(schema, false)
      case 'boolean':
        return true
      case 'null':
        return null
      case 'array':
        return this.array(schema, name)
      case undefined:
        if (schema.items) return this.array(schema, name)
        return schema.properties || schema.allOf || schema.additionalProperties ? this.object(schema) : 'string'
      default:
        return this.object(schema)
    }
  }

  private array({ items, minItems, maxItems, prefixItems, uniqueItems }: Node, name: string): unknown[] {
    const count = Math.min(Math.max(1, numeric(minItems) ?? 1), numeric(maxItems) ?? MAX_ITEMS, MAX_ITEMS)
    const schemas = Array.isArray(prefixItems) ? prefixItems.slice(0, MAX_ITEMS) : Array(Math.max(0, count)).fill(items)
    const values = schemas.map((each) => this.of(each, name)).filter((each) => each !== undefined)
    return uniqueItems === true ? values.map((each, index) => this.distinct(each, index, items)) : values
  }

  private distinct(value: unknown, index: number, items: unknown): unknown {
    const choice = list(resolved(this.document, items).enum)[index]
    if (choice !== undefined) return choice
    if (index === 0) return value
    return typeof value === 'string' ? `${value}${index + 1}` : typeof value === 'number' ? value + index : value
  }

  private object(schema: Node): Node {
    const { properties, required } = propertiesOf(this.document, schema)
    const entries: [string, unknown][] = []
    for (const [name, property] of properties) {
      const { readOnly, writeOnly, deprecated } = { ...resolved(this.document, property), ...node(property) }
      if (this.direction === 'request' ? readOnly === true : writeOnly === true) continue
      if ((deprecated === true || this.left <= 0) && !required.has(name)) continue
      const value = this.of(property, name)
      if (value !== undefined) entries.push([name, value])
    }
    if (entries.length === 0 && isObject(schema.additionalProperties)) {
      const value = this.of(schema.additionalProperties)
      if (value !== undefined) entries.push(['key', value])
    }
    // Unlike an assignment, this makes a property of any name, also `__proto__`.
    return Object.fromEntries(entries)
  }
}

/** A value that fits a schema. Recursive schemas end, and large ones are cut. @param textFor the text for a field, by its name */
export function exampleOf(document: Node, schema: unknown, direction: Direction, textFor?: (name: string) => string): unknown {
  return new ExampleBuilder(document, direction, textFor).of(schema) ?? null
}

export function givenExamples(document: Node, holder: Node): Example[] {
  if (Object.hasOwn(holder, 'example')) return [{ summary: '', value: holder.example }]
  return Object.entries(node(holder.examples)).flatMap(([name, each]) => {
    const example = resolved(document, each)
    return Object.hasOwn(example, 'value') ? [{ summary: words(example.summary) || name, value: example.value }] : []
  })
}

/** The schema of a parameter, header or media type. A parameter has either a schema or a media type. */
export function schemaOf(holder: Node): unknown {
  const [content] = Object.values(node(holder.content))
  return isObject(content) ? content.schema : holder.schema
}

function givenOf(document: Node, holder: Node): Example[] {
  const given = givenExamples(document, holder)
  const [content] = Object.values(node(holder.content))
  return given.length === 0 && isObject(content) ? givenExamples(document, content) : given
}

const where = ({ keyword, path }: Violation): Part[] => [{ code: keyword }, ...(path === '' ? [] : [' at ', { code: path }])]

/** Why an example is not shown, as the end of a sentence; null if it is. */
function refusal(document: Node, schema: unknown, value: unknown, direction: Direction, isGiven: boolean): Part[] | null {
  const size = (typeof value === 'string' ? value : (JSON.stringify(value) ?? '')).length
  if (size > MAX_CHARACTERS) return [`has ${size} characters.`]
  const violation = schema === undefined ? null : violationOf(document, schema, value, direction, isGiven)
  return violation && ['does not satisfy ', ...where(violation), '.']
}

/**
 * The examples of a parameter, header or media type: those that are given, else one that is made, if they satisfy their schema.
 *
 * @param type the media type: a schema does not describe a text in another one than JSON, such as XML
 */
export function examplesOf(document: Node, holder: Node, direction: Direction, type = 'application/json'): Examples {
  const schema = schemaOf(holder)
  const isText = (value: unknown) => typeof value === 'string' && !isJson(type)
  const given = givenOf(document, holder)
  const refused = given.map(({ value }) => refusal(document, isText(value) ? undefined : schema, value, direction, true))
  const shown = given.filter((_, index) => refused[index] === null)
  if (shown.length > 0) return { shown, why: null }
  const value = exampleOf(document, schema, direction)
  const made = refusal(document, schema, value, direction, false)
  if (made === null) return { shown: [{ summary: '', value }], why: null }
  const [first] = refused
  return { shown: [], why: first ? ['the example of the description ', ...first] : ['one that is made of the schema ', ...made] }
}
