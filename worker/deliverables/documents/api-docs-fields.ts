/** The fields of schemas in the API documentation. */
import { type Node, node, nodes, propertiesOf, resolved, schemaName, words } from '../../../core/openapi/document.ts'
import { defaultOf, exampleSentence, limitsOf, type Part, typeOf } from '../../../core/openapi/types.ts'
import { isObject } from '../../../core/values/json.ts'
import { type Block, code, inline, table, withCode } from '../markdown.ts'

/**
 * Limits the size of a document. References let a short description describe a very long document, because everything that is
 * referred to is written where it is used.
 */
export class Space {
  constructor(private left: number) {}

  /** Takes space for a number of characters; false if there is not enough left. */
  take(characters: number): boolean {
    this.left = Math.max(0, this.left - characters)
    return this.left > 0
  }

  /** A table of as many rows as fit. */
  table(head: string[], rows: Iterable<string[]>): Block {
    const fitting: string[][] = []
    for (const row of rows) {
      if (!this.take(row.reduce((length, cell) => length + cell.length + 3, 2))) break
      fitting.push(row)
    }
    return fitting.length > 0 && table(head, fitting)
  }

  text(text: string): string | null {
    return this.take(text.length) ? text : null
  }
}

/** Characters of a text in a table or of a summary, and of one with paragraphs. */
const MAX_LINE = 4_000
const MAX_PROSE = 50_000

const cut = (text: string, limit: number): string => (text.length > limit ? `${text.slice(0, limit)}…` : text)

export const cutLine = (text: string): string => cut(text, MAX_LINE)
export const cutProse = (text: string): string => cut(text, MAX_PROSE)

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

export const written = ({ linkTo }: Reference, parts: Part[]): string =>
  parts
    .map((part) => {
      if (typeof part === 'string') return part
      if ('words' in part) return inline(part.words)
      return 'code' in part ? code(part.code) || 'empty' : linkTo(part.schema)
    })
    .join('')

const typeText = (reference: Reference, schema: unknown): string => written(reference, typeOf(reference.document, schema))

export const typeCell = (reference: Reference, schema: unknown): string =>
  [typeText(reference, schema), ...limitsOf(reference.document, schema).map((limit) => written(reference, limit))].join(', ')

export function meaningCell(reference: Reference, holder: Node, schema: unknown, example?: unknown): string {
  const { document } = reference
  const { deprecated, description } = resolved(document, schema)
  const values = [defaultOf(document, schema), exampleSentence(document, schema, example)].filter((each) => each !== null)
  const sentences = [
    (holder.deprecated === true || deprecated === true) && 'Deprecated.',
    withCode(cutLine(words(holder.description) || words(description))),
    ...values.map((each) => written(reference, each)),
  ]
  return sentences.filter(Boolean).join(' ')
}

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

export function fieldTable(reference: Reference, schema: unknown): Block {
  const whole = resolved(reference.document, schema)
  const isList = isObject(whole.items) && schemaName(whole.items) === null
  return reference.space.table(['Field', 'Type', 'Description'], fieldRows(reference, isList ? whole.items : whole, '', 0))
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
