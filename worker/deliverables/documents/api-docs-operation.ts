/** The section of one operation in the API documentation. */
import { curl, prettyJson } from '../../../core/openapi/curl.ts'
import type { Node, Operation } from '../../../core/openapi/document.ts'
import { isJson, list, mediaTypesOf, node, resolved, schemaName, words } from '../../../core/openapi/document.ts'
import { type Example, examplesOf, givenBy, givenExamples, schemaOf } from '../../../core/openapi/examples.ts'
import { type Direction, violationOf } from '../../../core/openapi/validity.ts'
import { isObject } from '../../../core/values/json.ts'
import { type Block, block, code, inline, line, prose, warning, withCode } from '../markdown.ts'
import { cutLine, cutProse, fieldTable, meaningCell, nameCell, type Reference, typeCell, written } from './api-docs-fields.ts'

/** The name of the parameter with which a path ends; null if it ends otherwise. */
const lastParameter = (path: string): string | null => /\{([^{}]+)\}\/?$/.exec(path)?.[1] ?? null

/** The field of a response that holds the value of a path parameter: the one of its name, or the id of what the path leads to. */
function fieldOf(body: Node, name: string, path: string): string | null {
  const isId = /(?:^|[_-])id$|Id$/i.test(name)
  if (Object.hasOwn(body, name) && (name !== 'id' || lastParameter(path) === name)) return name
  return isId && lastParameter(path) === name && Object.hasOwn(body, 'id') ? 'id' : null
}

function successBody(document: Node, operation: Node): Node | null {
  const [, success] = Object.entries(node(operation.responses)).find(([status]) => /^2/.test(status)) ?? []
  const [media] = mediaTypesOf(resolved(document, success).content)
  const value = media && examplesOf(document, media[1], 'response').shown[0]?.value
  return isObject(value) ? value : null
}

function givenFor(document: Node, parameter: Node): { value: unknown } | null {
  const given = givenExamples(document, parameter)[0] ?? givenBy(resolved(document, parameter.schema))
  return given && violationOf(document, parameter.schema, given.value, 'request', true) === null ? given : null
}

/** The values of path parameters in the examples of an operation: what the parameter gives, else what the response has. */
function pathValues(document: Node, { path, parameters, operation }: Operation): Map<string, unknown> {
  const values = new Map<string, unknown>()
  const inPath = parameters.filter((parameter) => parameter.in === 'path')
  const body = inPath.length > 0 ? successBody(document, operation) : null
  for (const parameter of inPath) {
    const name = words(parameter.name)
    const given = givenFor(document, parameter)
    const field = given || !body ? null : fieldOf(body, name, path)
    if (given) values.set(name, given.value)
    else if (body && field !== null) values.set(name, body[field])
  }
  return values
}

const isSameKind = (one: unknown, other: unknown): boolean =>
  typeof one === typeof other && Array.isArray(one) === Array.isArray(other)

/**
 * The example of a response, made from its schema, with the values of the call: of its path, and of the example that the description
 * gives of its body. Unchanged if it would no longer satisfy its schema.
 */
function agreeing(
  document: Node,
  { path, operation }: Operation,
  values: Map<string, unknown>,
  example: unknown,
  schema: unknown,
) {
  if (!isObject(example)) return example
  const [media] = mediaTypesOf(resolved(document, operation.requestBody).content)
  const sent = node(media && givenExamples(document, media[1])[0]?.value)
  const known = new Map(Object.entries(sent))
  for (const [name, value] of values) {
    const field = fieldOf(example, name, path)
    if (field !== null) known.set(field, value)
  }
  const agreed = Object.fromEntries(
    Object.entries(example).map(([name, value]) => {
      const same = known.get(name)
      return [name, same !== undefined && isSameKind(same, value) ? same : value]
    }),
  )
  return violationOf(document, schema, agreed, 'response', true) === null ? agreed : example
}

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
  return reference.space.table(['Parameter', 'Type', 'Description'], rows)
}

/** What an operation requires; null if the description does not mention security. */
const security = ({ variables }: Reference, { security: alternatives }: Operation): Block =>
  (variables.size > 0 || alternatives.length > 0) && `Authentication: ${requirementOf(alternatives)}.`

function requirementOf(alternatives: Node[]): string {
  const required = alternatives.map(Object.entries<unknown>).filter(({ length }) => length > 0)
  if (required.length === 0) return 'none'
  const each = required.map((schemes) => schemes.map(schemeText).join(' and '))
  return `${each.join(', or ')}${required.length < alternatives.length ? '; optional' : ''}`
}

function schemeText([name, scopes]: [name: string, scopes: unknown]): string {
  const granted = list(scopes).map((scope) => code(String(scope)))
  return `${code(name)}${granted.length > 0 ? ` (scopes ${granted.join(', ')})` : ''}`
}

function examples(reference: Reference, type: string, what: string, all: Example[]): Block[] {
  return all.slice(0, MAX_EXAMPLES).flatMap(({ summary, value }) => {
    const text = isJson(type) || typeof value !== 'string' ? prettyJson(value) : value
    const shown = reference.space.text(block(text, isJson(type) ? 'json' : ''))
    return shown ? [`${what}${summary ? `, ${inline(summary)}` : ''}:`, shown] : []
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

type Response = { status: string; response: Node; media: [type: string, media: Node][] }

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
  return reference.space.table(['Status', 'Body', 'Description'], rows)
}

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
  return reference.space.table(['Response header', 'With', 'Type', 'Description'], rows)
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
    const made = isMade ? shown.map((example) => ({ ...example, value: agreed(example.value, media.schema) })) : shown
    const fields = each === success && schemaName(media.schema) === null && fieldTable(reference, media.schema)
    return [
      fields && `Fields of the response ${code(each.status)}:`,
      fields,
      ...examples(reference, type, `Response ${code(each.status)}`, made),
      why !== null && `No example of the response ${code(each.status)}: ${written(reference, why)}`,
    ]
  })
}

/** What a client must know to call an operation, below its heading. @param isCalled false for what the API itself sends */
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

export function tagsOf(document: Node, operations: Operation[]): Map<string, Operation[]> {
  const groups = Map.groupBy(operations, ({ tag }) => tag)
  const listed = list(document.tags).map((tag) => words(node(tag).name))
  const names = [...new Set([...listed, ...groups.keys()])]
  return new Map(names.flatMap((name) => (groups.has(name) ? [[name, groups.get(name) as Operation[]]] : [])))
}
