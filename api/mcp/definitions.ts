/** What tools publish: their descriptions with the schemas of their operations; and who may use them. */
import type { Tool as PublishedTool } from '@modelcontextprotocol/server'
import { isObject } from '../../core/values/json.ts'
import { UUID_PATTERN } from '../../core/values/uuids.ts'
import type { FoundCaller } from '../plugins/callers.ts'
import { admittingScopes } from '../plugins/scopes.ts'
import { fieldsOf, type Operation, operationOf, responseOf } from './operations.ts'
import { TOOLS, type Tool } from './tools.ts'

type JsonSchema = Record<string, unknown>
type ObjectSchema = JsonSchema & { type: 'object'; properties: Record<string, JsonSchema>; required: string[] }

const mapped = (schemas: unknown, each: (schema: JsonSchema) => JsonSchema): Record<string, JsonSchema> =>
  Object.fromEntries(Object.entries(isObject(schemas) ? schemas : {}).map(([name, schema]) => [name, each(schema as JsonSchema)]))

const isInternal = (keyword: string): boolean => keyword.startsWith('~') || keyword.startsWith('x-')

/** A schema of input as tools publish it: the operation validates again, by the whole schema. */
function published(schema: JsonSchema): JsonSchema {
  if (isObject(schema['x-shown'])) return published(schema['x-shown'])
  const plain: JsonSchema = {}
  for (const [keyword, value] of Object.entries(schema)) {
    if (isInternal(keyword)) continue
    if (keyword === 'properties' || keyword === 'patternProperties') plain[keyword] = mapped(value, published)
    else if (keyword === 'items') plain.items = published(value as JsonSchema)
    else if (keyword === 'anyOf') plain.anyOf = (value as JsonSchema[]).map(published)
    else plain[keyword] = value
  }
  if (plain.pattern !== UUID_PATTERN) return plain
  const { pattern: _, ...rest } = plain
  return { ...rest, format: 'uuid' }
}

/** A schema of output as tools publish it: types and fixed words alone. Long texts and lists are shortened, and clients compare. */
function loose(schema: JsonSchema): JsonSchema {
  if (isObject(schema['x-shown'])) return loose(schema['x-shown'])
  const { type, properties, required, items, anyOf } = schema
  return {
    ...(type === undefined ? {} : { type }),
    ...(Array.isArray(schema.enum) ? { enum: schema.enum } : {}),
    ...(properties === undefined ? {} : { properties: mapped(properties, loose), required: required ?? [] }),
    ...(items === undefined ? {} : { items: loose(items as JsonSchema) }),
    ...(anyOf === undefined ? {} : { anyOf: (anyOf as JsonSchema[]).map(loose) }),
  }
}

const UUID: JsonSchema = { type: 'string', format: 'uuid' }

/** The arguments of an operation: its path parameters, and the fields of its body or its query parameters. */
function argumentsOf(operation: Operation): ObjectSchema {
  const fields = published((fieldsOf(operation) ?? {}) as JsonSchema)
  const properties = fields.properties as ObjectSchema['properties'] | undefined
  // What has a default can be left out.
  const required = ((fields.required as string[] | undefined) ?? []).filter((name) => properties?.[name]?.default === undefined)
  const inPath = Object.fromEntries(operation.inPath.map((name) => [name, UUID]))
  return {
    type: 'object',
    properties: { ...inPath, ...properties },
    required: [...operation.inPath, ...required],
    additionalProperties: false,
  }
}

/** The record that an operation returns, under its name; a page or a list with the cursor of its next part; and what to do with it. */
function resultOf(operation: Operation, name: string): ObjectSchema {
  const record = loose(responseOf(operation) as JsonSchema)
  const { items, ...page } = (record.properties ?? {}) as Record<string, JsonSchema>
  const isPage = items !== undefined && page.total !== undefined
  const isList = isPage || record.type === 'array'
  const properties = {
    notice: { type: 'string' },
    ...(isPage ? { [name]: items, ...page } : { [name]: record }),
    ...(isList ? { next: { anyOf: [{ type: 'string' }, { type: 'null' }] } } : {}),
  }
  return { type: 'object', properties: { advice: { type: 'string' }, ...properties }, required: Object.keys(properties) }
}

/** Where people and other programs write: the pointers of the free texts in values with a schema, `*` for any item. */
function textsIn(source: JsonSchema, at = ''): string[] {
  if (isObject(source['x-shown'])) return textsIn(source['x-shown'], at)
  const variants = (source.anyOf ?? []) as JsonSchema[]
  const isFree = source.type === 'string' && !source.enum && source.format === undefined && source.pattern !== UUID_PATTERN
  return [
    ...(isFree ? [at] : []),
    ...Object.entries((source.properties ?? {}) as Record<string, JsonSchema>).flatMap(([name, each]) =>
      textsIn(each, `${at}/${name}`),
    ),
    ...(isObject(source.patternProperties) ? [`${at}/*`] : []),
    ...(isObject(source.items) ? textsIn(source.items, `${at}/*`) : []),
    ...variants.flatMap((each) => textsIn(each, at)),
  ]
}

export interface Definition {
  tool: Tool
  operation: Operation
  alternative: Operation | null
  isReading: boolean
  published: PublishedTool
  texts: string[]
}

const IDEMPOTENCY_KEY: JsonSchema = {
  type: 'string',
  minLength: 1,
  maxLength: 255,
  description:
    'A text that you make up for this change, such as a UUID. If an answer is lost, repeat the same call with the same key: the change is made once, and you get its answer. The answer is kept for 24 hours.',
}

function inputOf(tool: Tool, operation: Operation, alternative: Operation | null, isReading: boolean): ObjectSchema {
  const { properties, required } = argumentsOf(operation)
  const others = alternative && argumentsOf(alternative)
  const all: ObjectSchema['properties'] = {
    ...others?.properties,
    ...properties,
    ...(isReading ? {} : { idempotency_key: IDEMPOTENCY_KEY }),
  }
  for (const [name, own] of Object.entries(tool.args)) all[name] = { ...all[name], ...own }
  const left = Object.entries(all).filter(([name]) => !(name in (tool.fixed ?? {})))
  return {
    type: 'object',
    properties: Object.fromEntries(left),
    required: required.filter((name) => !tool.optional?.includes(name) && (others === null || others.required.includes(name))),
    additionalProperties: false,
  }
}

function textsOf(operation: Operation, record: string): string[] {
  const schema = responseOf(operation) as JsonSchema
  const items = (schema.properties as ObjectSchema['properties'] | undefined)?.items
  return [...new Set(items === undefined ? textsIn(schema, `/${record}`) : textsIn(items, `/${record}`))]
}

function define(tool: Tool): Definition {
  const operation = operationOf(tool.operation)
  const alternative = tool.or ? operationOf(tool.or.operation) : null
  const isReading = operation.method === 'GET'
  return {
    tool,
    operation,
    alternative,
    isReading,
    texts: [...textsOf(operation, tool.record), ...(tool.record === 'gate' ? ['/gate/clearance/reasons/*'] : [])],
    published: {
      name: tool.name,
      title: tool.title,
      description: tool.description,
      inputSchema: inputOf(tool, operation, alternative, isReading) as PublishedTool['inputSchema'],
      outputSchema: resultOf(operation, tool.record) as PublishedTool['outputSchema'],
      annotations: {
        title: tool.title,
        readOnlyHint: isReading,
        // None deletes anything; what an execution or a rollout became stands.
        destructiveHint: false,
        idempotentHint: isReading || tool.isIdempotent === true,
        openWorldHint: false,
      },
    },
  }
}

let defined: Map<string, Definition> | undefined

/** All tools by name, made at the first use, when all routes are registered. */
export function definitions(): Map<string, Definition> {
  defined ??= new Map(TOOLS.map((tool) => [tool.name, define(tool)]))
  return defined
}

/** Whether a caller may use a tool, as far as their token says. */
export function isOffered({ operation, isReading }: Definition, { scope, service_account }: FoundCaller): boolean {
  if (!service_account) return isReading || scope !== 'read'
  const needed = operation.scopes
  return needed === 'any' || admittingScopes(service_account, needed).length > 0
}
