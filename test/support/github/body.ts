/** Checks the JSON of requests as GitHub does: unknown keys, wrong types and missing keys are refused, in GitHub's words. */
import { Refusal } from './problems.ts'

export type Field =
  | { type: 'string'; required?: boolean; nullable?: boolean; enum?: readonly string[]; maxLength?: number }
  | { type: 'integer' | 'boolean' | 'any'; required?: boolean; nullable?: boolean }
  | { type: 'array'; required?: boolean; nullable?: boolean; items: Field; maxItems?: number }
  | { type: 'object'; required?: boolean; nullable?: boolean; properties: Record<string, Field> | null }

/** The keys of all alternatives of a body. */
type KeysOf<Body> = Body extends unknown ? keyof Body : never

/** Whether an alternative requires a key; for several, each answer. */
type IsRequired<Body, Key extends PropertyKey> = Body extends unknown
  ? Key extends keyof Body
    ? undefined extends Body[Key]
      ? false
      : true
    : false
  : never

/** The fields of a request, one for each key of GitHub's description, which also says which are required. */
export type Fields<Body> = {
  [Key in KeysOf<Body>]-?: Field & (false extends IsRequired<Body, Key> ? { required: false } : { required: true })
}

/** A value as GitHub, which is written in Ruby, shows it. */
const inspect = (value: unknown): string =>
  value === null || value === undefined ? 'nil' : JSON.stringify(value).replaceAll(/(?<="):/g, '=>')

const NAMES = { string: 'a string', integer: 'an integer', boolean: 'a boolean', array: 'an array', object: 'an object', any: '' }

const fits = (value: unknown, { type, nullable = false }: Field): boolean => {
  if (value === null) return nullable
  if (type === 'any') return true
  if (type === 'array') return Array.isArray(value)
  if (type === 'object') return typeof value === 'object' && !Array.isArray(value)
  // GitHub takes numbers that are written as text.
  if (type === 'integer') return Number.isInteger(value) || (typeof value === 'string' && /^-?\d+$/.test(value))
  return typeof value === type
}

function problemsOf(value: unknown, field: Field, pointer: string): string[] {
  if (!fits(value, field)) {
    const expected = field.nullable ? `${NAMES[field.type]} or nil` : NAMES[field.type]
    return [`For '${pointer}', ${inspect(value)} is not ${expected}.`]
  }
  if (value === null) return []
  if (field.type === 'string') {
    const text = String(value)
    if (field.enum && !field.enum.includes(text)) return [`${text} is not a member of ${JSON.stringify(field.enum)}.`]
    const most = field.maxLength ?? Number.POSITIVE_INFINITY
    return [...text].length > most ? [`Only ${most} characters are allowed; ${[...text].length} were supplied.`] : []
  }
  if (field.type === 'array') {
    const items = value as unknown[]
    const most = field.maxItems ?? Number.POSITIVE_INFINITY
    if (items.length > most) return [`No more than ${most} items are allowed; ${items.length} were supplied.`]
    return items.flatMap((item) => problemsOf(item, field.items, `${pointer}/items`))
  }
  return field.type === 'object' && field.properties ? problemsOfObject(value as object, field.properties, pointer) : []
}

function problemsOfObject(body: object, fields: Record<string, Field>, pointer = ''): string[] {
  const quoted = (names: string[]) => `"${names.sort().join('", "')}"`
  const extra = Object.keys(body).filter((key) => !(key in fields))
  const missing = Object.keys(fields).filter((key) => fields[key]?.required && !(key in body))
  const prefix = pointer === '' ? 'properties' : `${pointer}/properties`
  return [
    ...Object.entries(body).flatMap(([key, value]) => {
      const field = fields[key]
      return field ? problemsOf(value, field, `${prefix}/${key}`) : []
    }),
    ...(extra.length === 0
      ? []
      : [`${quoted(extra)} ${extra.length === 1 ? 'is not a permitted key' : 'are not permitted keys'}.`]),
    ...(missing.length === 0 ? [] : [`${quoted(missing)} ${missing.length === 1 ? "wasn't" : "weren't"} supplied.`]),
  ]
}

const JSON_GUIDE = 'https://docs.github.com/rest/guides/getting-started-with-the-rest-api'

/**
 * Reads a body.
 *
 * @throws Refusal 400 when it is no JSON object, 422 when a key is unknown, missing or of a wrong type
 */
export function readBody(text: string, fields: Record<string, Field>): Record<string, unknown> {
  let body: unknown = {}
  try {
    if (text !== '') body = JSON.parse(text)
  } catch {
    throw new Refusal(400, 'Problems parsing JSON', { documentation: JSON_GUIDE })
  }
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw new Refusal(400, 'Body should be a JSON object', { documentation: JSON_GUIDE })
  const problems = problemsOfObject(body, fields)
  if (problems.length > 0) throw new Refusal(422, `Invalid request.\n\n${problems.join('\n')}`)
  return body as Record<string, unknown>
}
