/** Writes schemas as Markdown: their types, limits and defaults. */

import { isNode, list, type Node, node, nodes, resolved, schemaName, words } from '../../../core/openapi.ts'
import { code, inline } from '../markdown.ts'
import { violationOf } from './validity.ts'

const MAX_NESTED = 4
const MAX_CHOICES = 50
const MAX_JSON = 200

/** A value as JSON on one line; long ones are cut. */
export function json(value: unknown): string {
  const text = JSON.stringify(value) ?? 'null'
  return text.length > MAX_JSON ? `${text.slice(0, MAX_JSON)}…` : text
}

/** A value as a reader would type it: strings without quotes. */
const plainValue = (value: unknown): string => {
  if (typeof value !== 'string') return code(json(value))
  return code(value.length > MAX_JSON ? `${value.slice(0, MAX_JSON)}…` : value) || 'empty'
}

/** Values as a list; those beyond a limit are counted. */
function listed(values: string[], last: string): string {
  const shown = values.slice(0, MAX_CHOICES)
  const more = values.length - shown.length
  if (more > 0) return `${shown.join(', ')}, and ${more} more`
  return shown.length < 2 ? shown.join('') : `${shown.slice(0, -1).join(', ')} ${last} ${shown.at(-1)}`
}

/** Writes the types of schemas. Named schemas become links. */
export class TypeWriter {
  constructor(
    private readonly document: Node,
    /** A link to the section of a named schema, or its name if it has none. */
    private readonly linkTo: (name: string) => string,
  ) {}

  /** `string (uuid)`, `array of Order`, `one of open or paid`. */
  type(schema: unknown, depth = 0): string {
    const name = schemaName(schema)
    if (name !== null) return this.linkTo(name)
    if (depth > MAX_NESTED) return '…'
    const whole = resolved(this.document, schema)
    if (Array.isArray(whole.enum)) return `one of ${listed(whole.enum.map(plainValue), 'or')}`
    if (whole.const !== undefined) return plainValue(whole.const)
    const choices = nodes(whole.oneOf ?? whole.anyOf)
    if (choices.length > 0) return this.several(choices, 'or', depth)
    const parts = nodes(whole.allOf)
    if (parts.length > 0) return this.several(parts, 'and', depth)
    return this.byType(whole, depth)
  }

  private several(schemas: Node[], last: string, depth: number): string {
    const types = new Set(schemas.slice(0, MAX_CHOICES + 1).map((each) => this.type(each, depth + 1)))
    return listed([...types], last)
  }

  private byType(schema: Node, depth: number): string {
    const { type, items, properties, format, nullable, additionalProperties } = schema
    const implied = properties || additionalProperties ? 'object' : items ? 'array' : 'any'
    const names = (Array.isArray(type) ? type : [type ?? implied]).map(String)
    const types = names.map((name) => {
      if (name === 'array') return items === undefined ? 'array' : `array of ${this.type(items, depth + 1)}`
      if (name === 'object' && !properties && isNode(additionalProperties) && Object.keys(additionalProperties).length > 0) {
        return `object with values of ${this.type(additionalProperties, depth + 1)}`
      }
      return inline(words(format) && name !== 'null' ? `${name} (${words(format)})` : name)
    })
    return listed([...types, ...(nullable === true ? ['null'] : [])], 'or')
  }
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

/** What a schema restricts beyond its type, as Markdown. */
export function limitsOf(document: Node, schema: unknown): string[] {
  const whole = { ...resolved(document, schema), ...node(schema) }
  const { pattern, multipleOf, uniqueItems, readOnly, writeOnly } = whole
  return [
    range(whole.minLength, whole.maxLength, 'character'),
    numberRange(whole),
    numeric(multipleOf) && `multiple of ${multipleOf}`,
    range(whole.minItems, whole.maxItems, 'item'),
    range(whole.minProperties, whole.maxProperties, 'field'),
    uniqueItems === true && 'unique items',
    words(pattern) && `pattern ${code(words(pattern))}`,
    readOnly === true && 'read only',
    writeOnly === true && 'write only',
  ].filter((limit): limit is string => typeof limit === 'string' && limit !== '')
}

/** The default of a schema, and its example if it satisfies the schema, as sentences. */
export function valuesOf(document: Node, schema: unknown, example?: unknown): string[] {
  const whole = { ...resolved(document, schema), ...node(schema) }
  const shown = [example, whole.example, list(whole.examples)[0]].find(
    (each) => each !== undefined && violationOf(document, schema, each, 'response', true) === null,
  )
  return [
    ...(whole.default === undefined ? [] : [`Default: ${plainValue(whole.default)}.`]),
    ...(shown === undefined ? [] : [`Example: ${plainValue(shown)}.`]),
  ]
}
