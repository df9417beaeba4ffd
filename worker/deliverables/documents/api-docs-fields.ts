/** The fields of schemas in the API documentation. */

import { type Node, node, nodes, propertiesOf, resolved, schemaName, words } from '../../../core/openapi/document.ts'
import { defaultOf, exampleSentence, limitsOf, type Part, typeOf } from '../../../core/openapi/types.ts'
import { isObject } from '../../../core/values/objects.ts'
import { code, inline, table, withCode } from '../markdown.ts'
import { cutLine, type Space } from '../openapi/space.ts'

/** What all parts of the API documentation share. */
export interface Reference {
  document: Node
  /** A link to the section of a named schema, or its name if it has none. */
  linkTo: (name: string) => string
  space: Space
  /** The shell variable of each security scheme. */
  variables: Map<string, string>
}

/** How deep fields without a named schema are listed within their parents. */
const MAX_DEPTH = 4

/** A description as Markdown. */
export const written = ({ linkTo }: Reference, parts: Part[]): string =>
  parts
    .map((part) => {
      if (typeof part === 'string') return part
      if ('words' in part) return inline(part.words)
      return 'code' in part ? code(part.code) || 'empty' : linkTo(part.schema)
    })
    .join('')

const typeText = (reference: Reference, schema: unknown): string => written(reference, typeOf(reference.document, schema))

/** The type of a value with its limits. */
export const typeCell = (reference: Reference, schema: unknown): string =>
  [typeText(reference, schema), ...limitsOf(reference.document, schema).map((limit) => written(reference, limit))].join(', ')

/** A description with the default and the example of a value. */
export function meaningCell(reference: Reference, holder: Node, schema: unknown, example?: unknown): string {
  const { document } = reference
  const { deprecated } = resolved(document, schema)
  const description = words(holder.description) || words(resolved(document, schema).description)
  const isDeprecated = holder.deprecated === true || deprecated === true
  const values = [defaultOf(document, schema), exampleSentence(document, schema, example)].filter((each) => each !== null)
  const sentences = [
    isDeprecated && 'Deprecated.',
    withCode(cutLine(description)),
    ...values.map((each) => written(reference, each)),
  ]
  return sentences.filter(Boolean).join(' ')
}

/** A name, with where it is sent, and whether it is required. */
export function nameCell(name: string, isRequired: boolean, where = ''): string {
  const notes = [where, isRequired && 'required'].filter(Boolean).join(', ')
  return `${code(name) || '–'}${notes ? ` (${notes})` : ''}`
}

function* fieldRows(reference: Reference, schema: unknown, path: string, depth: number): Generator<string[]> {
  const { properties, required } = propertiesOf(reference.document, schema)
  for (const [name, property] of properties) {
    const at = path === '' ? name : `${path}.${name}`
    yield [nameCell(at, required.has(name)), typeCell(reference, property), meaningCell(reference, node(property), property)]
    yield* nestedRows(reference, property, at, depth)
  }
}

/** The fields of a property that has no schema with a name, and of the items of one. */
function* nestedRows(reference: Reference, property: unknown, at: string, depth: number): Generator<string[]> {
  if (depth >= MAX_DEPTH || node(property).$ref !== undefined) return
  const { items, additionalProperties } = node(property)
  if (isObject(items) && schemaName(items) === null) yield* fieldRows(reference, items, `${at}[]`, depth + 1)
  else if (isObject(additionalProperties) && schemaName(additionalProperties) === null) {
    yield* fieldRows(reference, additionalProperties, `${at}.*`, depth + 1)
  } else yield* fieldRows(reference, property, at, depth + 1)
}

/** The fields of an object, or of the items of a list, as a table; null if it has none. */
export function fieldTable(reference: Reference, schema: unknown): string | null {
  const whole = resolved(reference.document, schema)
  const isList = isObject(whole.items) && schemaName(whole.items) === null
  const rows = reference.space.fitting(fieldRows(reference, isList ? whole.items : whole, '', 0))
  return rows.length > 0 ? table(['Field', 'Type', 'Description'], rows) : null
}

/** What a schema is beyond its fields: alternatives, a type that is not an object, or which other fields it allows. */
export function schemaSentence(reference: Reference, schema: Node): string | null {
  const { discriminator, additionalProperties, oneOf, anyOf, properties, allOf } = schema
  if (nodes(oneOf ?? anyOf).length > 0) {
    const field = words(node(discriminator).propertyName)
    return `${typeText(reference, { oneOf: oneOf ?? anyOf })}.${field ? ` The field ${code(field)} tells which.` : ''}`
  }
  const named = nodes(allOf).filter((part) => schemaName(part) !== null)
  if (named.length > 0) return `Includes the fields of ${typeText(reference, { allOf: named })}.`
  if (!properties && !allOf) return `${typeCell(reference, schema)}.`
  return isObject(additionalProperties) && Object.keys(additionalProperties).length > 0
    ? `Other fields have values of ${typeText(reference, additionalProperties)}.`
    : null
}
