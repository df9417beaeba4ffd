/** Validates input against a schema and reports every wrong field with what to change. */
import { Compile, type Validator } from 'typebox/compile'
import { Settings } from 'typebox/system'
import { canonicalAddress } from '../../core/values/email-addresses.ts'
import { isObject } from '../../core/values/json.ts'
import { meaningOf, type Static, type TSchema } from '../../core/values/schema.ts'
import { type FieldError, invalidField, invalidFields } from '../problems.ts'
import { requireText } from './body.ts'

Settings.Set({ maxErrors: 64 })

/** A schema in the form that Elysia accepts from any library (https://standardschema.dev). */
export interface Input<Value> {
  readonly '~standard': {
    readonly version: 1
    readonly vendor: 'signalbox'
    readonly validate: (value: unknown) => { value: Value }
    readonly types?: { readonly input: Value; readonly output: Value }
  }
}

const CODES: Record<string, string> = {
  type: 'wrong_type',
  minLength: 'too_short',
  maxLength: 'too_long',
  minItems: 'too_few',
  maxItems: 'too_many',
  maxProperties: 'too_many',
  minimum: 'too_small',
  exclusiveMinimum: 'too_small',
  maximum: 'too_large',
  exclusiveMaximum: 'too_large',
  enum: 'not_allowed',
  const: 'not_allowed',
}

interface SchemaError {
  keyword: string
  instancePath: string
  message: string
  params: object
}

function fieldErrors(schemaErrors: SchemaError[]): FieldError[] {
  const byPointer = new Map<string, FieldError>()
  const add = (pointer: string, code: string, detail: string) => {
    if (!byPointer.has(pointer)) byPointer.set(pointer, { pointer, code, detail })
  }
  for (const { keyword, instancePath, message, params } of schemaErrors) {
    if (keyword === 'required' && 'requiredProperties' in params) {
      for (const name of params.requiredProperties as string[]) add(`${instancePath}/${name}`, 'required', 'is required')
    } else if (keyword === 'boolean') {
      add(instancePath, 'unknown_field', 'is not a field of this request')
    } else if (keyword === 'enum' && 'allowedValues' in params) {
      add(instancePath, 'not_allowed', `must be one of ${(params.allowedValues as string[]).join(', ')}`)
    } else if (keyword === 'format') {
      add(instancePath, 'malformed', 'must be an ISO 8601 time with Z or an offset, in the years 1 to 9999')
    } else if (keyword === 'pattern' && 'pattern' in params) {
      add(instancePath, 'malformed', meaningOf(String(params.pattern)) ?? message)
    } else if (keyword !== 'additionalProperties' && keyword !== 'anyOf' && message !== 'must be null') {
      add(instancePath, CODES[keyword] ?? 'malformed', message)
    }
  }
  return [...byPointer.values()]
}

interface Field {
  type?: string
  maxItems?: number
  maxProperties?: number
  properties?: Record<string, Field>
  default?: unknown
  'x-trim'?: boolean
  'x-address'?: boolean
  'x-canonical'?: Canonical
  anyOf?: Field[]
  items?: Field
}

type Canonical = (value: unknown) => unknown

const trims = (field: Field): boolean => field['x-trim'] === true || (field.anyOf?.some(trims) ?? false)

/** Trims names and brings e-mail addresses into canonical form, before their length is checked. */
function normalizeText(field: Field, value: unknown): unknown {
  if (Array.isArray(value))
    return field.items?.['x-address'] ? value.map((each) => normalizeText(field.items as Field, each)) : value
  if (typeof value !== 'string' || !trims(field)) return value
  const text = value.trim()
  return field['x-address'] ? (canonicalAddress(text) ?? text) : text
}

/** Before they are looked at: some checks compare each entry with each other. @throws Problem `validation_failed` */
function requireSizes(fields: [string, Field][], given: Record<string, unknown>, at = ''): void {
  for (const [name, field] of fields) {
    const value = given[name]
    if (value === null || typeof value !== 'object') continue
    const pointer = `${at}/${name}`
    for (const variant of [field, ...(field.anyOf ?? [])]) {
      const [most = Infinity, what] = Array.isArray(value) ? [variant.maxItems, 'items'] : [variant.maxProperties, 'fields']
      if (Object.keys(value).length > most) throw invalidField(pointer, 'too_many', `must not have more than ${most} ${what}`)
      if (variant.properties && !Array.isArray(value))
        requireSizes(Object.entries(variant.properties), value as Record<string, unknown>, pointer)
    }
  }
}

const canonicalOf = (field: Field): Canonical | undefined =>
  field['x-canonical'] ?? field.anyOf?.map(canonicalOf).find((canonical) => canonical !== undefined)

const fieldsOf = (schema: TSchema): [string, Field][] =>
  Object.entries(('properties' in schema ? schema.properties : {}) as Record<string, Field>)

function compile<Schema extends TSchema>(
  schema: Schema,
  coerce: (input: Record<string, unknown>) => unknown,
): Input<Static<Schema>> {
  // By the first request of the route: compiling all schemas would delay the start.
  let validator: Validator<Record<never, never>, Schema> | undefined
  const canonicals = fieldsOf(schema).flatMap(([name, field]) => {
    const canonical = canonicalOf(field)
    return canonical ? [[name, canonical] as const] : []
  })
  const { maxItems = Infinity } = schema as Field
  const validate = (input: unknown) => {
    if (Array.isArray(input) && input.length > maxItems)
      throw invalidField('', 'too_many', `must not have more than ${maxItems} items`)
    const value = isObject(input) ? coerce(input) : input
    validator ??= Compile(schema)
    if (!validator.Check(value)) throw invalidFields(fieldErrors(validator.Errors(value) as SchemaError[]))
    const fields = value as Record<string, unknown>
    for (const [name, canonical] of canonicals) if (fields[name] != null) fields[name] = canonical(fields[name])
    return { value: value as Static<Schema> }
  }
  return { '~standard': { version: 1, vendor: 'signalbox', validate } }
}

export function bodyInput<Schema extends TSchema>(schema: Schema): Input<Static<Schema>> {
  const fields = fieldsOf(schema)
  return compile(schema, (input) => {
    requireSizes(fields, input)
    const value = { ...input }
    for (const [name, field] of fields) if (name in value) value[name] = normalizeText(field, value[name])
    return value
  })
}

/** The parameters of a query, as they were sent. Elysia's own parser makes lists of texts with commas, and reads others as JSON. */
export function queryOf(url: string): Record<string, string | string[]> {
  const query: Record<string, string | string[]> = Object.create(null)
  const start = url.indexOf('?')
  if (start === -1) return query
  for (const [name, value] of new URLSearchParams(url.slice(start + 1)))
    query[name] = query[name] === undefined ? value : [query[name], value].flat()
  return query
}

/** Values are text, in NFC like what is stored: numbers and booleans are parsed strictly, and absent ones get their default. */
export function queryInput<Schema extends TSchema>(schema: Schema): Input<Static<Schema>> {
  const fields = fieldsOf(schema)
  return compile(schema, (input) => {
    const value: Record<string, unknown> = { ...input }
    for (const [name, text] of Object.entries(input)) {
      requireText(String(text), `/${name}`)
      if (typeof text === 'string') value[name] = text.normalize('NFC')
    }
    for (const [name, field] of fields) {
      const text = value[name]
      if (text === undefined) {
        if (field.default !== undefined) value[name] = field.default
      } else if (field.type === 'integer' && typeof text === 'string' && /^-?\d{1,15}$/.test(text)) value[name] = Number(text)
      else if (field.type === 'boolean' && (text === 'true' || text === 'false')) value[name] = text === 'true'
    }
    return value
  })
}
