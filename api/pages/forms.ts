/** The fields of posted forms, validated by the schemas of the API. */
import { unescapePointer } from '../../core/values/json.ts'
import type { Static, TSchema } from '../../core/values/schema.ts'
import { normalized } from '../plugins/body.ts'
import { contextOf, type SignedIn } from '../plugins/request-context.ts'
import { bodyInput } from '../plugins/validation.ts'
import { Problem } from '../problems.ts'

interface FieldSchema {
  type?: string
  enum?: unknown[]
  format?: string
  pattern?: string
  anyOf?: FieldSchema[]
}

const accepts = (schema: FieldSchema, type: string): boolean =>
  schema.type === type || (schema.anyOf?.some((each) => accepts(each, type)) ?? false)

/** The value of a field that contains JSON, such as what the script has put there; any other text is itself. */
export function jsonOrText(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

function fieldOf(schema: FieldSchema, texts: string[]): unknown {
  if (accepts(schema, 'array')) return texts.filter((text) => text !== '')
  const text = texts.at(-1) ?? ''
  if (accepts(schema, 'boolean') && (text === 'true' || text === 'false')) return text === 'true'
  if (text === '') {
    if (accepts(schema, 'null')) return null
    return accepts(schema, 'string') ? text : undefined
  }
  if (accepts(schema, 'object')) return jsonOrText(text)
  if ((accepts(schema, 'integer') || accepts(schema, 'number')) && /^-?\d+(\.\d+)?$/.test(text.trim())) return Number(text)
  return text
}

/** Several times those of the largest form. */
const MAX_FIELDS = 1_000
const AMPERSAND = 0x26

/** Parses `application/x-www-form-urlencoded`. @throws Problem `malformed_encoding`, `too_many_values` */
export function parseForm(bytes: Uint8Array): URLSearchParams {
  let separators = 0
  for (const byte of bytes) if (byte === AMPERSAND) separators += 1
  if (separators >= MAX_FIELDS) throw new Problem('too_many_values', `The form must not contain more than ${MAX_FIELDS} fields.`)
  try {
    return new URLSearchParams(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    throw new Problem('malformed_encoding', 'The form is not valid UTF-8.')
  }
}

/** What is in an object that the body contains: `answers/change_ticket`. Always text, whatever the schema accepts. */
const WITHIN = /^(\w+)\/(.+)$/s

const isWithin = (fields: Record<string, FieldSchema>, name: string): boolean => {
  const [, outer = ''] = WITHIN.exec(name) ?? []
  return Object.hasOwn(fields, outer) && accepts(fields[outer] as FieldSchema, 'object')
}

/**
 * Makes bodies of an API route from forms, and validates them as the route does. Compiles the schema once. A form can have only fields of it:
 * an empty one is null where the schema allows it, numbers are parsed, and a field with a list is repeated. A checkbox needs a
 * hidden field `false` before it, and a list a hidden empty field, since browsers leave out what is not checked. Texts in an
 * object have its name before theirs, and a slash.
 *
 * @throws Problem `validation_failed`
 */
export function bodyReader<Schema extends TSchema>(schema: Schema): (form: URLSearchParams) => Static<Schema> {
  const fields = ('properties' in schema ? schema.properties : {}) as Record<string, FieldSchema>
  const { validate } = bodyInput(schema)['~standard']
  return (form) => {
    const body: [string, unknown][] = []
    const objects = new Map<string, [string, string][]>()
    for (const [name, pairs] of Map.groupBy(form, ([name]) => name)) {
      // Browsers send line breaks as CRLF.
      const texts = pairs.map(([, text]) => text.replaceAll('\r\n', '\n'))
      if (isWithin(fields, name)) {
        const [, outer = '', inner = ''] = WITHIN.exec(name) ?? []
        objects.set(outer, [...(objects.get(outer) ?? []), [inner, texts.at(-1) ?? '']])
        continue
      }
      const value = fieldOf(fields[name] ?? {}, texts)
      if (value !== undefined) body.push([name, value])
    }
    for (const [name, entries] of objects) body.push([name, Object.fromEntries(entries)])
    return validate(normalized(Object.fromEntries(body))).value
  }
}

/** A field that asks for the form as it was filled in: nothing is carried out. Its text is the list that gets more rows. */
export const REDISPLAY = 'redisplay'

/** A field with the form that is kept while its reader signs in again: see `kept.ts`. */
export const KEPT = 'kept'

/** A form that was refused, or asked for again: shown with what was entered. */
export interface Refused {
  action: string
  values: URLSearchParams
  /** What was typed into it, for a page that has the form no more. */
  typed: string[]
  errors: Record<string, string>
  /** What is wrong with the form as a whole; null if each problem belongs to a field. */
  message: string | null
  /** The record was changed after the form was made: fields also show what is stored now. */
  isOutdated: boolean
  /** Set when the page has shown the form: after a change in the meantime, the page may have it no more. */
  isShown: boolean
  /** The version of the record that the form was made from, if it names one. */
  made_from?: string | null
  /** The list that was to get more rows, if that is why the form is shown. */
  again?: string | null
}

/** Fields that people know by another name, and do not fill in as a whole. */
const NAMES: Record<string, string> = { token: 'This link', freezes: 'Freezes', user_id: 'A person' }

/** A value in a list or an object that is one field of the form: `acceptance_criteria/3`, `headers/X-Api-Key`. */
const WITHIN_FIELD = /^(.+)\/([^/]+)$/

/** Whether it is enough to say that a field is required: nothing else that is wrong with an empty text matters, but the reason does. */
const isMissing = (texts: string[], detail: string): boolean =>
  texts.every((text) => text === '') && !/^(is|are) required[,:]/.test(detail)

export function refusedForm(action: string, values: URLSearchParams, problem: Problem | null, typed: string[] = []): Refused {
  const { code = null, detail = null, errors = [] } = problem ?? {}
  const byName = errors.map(({ pointer, detail }) => {
    const name = pointer.slice(1)
    const [, outer = '', inner = ''] = WITHIN_FIELD.exec(name) ?? []
    if (values.has(name) || !values.has(outer)) return { name, detail }
    return { name: outer, detail: `${detail} (${/^\d+$/.test(inner) ? `number ${Number(inner) + 1}` : unescapePointer(inner)})` }
  })
  const isField = ({ name }: { name: string }): boolean => values.has(name)
  const others = byName
    .filter((error) => !isField(error))
    .map(({ name, detail }) => `${Object.hasOwn(NAMES, name) ? NAMES[name] : name} ${detail}.`)
  return {
    action,
    values,
    typed,
    errors: Object.fromEntries(
      byName.filter(isField).map(({ name, detail }) => [name, isMissing(values.getAll(name), detail) ? 'is required' : detail]),
    ),
    message: errors.length === 0 ? detail : others.length > 0 ? others.join(' ') : null,
    isOutdated: code === 'edited_meanwhile',
    isShown: false,
  }
}

/** What a form has of a list or an object: texts by what follows its name and a slash. */
export const textsIn = (values: URLSearchParams | undefined, list: string): Record<string, string> =>
  Object.fromEntries(
    [...(values ?? [])].flatMap(([name, text]) => (name.startsWith(`${list}/`) ? [[name.slice(list.length + 1), text]] : [])),
  )

/** Whether people type a field. Others have the value of a button, a choice or a hidden field. */
const isTyped = ({ type, enum: words, format, pattern, anyOf = [] }: FieldSchema): boolean =>
  (type === 'string' && words === undefined && format === undefined && pattern === undefined) || anyOf.some(isTyped)

/** Fields with a pattern name something, such as a record: they are hidden or chosen. */
const isName = ({ pattern, anyOf = [] }: FieldSchema): boolean => pattern !== undefined || anyOf.some(isName)

/** Whether something was entered into a form. @param body the schema of its fields @param hidden names of fields that every form can have */
export function isFilled(body: TSchema, form: URLSearchParams, hidden: string[]): boolean {
  const fields = ('properties' in body ? body.properties : {}) as Record<string, FieldSchema>
  return [...form].some(([name, text]) => text !== '' && !hidden.includes(name) && !isName(fields[name] ?? {}))
}

/** Names of fields that are secrets, or contain some. They are typed again. */
const SECRET = /password|secret|private_key|token|headers|webhook_url|assertion|credential|ticket|^(user_)?code$/

export const isSecret = (name: string): boolean => SECRET.test(name)

/** What was typed into a form, except secrets. @param body the schema of its fields */
export function typedInto(body: TSchema, values: URLSearchParams): string[] {
  const fields = ('properties' in body ? body.properties : {}) as Record<string, FieldSchema>
  return [...values].flatMap(([name, text]) =>
    isSecret(name) || text === '' || !(isWithin(fields, name) || isTyped(fields[name] ?? {})) ? [] : [text],
  )
}

/** The hidden field with the version of the record that a form was made from: a change by another person meanwhile must not be lost unseen. */
export const MADE_FROM = 'made_from'

/** Asks for a version as `If-Match` does; null for none. */
export const asIfMatch = (url: string, version: string | null): Request | null =>
  version === null ? null : new Request(url, { headers: { 'If-Match': `"${encodeURIComponent(version)}-"` } })

/** The hidden field with the user that a page was made for: in one browser another person may sign in while a tab still shows it. */
export const ACCOUNT_ID = 'account_id'

export function take(form: URLSearchParams, name: string): string | null {
  const value = form.get(name)
  form.delete(name)
  return value
}

/** @throws Problem `other_account` if the page of a form was made for another account than that of the caller */
export function requireSameAccount(caller: Pick<SignedIn, 'id' | 'name' | 'email'> | null, account_id: string | null): void {
  if (!caller || account_id === null || account_id === caller.id) return
  throw new Problem(
    'other_account',
    `You are signed in as ${caller.name} (${caller.email}) now, and this page was made for another account. Nothing was changed.`,
  )
}

/** Fields of a form with a file, next to it. */
const MAX_BESIDE_FILE = 20

/**
 * Takes the file out of a form: it becomes the body of the request, as if it had been sent to the API.
 *
 * @param name of its field
 * @returns the other fields, and the name of the file
 * @throws Problem `malformed_encoding`, `too_many_values`
 */
export async function takeFile(request: Request, name: string): Promise<URLSearchParams> {
  const context = contextOf(request)
  const headers = { 'Content-Type': request.headers.get('content-type') ?? '' }
  const parts = await new Response(context.bytes as Uint8Array<ArrayBuffer>, { headers }).formData().catch(() => null)
  if (!parts) throw new Problem('malformed_encoding', 'The form is not valid multipart/form-data.')
  const entries = [...parts]
  if (entries.length > MAX_BESIDE_FILE)
    throw new Problem('too_many_values', `The form must not contain more than ${MAX_BESIDE_FILE} fields.`)
  const file = entries.find(([field, value]) => field === name && typeof value !== 'string')?.[1] as File | undefined
  context.bytes = new Uint8Array((await file?.arrayBuffer()) ?? [])
  context.mediaType = file?.type.split(';')[0] ?? ''
  return new URLSearchParams([
    ...entries.flatMap(([field, value]): [string, string][] => (typeof value === 'string' ? [[field, value]] : [])),
    [name, file?.name ?? ''],
  ])
}
