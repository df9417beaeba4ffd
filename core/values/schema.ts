/**
 * Common schemas, in `typebox`. One schema validates a request, documents it, and gives its TypeScript type. (Elysia's own `t`
 * is the older `@sinclair/typebox`, which is not compatible; routes therefore use Standard Schema, see
 * `api/plugins/validation.ts`.)
 */
import Type, { type Static, type TSchema } from 'typebox'
import Format from 'typebox/format'
import { canonicalAddress } from './email-addresses.ts'
import { DAY_MS, inUtc, isInstant, LAST_MS } from './instants.ts'
import { roundUsd } from './money.ts'
import { isPlainLine } from './plain-text.ts'
import { UUID_PATTERN } from './uuids.ts'

/** Letters of other alphabets, digits and signs, by the Latin letter that they look like. */
const LOOK_ALIKES: Record<string, string> = {
  a: 'аαɑ@4',
  b: 'ьв8ß',
  e: 'еε3',
  g: 'ɡց9',
  i: 'іıιɩӏl1|!',
  n: 'ոη',
  o: 'оοօσ0',
  s: 'ѕꜱʂ5$',
  x: 'хχ×',
}

const LATIN = new Map(Object.entries(LOOK_ALIKES).flatMap(([latin, others]) => [...others].map((other) => [other, latin])))

/** What is left of a text for a reader who looks at it briefly: without case, accents, spaces and signs. */
const seen = (text: string): string =>
  Array.from(text.normalize('NFKC').toLowerCase().normalize('NFKD'), (character) => LATIN.get(character) ?? character)
    .join('')
    .replaceAll(/[^\p{L}\p{N}]/gu, '')

/** Whether a text contains what people would read as a word. */
const looksLike = (text: string, word: string): boolean => seen(text).includes(seen(word))

export type { Static, TSchema }
export { Type }

type Fields = Record<string, TSchema>

/** An object without additional fields; unknown fields are rejected by name. A title names it in OpenAPI and in the SDK. */
export function Shape<const F extends Fields>(title: string, fields: F, options?: Type.TObjectOptions): Type.TObject<F>
export function Shape<const F extends Fields>(fields: F, options?: Type.TObjectOptions): Type.TObject<F>
export function Shape(...given: [Fields, Type.TObjectOptions?] | [string, Fields, Type.TObjectOptions?]) {
  if (typeof given[0] !== 'string')
    return Type.Object(given[0], { additionalProperties: false, ...(given[1] as Type.TObjectOptions) })
  const [title, fields, options] = given as [string, Fields, Type.TObjectOptions?]
  return Type.Object(fields, { additionalProperties: false, title, ...options })
}

export const Maybe = <Schema extends TSchema>(schema: Schema) => Type.Optional(schema)

/** Fields of which each may be left out. */
export const optional = <const Fields extends Record<string, TSchema>>(fields: Fields) =>
  Type.Partial(Type.Object(fields)).properties

export const Nullable = <Schema extends TSchema>(schema: Schema) => Type.Union([schema, Type.Null()])

export const OneOf = <const Words extends readonly string[]>(words: Words, options: Type.TSchemaOptions = {}) =>
  Type.Unsafe<Words[number]>({ type: 'string', enum: [...words], ...options })

const MEANINGS = new Map<string, string>()

/** Text with a pattern. The meaning is the error message, such as "must be a UUID", which is clearer than the pattern. */
export function Form(pattern: string, meaning: string, options: Type.TStringOptions = {}) {
  MEANINGS.set(pattern, meaning)
  return Type.String({ pattern, ...options })
}

export const meaningOf = (pattern: string): string | undefined => MEANINGS.get(pattern)

export const Uuid = Form(UUID_PATTERN, 'must be a UUID', {
  description: 'A UUID.',
  examples: ['019a2f6e-7c1b-7d52-8a3f-5a0e6c1f2b3d'],
})

/** The same schema with another description. */
export const Described = <Schema extends TSchema>(schema: Schema, description: string) =>
  Type.Unsafe<Static<Schema>>({ ...schema, description })

/** A time in a response: ISO 8601, UTC, milliseconds. */
export const Instant = Type.String({
  format: 'date-time',
  description: 'ISO 8601, UTC.',
  examples: ['2026-11-21T09:30:00.000Z'],
})

Format.Set('date-time', isInstant)

/** A time in a request. Handlers get it in UTC with milliseconds. */
export const InstantInput = Type.String({
  format: 'date-time',
  'x-canonical': inUtc,
  description:
    'ISO 8601 with `Z` or an offset of at most 14 hours, in the years 1 to 9999 (UTC). Seconds may be left out, and so may the colon of an offset. Digits after the milliseconds are dropped.',
  examples: ['2026-11-21T09:30:00Z'],
})

/** Text that is trimmed, and not empty after that. Lengths are in code points. */
const Trimmed = (maximum: number, options: Type.TSchemaOptions = {}) =>
  Type.String({ minLength: 1, maxLength: maximum, 'x-trim': true, ...options })

const ONE_LINE =
  'must be one line without line breaks, control, invisible or direction-changing characters, and not begin with a combining mark'

/** A name: one line that is shown among others, without characters that are not seen or reorder what is around it. */
export const Name = (maximum: number, options: Type.TSchemaOptions = {}) =>
  Type.Refine(Trimmed(maximum, options), isPlainLine, () => ONE_LINE)

/** The name of a person. Audit entries and mails have the name of the service where it acted itself. */
export const PersonName = (options: Type.TSchemaOptions = {}) =>
  Type.Refine(
    Name(120, options),
    // What is longer is refused for that, and would be slow to compare.
    (text) => text.length > 240 || !looksLike(text, 'signalbox'),
    () => 'must not contain the name of this service',
  )

/** An e-mail address without a display name. Converted to its canonical form before it is checked. */
export const Email = Type.Refine(
  Trimmed(254, {
    'x-address': true,
    description:
      'An e-mail address without a display name. It is stored and returned in canonical form: the domain in ASCII (Punycode), ASCII letters in lower case.',
    examples: ['ada@example.com'],
  }),
  (text) => canonicalAddress(text) === text,
  () =>
    'must be a valid e-mail address, such as ada@example.com: no quotes, spaces or invisible characters; no dot at the start, at the end, or after another dot; at most 64 bytes before the @ and 63 in each label of the domain',
)

export const Text = (maximum: number, options: Type.TSchemaOptions = {}) => Type.String({ maxLength: maximum, ...options })

/** Whether there is something in a text that can be seen. */
export const isVisible = (text: string): boolean => /[\p{L}\p{N}\p{P}\p{S}]/u.test(text)

/** Text that must say something, such as a reason. */
export const VisibleText = (maximum: number, options: Type.TSchemaOptions = {}) =>
  Type.Refine(Text(maximum, { minLength: 1, ...options }), isVisible, () => 'must say why, in text that can be seen')

const WEB = /^https?:\/\//i

export const isWebUrl = (text: string): boolean => WEB.test(text) && URL.canParse(text)

export const WebUrl = (maximum = 2048, options: Type.TSchemaOptions = {}) =>
  Type.Refine(
    Type.String({ maxLength: maximum, examples: ['https://example.com/'], ...options }),
    isWebUrl,
    () => 'must be an http or https URL',
  )

/** An http(s) URL of one line that is shown among others. */
export const WebLine = (options: Type.TSchemaOptions) => Type.Refine(WebUrl(2048, options), isPlainLine, () => ONE_LINE)

/** Who did something, in a response. */
export const ActorShape = Shape(
  {
    type: OneOf(['user', 'service_account', 'system']),
    id: Nullable(Uuid),
    name: Type.String({
      description: 'As it is now; of a deleted user or service account as it was.',
      examples: ['Ada Lovelace'],
    }),
  },
  { title: 'Actor', description: 'Who did this. `system` is Signalbox itself, without an id.' },
)
export type ShownActor = Static<typeof ActorShape>

export const AlertThreshold = Type.Number({
  exclusiveMinimum: 0,
  maximum: 1,
  description: 'Fraction of the limit above which `budget.alert` is emitted.',
  examples: [0.8],
})

/** Money in a request. Handlers get it rounded. */
export const Usd = Type.Number({
  minimum: 0,
  maximum: 1e9,
  'x-canonical': roundUsd,
  description: 'USD, at most 1,000,000,000; rounded half up to 6 decimals.',
  examples: [1.25],
})

export const UsdOutput = Type.Number({ description: 'USD.', examples: [12.5] })

export const Count = Type.Integer({ minimum: 0, maximum: 2_147_483_647 })

/** An object without fields: for actions, whose body may be absent. */
export const Nothing = Shape({})

export const Page = <Item extends TSchema>(item: Item) =>
  Shape(
    {
      total: Count,
      page: Type.Integer({ minimum: 1 }),
      page_size: Type.Integer({ minimum: 1, maximum: 100 }),
      items: Type.Array(item),
    },
    { 'x-list': true },
  )

/** The query parameters of a page. Handlers get the defaults. */
export const pageQuery = {
  page: Type.Integer({ minimum: 1, maximum: 2_147_483_647, default: 1, description: 'Page number, from 1.' }),
  page_size: Type.Integer({ minimum: 1, maximum: 100, default: 20, description: 'Items per page.' }),
}

/** The query parameters of a list without pages. */
export const listQuery = {
  limit: Type.Integer({
    minimum: 1,
    maximum: 1000,
    default: 1000,
    description: 'Maximum number of items. If there are more, the `Link` header has the next URL.',
  }),
}

export const Month = Form('^[1-9][0-9]{3}-(0[1-9]|1[0-2])$', 'must be a month as YYYY-MM', {
  description: 'YYYY-MM.',
  examples: ['2026-11'],
})

/** The query parameters of a report over calendar months (UTC). */
export const monthsQuery = {
  from: Maybe(
    Type.Unsafe<string>({ ...Month, description: 'The first month, YYYY-MM. Default: eleven months before the last.' }),
  ),
  to: Maybe(Type.Unsafe<string>({ ...Month, description: 'The last month, YYYY-MM. Default: the current month.' })),
}

const midnight = (day: string): string => `${day}T00:00:00Z`

const typedDay = (canonical: (day: string) => string) =>
  Type.Refine(
    Type.String({ 'x-canonical': canonical }),
    (day) => /^\d{4}-\d{2}-\d{2}$/.test(day) && isInstant(midnight(day)),
    () => 'must be a day as YYYY-MM-DD',
  )

/** A first day (UTC) that a person types. Handlers get the time at which it begins. */
export const Day = typedDay((day) => inUtc(midnight(day)))

/** A last day (UTC) that a person types, which belongs to the period. Handlers get the time at which the next one begins. */
export const LastDay = typedDay((day) => new Date(Math.min(Date.parse(midnight(day)) + DAY_MS, LAST_MS)).toISOString())
