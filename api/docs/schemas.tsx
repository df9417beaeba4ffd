/** Renders JSON schemas for readers: a short type, and a list of fields. */
import type { ComponentChildren, VNode } from 'preact'
import { list, type Node, node, nodes, words } from '../../core/openapi/document.ts'
import { defaultOf, limitsOf, type Part, typeOf } from '../../core/openapi/types.ts'
import { isObject } from '../../core/values/json.ts'
import { Markdown } from './layout.tsx'

const written = (parts: Part[]): ComponentChildren[] =>
  parts.map((part) => {
    if (typeof part === 'string') return part
    if ('words' in part) return part.words
    return 'code' in part ? <code>{part.code}</code> : <a href={`/docs#schema-${part.schema}`}>{part.schema}</a>
  })

/** The parts of a union, without null. */
const choices = ({ anyOf }: Node): Node[] => nodes(anyOf).filter(({ type }) => type !== 'null')

export const TypeOf = ({ schema }: { schema: unknown }): VNode => <>{written(typeOf({}, schema))}</>

export function Meaning({ schema, description, notes = [] }: { schema: Node; description?: string; notes?: (string | false)[] }) {
  const [only = schema] = choices(schema)
  const facts = [typeOf({}, schema), ...limitsOf({}, only), ...notes.flatMap((note) => (note ? [[note]] : []))]
  const standard = defaultOf({}, schema)
  const about = description || words(schema.description) || words(only.description)
  return (
    <>
      <span class="hint">
        {facts.map((fact, index) => [index > 0 && ', ', written(fact)])}
        {standard && ['. ', written(standard)]}
      </span>
      {about && <Markdown text={about} />}
    </>
  )
}

/** The object schema whose fields to list: the schema itself, the one of its items, or its only non-null variant. */
function objectIn(schema: Node): Node | null {
  if (schema.properties) return schema
  if (isObject(schema.items)) return objectIn(schema.items)
  const [only, ...others] = choices(schema)
  return only && others.length === 0 ? objectIn(only) : null
}

/** The fields of an object, including nested ones; its type if it has none. */
export function Fields({ schema }: { schema: Node }): VNode {
  const { properties, required } = objectIn(schema) ?? {}
  const items = Object.entries(node(properties)).map(([name, each]) => {
    const field = node(each)
    const inner = objectIn(field)
    return (
      <li>
        <code>{name}</code> <Meaning schema={field} notes={[list(required).includes(name) && 'required']} />
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
