/** Renders JSON schemas for readers: a short type, and a list of fields. */
import type { ComponentChildren, VNode } from 'preact'
import { Markdown } from './markdown.tsx'
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

function plainType(schema: JsonSchema): ComponentChildren {
  const name = schema.$ref?.slice(REF.length)
  if (name) return <a href={`/docs#schema-${name}`}>{name}</a>
  if (schema.const !== undefined) return <code>{JSON.stringify(schema.const)}</code>
  if (schema.type === 'array') return ['array of ', schema.items ? <TypeOf schema={schema.items} /> : 'anything']
  if (isUuid(schema)) return 'UUID'
  return schema.type ?? 'anything'
}

/** The type of a value, as short text. */
export function TypeOf({ schema }: { schema: JsonSchema }): VNode {
  const kinds = schema.anyOf ? parts(schema) : [schema]
  return (
    <>
      {kinds.map((kind, index) => [index > 0 && ' or ', plainType(kind)])}
      {isNullable(schema) && ' or null'}
    </>
  )
}

const range = (minimum: number | undefined, maximum: number | undefined, unit: string): string | null => {
  if (minimum !== undefined && maximum !== undefined) return `${minimum} to ${maximum}${unit}.`
  if (maximum !== undefined) return `At most ${maximum}${unit}.`
  return minimum === undefined ? null : `At least ${minimum}${unit}.`
}

/** The constraints of a value, as Markdown. */
export function constraintsOf(schema: JsonSchema): string {
  const constraints: Measured = schema.anyOf ? (parts(schema)[0] ?? {}) : schema
  const values = constraints.enum?.map((value) => `\`${value}\``).join(', ')
  return [
    values && `One of ${values}.`,
    range(constraints.minLength || undefined, constraints.maxLength, ' characters'),
    range(constraints.minItems || undefined, constraints.maxItems, ' items'),
    range(undefined, constraints.maxProperties, ' fields'),
    range(constraints.minimum, constraints.maximum, ''),
    schema.default === undefined ? null : `Default: \`${schema.default}\`.`,
  ]
    .filter(Boolean)
    .join(' ')
}

/** The object schema whose fields to list: the schema itself, that of its items, or that of the only non-null variant. */
function objectIn(schema: JsonSchema): JsonSchema | null {
  if (schema.properties) return schema
  if (schema.items) return objectIn(schema.items)
  const [only, ...others] = parts(schema)
  return only && others.length === 0 ? objectIn(only) : null
}

/** The fields of an object, including nested ones; its type if it has none. */
export function Fields({ schema }: { schema: JsonSchema }): VNode {
  const { properties = {}, required = [] } = objectIn(schema) ?? {}
  const items = Object.entries(properties).map(([name, field]) => {
    const about = [field.description ?? parts(field)[0]?.description, constraintsOf(field)].filter(Boolean).join(' ')
    const inner = objectIn(field)
    return (
      <li>
        <code>{name}</code>{' '}
        <span class="hint">
          <TypeOf schema={field} />
          {required.includes(name) && ', required'}
        </span>
        {about && <Markdown text={about} />}
        {inner && <Fields schema={inner} />}
      </li>
    )
  })
  if (items.length > 0) return <ul class="fields">{items}</ul>
  return (
    <p>
      <TypeOf schema={schema} />
    </p>
  )
}
