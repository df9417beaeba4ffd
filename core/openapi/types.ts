/** Describes schemas to readers: their types, limits, defaults and examples. */
import { isObject } from '../values/json.ts'
import { list, type Node, node, nodes, resolved, schemaName, words } from './document.ts'
import { violationOf } from './validity.ts'

const MAX_NESTED = 4
const MAX_CHOICES = 50
const MAX_JSON = 200

/** A part of a description: our words, words of the document, a value, or a schema with a name. */
export type Part = string | { words: string } | { code: string } | { schema: string }

/** A value as JSON on one line; long ones are cut. */
function json(value: unknown): string {
  const text = JSON.stringify(value) ?? 'null'
  return text.length > MAX_JSON ? `${text.slice(0, MAX_JSON)}…` : text
}

/** A value as a reader would type it: strings without quotes. */
const plainValue = (value: unknown): Part => {
  if (typeof value !== 'string') return { code: json(value) }
  return value === '' ? 'empty' : { code: value.length > MAX_JSON ? `${value.slice(0, MAX_JSON)}…` : value }
}

function listed(values: Part[][], last: string): Part[] {
  const shown = values.slice(0, MAX_CHOICES)
  const more = values.length - shown.length
  const separator = (index: number) => (index === shown.length - 1 && more === 0 ? ` ${last} ` : ', ')
  const parts = shown.flatMap((value, index) => (index === 0 ? value : [separator(index), ...value]))
  return more > 0 ? [...parts, `, and ${more} more`] : parts
}

/** `string (uuid)`, `array of Order`, `one of open or paid`. */
export function typeOf(document: Node, schema: unknown, depth = 0): Part[] {
  const name = schemaName(schema)
  if (name !== null) return [{ schema: name }]
  if (depth > MAX_NESTED) return ['…']
  const whole = resolved(document, schema)
  if (Array.isArray(whole.enum)) {
    const values = whole.enum.map((value) => [plainValue(value)])
    return ['one of ', ...listed(values, 'or')]
  }
  if (whole.const !== undefined) return [plainValue(whole.const)]
  const several = (schemas: Node[], last: string) => {
    const types = schemas.slice(0, MAX_CHOICES + 1).map((each) => typeOf(document, each, depth + 1))
    return listed([...new Map(types.map((type) => [JSON.stringify(type), type])).values()], last)
  }
  const choices = nodes(whole.oneOf ?? whole.anyOf)
  if (choices.length > 0) return several(choices, 'or')
  const parts = nodes(whole.allOf)
  return parts.length > 0 ? several(parts, 'and') : plainType(document, whole, depth)
}

function plainType(document: Node, schema: Node, depth: number): Part[] {
  const { type, items, properties, format, nullable, additionalProperties } = schema
  const implied = properties || additionalProperties ? 'object' : items ? 'array' : 'any'
  const names = (Array.isArray(type) ? type : [type ?? implied]).map(String)
  const types = names.map((name): Part[] => {
    if (name === 'array') return items === undefined ? ['array'] : ['array of ', ...typeOf(document, items, depth + 1)]
    if (name === 'object' && !properties && isObject(additionalProperties) && Object.keys(additionalProperties).length > 0) {
      return ['object with values of ', ...typeOf(document, additionalProperties, depth + 1)]
    }
    return [{ words: words(format) && name !== 'null' ? `${name} (${words(format)})` : name }]
  })
  return listed([...types, ...(nullable === true ? [['null']] : [])], 'or')
}

const numeric = (value: unknown): value is number => typeof value === 'number'

/** `1–64 characters`, `at least 1 item`; null without limits. */
function range(least: unknown, most: unknown, unit: string): string | null {
  const units = (count: number) => (unit === '' ? '' : ` ${unit}${count === 1 ? '' : 's'}`)
  if (numeric(least) && numeric(most))
    return least === most ? `exactly ${most}${units(most)}` : `${least} to ${most}${units(most)}`
  if (numeric(least)) return `at least ${least}${units(least)}`
  return numeric(most) ? `at most ${most}${units(most)}` : null
}

/** The range of a number, whose limits may be exclusive: booleans in 3.0, numbers of their own in 3.1. */
function numberRange({ minimum, maximum, exclusiveMinimum, exclusiveMaximum }: Node): string | null {
  const above = numeric(exclusiveMinimum) ? exclusiveMinimum : exclusiveMinimum === true ? minimum : undefined
  const below = numeric(exclusiveMaximum) ? exclusiveMaximum : exclusiveMaximum === true ? maximum : undefined
  const parts = [
    numeric(above) && `greater than ${above}`,
    numeric(below) && `less than ${below}`,
    range(numeric(above) ? null : minimum, numeric(below) ? null : maximum, ''),
  ]
  return parts.filter(Boolean).join(', ') || null
}

/** What a schema restricts beyond its type. */
export function limitsOf(document: Node, schema: unknown): Part[][] {
  const whole = { ...resolved(document, schema), ...node(schema) }
  const { pattern, multipleOf, uniqueItems, readOnly, writeOnly } = whole
  const limits: (Part[] | string | null | false)[] = [
    range(whole.minLength, whole.maxLength, 'character'),
    numberRange(whole),
    numeric(multipleOf) && `multiple of ${multipleOf}`,
    range(whole.minItems, whole.maxItems, 'item'),
    range(whole.minProperties, whole.maxProperties, 'field'),
    uniqueItems === true && 'unique items',
    words(pattern) !== '' && ['pattern ', { code: words(pattern) }],
    readOnly === true && 'read only',
    writeOnly === true && 'write only',
  ]
  return limits.filter((limit) => limit !== null && limit !== false).map((limit) => (typeof limit === 'string' ? [limit] : limit))
}

export function defaultOf(document: Node, schema: unknown): Part[] | null {
  const value = { ...resolved(document, schema), ...node(schema) }.default
  return value === undefined ? null : ['Default: ', plainValue(value), '.']
}

/** The first of an example and those of a schema that satisfies the schema, as a sentence. */
export function exampleSentence(document: Node, schema: unknown, example?: unknown): Part[] | null {
  const whole = { ...resolved(document, schema), ...node(schema) }
  const shown = [example, whole.example, list(whole.examples)[0]].find(
    (each) => each !== undefined && violationOf(document, schema, each, 'response', true) === null,
  )
  return shown === undefined ? null : ['Example: ', plainValue(shown), '.']
}
