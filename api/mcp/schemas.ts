/** Makes the JSON Schemas of tools from those of operations. */
import { isObject } from '../../core/values/objects.ts'
import { UUID_PATTERN } from '../../core/values/uuids.ts'
import { fieldsOf, type Operation, responseOf } from './operations.ts'

export type JsonSchema = Record<string, unknown>
export type ObjectSchema = JsonSchema & { type: 'object'; properties: Record<string, JsonSchema>; required: string[] }

const mapped = (schemas: unknown, each: (schema: JsonSchema) => JsonSchema): Record<string, JsonSchema> =>
  Object.fromEntries(Object.entries(isObject(schemas) ? schemas : {}).map(([name, schema]) => [name, each(schema as JsonSchema)]))

/** Keywords of ours, and of the validator. */
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

/**
 * A schema of output as tools publish it: types and fixed words alone. Long texts and lists are shortened, and clients refuse results
 * that violate the schema.
 */
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
export function argumentsOf(operation: Operation): ObjectSchema {
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

/** The record that an operation returns, under a name; a page under the name of its items. */
export function resultOf(operation: Operation, name: string): ObjectSchema {
  const record = loose(responseOf(operation) as JsonSchema)
  const { items, ...page } = (record.properties ?? {}) as Record<string, JsonSchema>
  const isPage = items !== undefined && page.total !== undefined
  const properties = isPage ? { [name]: items, ...page } : { [name]: record }
  return { type: 'object', properties, required: Object.keys(properties) }
}

/** Where people and other programs write: the pointers of the free texts in values with a schema, `*` for any item. */
export function textsIn(source: JsonSchema, at = ''): string[] {
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
