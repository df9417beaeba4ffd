/** The section of one operation in the API documentation. */

import { alternativesOf, curl, prettyJson } from '../../../core/openapi/curl.ts'
import {
  list,
  mediaTypesOf,
  type Node,
  node,
  type Operation,
  resolved,
  schemaName,
  words,
} from '../../../core/openapi/document.ts'
import { type Example, examplesOf, givenExamples, schemaOf } from '../../../core/openapi/examples.ts'
import type { Direction } from '../../../core/openapi/validity.ts'
import { block, code, inline, line, prose, table, warning, withCode } from '../markdown.ts'
import { agreeing, pathValues } from '../openapi/agreement.ts'
import { cutLine, cutProse } from '../openapi/space.ts'
import { fieldTable, meaningCell, nameCell, type Reference, typeCell, written } from './api-docs-fields.ts'

type Block = string | null | false

const MAX_EXAMPLES = 3

function parameters(reference: Reference, { parameters: all }: Operation): Block {
  const rows = all.values().map((parameter) => {
    const schema = schemaOf(parameter)
    const example = givenExamples(reference.document, parameter)[0]?.value
    return [
      nameCell(words(parameter.name), parameter.required === true, inline(words(parameter.in))),
      typeCell(reference, schema),
      meaningCell(reference, parameter, schema, example),
    ]
  })
  const fitting = reference.space.fitting(rows)
  return fitting.length > 0 && table(['Parameter', 'Type', 'Description'], fitting)
}

/** What an operation requires; null if the description does not mention security. */
const security = ({ variables }: Reference, { security: alternatives }: Operation): Block =>
  (variables.size > 0 || alternatives.length > 0) && `Authentication: ${requirementOf(alternatives)}.`

/** What alternatives of security require, as Markdown within a line. */
function requirementOf(alternatives: Node[]): string {
  const named = alternativesOf(alternatives)
  const required = named.filter(({ length }) => length > 0)
  if (required.length === 0) return 'none'
  const each = required.map((schemes) =>
    schemes
      .map(([name, scopes]) => `${code(name)}${scopes.length > 0 ? ` (scopes ${scopes.map(code).join(', ')})` : ''}`)
      .join(' and '),
  )
  return `${each.join(', or ')}${required.length < named.length ? '; optional' : ''}`
}

const isJson = (type: string): boolean => /[/+]json\b/i.test(type)

function exampleBlock(reference: Reference, type: string, { value }: Example): Block {
  const text = isJson(type) || typeof value !== 'string' ? prettyJson(value) : value
  return reference.space.text(block(text, isJson(type) ? 'json' : ''))
}

/** The examples of a body, each with what it is. */
function examples(reference: Reference, type: string, what: string, all: Example[]): Block[] {
  return all.slice(0, MAX_EXAMPLES).flatMap((example) => {
    const shown = exampleBlock(reference, type, example)
    return shown ? [`${what}${example.summary ? `, ${inline(example.summary)}` : ''}:`, shown] : []
  })
}

const bodySentence = (reference: Reference, media: [type: string, media: Node][]): string =>
  media
    .map(([type, { schema }]) => `${code(type)}${schema === undefined ? '' : `, ${typeCell(reference, schema)}`}`)
    .join('; or ')

function requestBody(reference: Reference, { operation }: Operation, isCalled: boolean): Block[] {
  const request = resolved(reference.document, operation.requestBody)
  const media = mediaTypesOf(request.content)
  const [type, first] = media[0] ?? []
  if (type === undefined || first === undefined) return []
  // The first example of a request is in the call.
  const { shown, why } = examplesOf(reference.document, first, isCalled ? 'request' : 'response', type)
  return [
    `Request body${request.required === true ? ' (required)' : ''}: ${bodySentence(reference, media)}.`,
    words(request.description) !== '' && reference.space.text(prose(cutProse(words(request.description)))),
    schemaName(first.schema) === null && fieldTable(reference, first.schema),
    ...examples(reference, type, 'Request', shown.slice(isCalled ? 1 : 0)),
    why !== null && `${isCalled ? 'The call leaves its body out' : 'No example of the request'}: ${written(reference, why)}`,
  ]
}

function call(reference: Reference, operation: Operation, values: Map<string, unknown>): Block {
  const { document, variables, space } = reference
  const [media] = mediaTypesOf(resolved(document, operation.operation.requestBody).content)
  const [example] = media ? examplesOf(document, media[1], 'request', media[0]).shown : []
  const body = media && example ? { type: media[0], media: media[1], example } : null
  return space.text(block(curl(document, operation, { variables, body, values }), 'sh'))
}

interface Response {
  status: string
  response: Node
  media: [type: string, media: Node][]
}

function responsesOf({ document }: Reference, operation: Node): Response[] {
  return Object.entries(node(operation.responses)).map(([status, each]) => {
    const response = resolved(document, each)
    return { status, response, media: mediaTypesOf(response.content) }
  })
}

function responseTable(reference: Reference, responses: Response[]): Block {
  const rows = responses.values().map(({ status, response, media: [first] }) => {
    const schema = first?.[1].schema
    const type = first && (schema === undefined ? code(first[0]) : typeCell(reference, schema))
    return [code(status), type || '–', withCode(cutLine(words(response.description))) || '–']
  })
  const fitting = reference.space.fitting(rows)
  return fitting.length > 0 && table(['Status', 'Body', 'Description'], fitting)
}

/** The headers of all responses; one that several have is listed once. */
function headerTable(reference: Reference, responses: Response[]): Block {
  const headers = new Map<string, { name: string; header: Node; statuses: string[] }>()
  for (const { status, response } of responses) {
    for (const [name, each] of Object.entries(node(response.headers))) {
      const known = headers.get(name.toLowerCase())
      if (known) known.statuses.push(status)
      else headers.set(name.toLowerCase(), { name, header: resolved(reference.document, each), statuses: [status] })
    }
  }
  const rows = headers
    .values()
    .map(({ name, header, statuses }) => [
      nameCell(name, false),
      statuses.map(code).join(', '),
      typeCell(reference, header.schema),
      meaningCell(reference, header, header.schema, givenExamples(reference.document, header)[0]?.value),
    ])
  const fitting = reference.space.fitting(rows)
  return fitting.length > 0 && table(['Response header', 'With', 'Type', 'Description'], fitting)
}

/** An example for each response that gives one, for the first success, and for the first client error of each schema. */
function responseExamples(
  reference: Reference,
  responses: Response[],
  direction: Direction,
  agreed: (example: unknown, schema: unknown) => unknown,
): Block[] {
  const success = responses.find(({ status, media }) => /^2/.test(status) && media.length > 0)
  const shownErrors = new Set<string>()
  return responses.flatMap((each) => {
    const [type, media] = each.media[0] ?? []
    if (type === undefined || media === undefined) return []
    const given = givenExamples(reference.document, media)
    const schema = schemaName(media.schema) ?? JSON.stringify(media.schema)
    const isFirstError = /^4/.test(each.status) && !shownErrors.has(schema)
    if (/^4/.test(each.status)) shownErrors.add(schema)
    const isShown = given.length > 0 || each === success || isFirstError
    const { shown, why } = isShown ? examplesOf(reference.document, media, direction, type) : { shown: [], why: null }
    const isMade = given.length === 0 && each === success
    const fields = each === success && schemaName(media.schema) === null && fieldTable(reference, media.schema)
    return [
      fields && `Fields of the response ${code(each.status)}:`,
      fields,
      ...examples(
        reference,
        type,
        `Response ${code(each.status)}`,
        isMade ? shown.map((example) => ({ ...example, value: agreed(example.value, media.schema) })) : shown,
      ),
      why !== null && `No example of the response ${code(each.status)}: ${written(reference, why)}`,
    ]
  })
}

/**
 * What a client must know to call an operation, below its heading.
 *
 * @param isCalled false for what the API itself sends
 */
export function operationBlocks(reference: Reference, operation: Operation, isCalled: boolean): Block[] {
  const { summary, description, deprecated } = operation.operation
  const responses = responsesOf(reference, operation.operation)
  const values = pathValues(reference.document, operation)
  const agreed = (example: unknown, schema: unknown) =>
    isCalled ? agreeing(reference.document, operation, values, example, schema) : example
  return [
    words(summary) !== '' && reference.space.text(line(cutLine(words(summary)))),
    words(description) !== '' && reference.space.text(prose(cutProse(words(description)))),
    deprecated === true && warning('Deprecated: it may be removed.'),
    isCalled && security(reference, operation),
    parameters(reference, operation),
    ...requestBody(reference, operation, isCalled),
    isCalled && call(reference, operation, values),
    responseTable(reference, responses),
    headerTable(reference, responses),
    ...responseExamples(reference, responses, isCalled ? 'response' : 'request', agreed),
  ]
}

/** The tags that group operations, those that the document lists first. */
export function tagsOf(document: Node, operations: Operation[]): Map<string, Operation[]> {
  const groups = new Map<string, Operation[]>(list(document.tags).map((tag) => [words(node(tag).name), []]))
  for (const operation of operations) {
    const group = groups.get(operation.tag)
    if (group) group.push(operation)
    else groups.set(operation.tag, [operation])
  }
  for (const [tag, { length }] of groups) if (length === 0) groups.delete(tag)
  return groups
}
