/** JSON schemas as people read them: a type in a few words, fields as a list. */
import { html, type Markup, markdown } from './html.ts'
import type { JsonSchema } from './sample.ts'

interface Measured extends JsonSchema {
  pattern?: string
  minLength?: number
  maxLength?: number
  minItems?: number
  maxItems?: number
  maximum?: number
  maxProperties?: number
}

const REF = '#/components/schemas/'

/** The parts of a union, without null. */
const parts = ({ anyOf = [] }: JsonSchema): JsonSchema[] => anyOf.filter(({ type }) => type !== 'null')

const isNullable = ({ anyOf = [] }: JsonSchema): boolean => anyOf.some(({ type }) => type === 'null')

const isUuid = ({ pattern = '', format }: Measured): boolean => format === 'uuid' || pattern.startsWith('^[0-9a-f')

function plainType(schema: JsonSchema): Markup {
  const name = schema.$ref?.slice(REF.length)
  if (name) return html`<a href="/docs#schema-${name}">${name}</a>`
  if (schema.const !== undefined) return html`<code>${JSON.stringify(schema.const)}</code>`
  if (schema.type === 'array') return html`array of ${schema.items ? typeOf(schema.items) : 'anything'}`
  if (isUuid(schema)) return html`UUID`
  return html`${schema.type ?? 'anything'}`
}

/** The type of a value, in a few words. */
export function typeOf(schema: JsonSchema): Markup {
  const kinds = schema.anyOf ? parts(schema).map(plainType) : [plainType(schema)]
  const listed = kinds.map((kind, index) => html`${index > 0 ? ' or ' : null}${kind}`)
  return html`${listed}${isNullable(schema) ? ' or null' : null}`
}

const range = (least: number | undefined, most: number | undefined, unit: string): string | null => {
  if (least !== undefined && most !== undefined) return `${least} to ${most}${unit}.`
  if (most !== undefined) return `At most ${most}${unit}.`
  return least === undefined ? null : `At least ${least}${unit}.`
}

/** What a value must keep to, as Markdown. */
export function constraintsOf(schema: JsonSchema): string {
  const own: Measured = schema.anyOf ? (parts(schema)[0] ?? {}) : schema
  const values = own.enum?.map((value) => `\`${value}\``).join(', ')
  return [
    values && `One of ${values}.`,
    range(own.minLength || undefined, own.maxLength, ' characters'),
    range(own.minItems || undefined, own.maxItems, ' items'),
    range(undefined, own.maxProperties, ' fields'),
    range(own.minimum, own.maximum, ''),
    schema.default === undefined ? null : `Default: \`${schema.default}\`.`,
  ]
    .filter(Boolean)
    .join(' ')
}

/** The object whose fields a value shows: its own, that of its items, or that of a union's first part. */
function objectIn(schema: JsonSchema): JsonSchema | null {
  if (schema.properties) return schema
  if (schema.items) return objectIn(schema.items)
  const [only, ...others] = parts(schema)
  return only && others.length === 0 ? objectIn(only) : null
}

/** The fields of an object, those of objects within it included. */
export function fieldsOf(schema: JsonSchema): Markup {
  const { properties = {}, required = [] } = objectIn(schema) ?? {}
  const items = Object.entries(properties).map(([name, field]) => {
    const about = [field.description ?? parts(field)[0]?.description, constraintsOf(field)].filter(Boolean).join(' ')
    const inner = objectIn(field)
    return html`<li><code>${name}</code> <span class="hint">${typeOf(field)}${required.includes(name) ? ', required' : null}</span>
${about ? markdown(about) : null}${inner ? fieldsOf(inner) : null}</li>`
  })
  if (items.length > 0) return html`<ul class="fields">${items}</ul>`
  return html`<p>${typeOf(schema)}</p>`
}
