/** Checks what comes in against a schema, and says of every field that is wrong what to change. */
import { Compile } from 'typebox/compile'
import { Settings } from 'typebox/system'
import { canonicalAddress } from '../../core/values/email-addresses.ts'
import { meaningOf, type Static, type TSchema } from '../../core/values/schema.ts'
import { type FieldError, invalidField, Problem } from '../problems.ts'

Settings.Set({ maxErrors: 64 })

/** A schema as Elysia takes it from any library (https://standardschema.dev). */
export interface Input<Value> {
  readonly '~standard': {
    readonly version: 1
    readonly vendor: 'signalbox'
    readonly validate: (value: unknown) => { value: Value }
    readonly types?: { readonly input: Value; readonly output: Value }
  }
}

const CODES: Record<string, string> = {
  required: 'required',
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
  boolean: 'unknown_field',
}

interface Finding {
  keyword: string
  instancePath: string
  message: string
  params: object
}

/** What a schema's faults mean to the caller: one a field, the field that is missing or unknown named. */
function fieldErrors(findings: Finding[]): FieldError[] {
  const byPointer = new Map<string, FieldError>()
  const put = (pointer: string, code: string, detail: string) => {
    if (!byPointer.has(pointer)) byPointer.set(pointer, { pointer, code, detail })
  }
  for (const { keyword, instancePath, message, params } of findings) {
    if (keyword === 'required' && 'requiredProperties' in params) {
      for (const name of params.requiredProperties as string[]) put(`${instancePath}/${name}`, 'required', 'is required')
    } else if (keyword === 'boolean') {
      put(instancePath, 'unknown_field', 'is no field of this request')
    } else if (keyword === 'enum' && 'allowedValues' in params) {
      put(instancePath, 'not_allowed', `must be one of ${(params.allowedValues as string[]).join(', ')}`)
    } else if (keyword === 'format') {
      put(instancePath, 'malformed', 'must be a time of ISO 8601 with Z or an offset, in the years 1 to 9999')
    } else if (keyword === 'pattern' && 'pattern' in params) {
      put(instancePath, 'malformed', meaningOf(String(params.pattern)) ?? message)
    } else if (keyword !== 'additionalProperties' && keyword !== 'anyOf' && message !== 'must be null') {
      put(instancePath, CODES[keyword] ?? 'malformed', message)
    }
  }
  return [...byPointer.values()]
}

interface Field {
  type?: string
  default?: unknown
  'x-trim'?: boolean
  'x-address'?: boolean
  'x-canonical'?: Canonical
  anyOf?: Field[]
  items?: Field
}

/** The one form of a valid value in which handlers get it. */
type Canonical = (value: unknown) => unknown

const trims = (field: Field): boolean => field['x-trim'] === true || (field.anyOf?.some(trims) ?? false)

/** Names are trimmed, and addresses brought into their canonical form, before they are measured. */
function prepared(field: Field, value: unknown): unknown {
  if (Array.isArray(value)) return field.items?.['x-address'] ? value.map((each) => prepared(field.items as Field, each)) : value
  if (typeof value !== 'string' || !trims(field)) return value
  const text = value.trim()
  return field['x-address'] ? (canonicalAddress(text) ?? text) : text
}

const canonicalOf = (field: Field): Canonical | undefined =>
  field['x-canonical'] ?? field.anyOf?.map(canonicalOf).find((canonical) => canonical !== undefined)

/** The fields of an object schema; none for another. */
const fieldsOf = (schema: TSchema): [string, Field][] =>
  Object.entries(('properties' in schema ? schema.properties : {}) as Record<string, Field>)

function checked<Schema extends TSchema>(
  schema: Schema,
  prepare: (given: Record<string, unknown>) => unknown,
): Input<Static<Schema>> {
  const validator = Compile(schema)
  const canonicals = fieldsOf(schema).flatMap(([name, field]) => {
    const canonical = canonicalOf(field)
    return canonical ? [[name, canonical] as const] : []
  })
  const validate = (given: unknown) => {
    const value =
      typeof given === 'object' && given !== null && !Array.isArray(given) ? prepare(given as Record<string, unknown>) : given
    if (!validator.Check(value)) {
      const errors = fieldErrors(validator.Errors(value) as Finding[])
      throw new Problem(
        'validation_failed',
        errors.map(({ pointer, detail }) => `${pointer || 'The body'} ${detail}`).join('; '),
        errors,
      )
    }
    const fields = value as Record<string, unknown>
    for (const [name, canonical] of canonicals) if (fields[name] != null) fields[name] = canonical(fields[name])
    return { value: value as Static<Schema> }
  }
  return { '~standard': { version: 1, vendor: 'signalbox', validate } }
}

/** A body. */
export function bodyInput<Schema extends TSchema>(schema: Schema): Input<Static<Schema>> {
  const fields = fieldsOf(schema)
  return checked(schema, (given) => {
    const value = { ...given }
    for (const [name, field] of fields) if (name in value) value[name] = prepared(field, value[name])
    return value
  })
}

/** A query: all of it is text, so numbers and booleans are read strictly, and absent ones take their default. */
export function queryInput<Schema extends TSchema>(schema: Schema): Input<Static<Schema>> {
  const fields = fieldsOf(schema)
  return checked(schema, (given) => {
    const value: Record<string, unknown> = { ...given }
    for (const [name, text] of Object.entries(given)) {
      if (String(text).includes('\0')) throw invalidField(`/${name}`, 'forbidden_character', 'must not hold U+0000')
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
