/**
 * The words that every shape is made of, in `typebox`. The same schema checks a request, documents it, and
 * gives its TypeScript type. (Elysia's own `t` is the older `@sinclair/typebox`; the two do not mix, so routes
 * take these through the Standard Schema seam of `api/plugins/validation.ts`.)
 */
import Type, { type Static, type TSchema } from 'typebox'
import Format from 'typebox/format'
import { canonicalAddress } from './email-addresses.ts'
import { inUtc, isInstant } from './instants.ts'
import { roundUsd } from './money.ts'

export type { Static, TSchema }
export { Type }

/** An object whose fields are all known: one that is not is refused by name. */
export const Shape = <const Fields extends Record<string, TSchema>>(fields: Fields, options: Type.TObjectOptions = {}) =>
  Type.Object(fields, { additionalProperties: false, ...options })

/** A field that may be left out. */
export const Maybe = <Schema extends TSchema>(schema: Schema) => Type.Optional(schema)

/** A field that `null` clears. */
export const Nullable = <Schema extends TSchema>(schema: Schema) => Type.Union([schema, Type.Null()])

/** One of several words. */
export const OneOf = <const Words extends readonly string[]>(words: Words, options: Type.TSchemaOptions = {}) =>
  Type.Unsafe<Words[number]>({ type: 'string', enum: [...words], ...options })

const MEANINGS = new Map<string, string>()

/** Text of one form. The meaning says what to change: "must be a UUID", for a reader who knows no regular expressions. */
export function Form(pattern: string, meaning: string, options: Type.TStringOptions = {}) {
  MEANINGS.set(pattern, meaning)
  return Type.String({ pattern, ...options })
}

/** What text must be that does not match the pattern of a form. */
export const meaningOf = (pattern: string): string | undefined => MEANINGS.get(pattern)

const UUID = '^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$'

export const Uuid = Form(UUID, 'must be a UUID', {
  description: 'A UUID.',
  examples: ['019a2f6e-7c1b-7d52-8a3f-5a0e6c1f2b3d'],
})

/** An instant in an answer: ISO 8601, UTC, milliseconds. */
export const Instant = Type.String({
  format: 'date-time',
  description: 'ISO 8601, UTC.',
  examples: ['2026-11-21T09:30:00.000Z'],
})

Format.Set('date-time', isInstant)

/** An instant in a request. Handlers get it in UTC with milliseconds. */
export const InstantInput = Type.String({
  format: 'date-time',
  'x-canonical': inUtc,
  description:
    'ISO 8601 with `Z` or an offset of at most 14 hours, in the years 1 to 9999 (UTC). Digits after the milliseconds are dropped.',
  examples: ['2026-11-21T09:30:00Z'],
})

/** A name: trimmed, and not empty then. Lengths count code points. */
export const Name = (maximum: number, options: Type.TSchemaOptions = {}) =>
  Type.String({ minLength: 1, maxLength: maximum, 'x-trim': true, ...options })

/** An e-mail address, without a name. It is brought into its canonical form before it is checked. */
export const Email = Type.Refine(
  Name(254, {
    'x-address': true,
    description:
      'An e-mail address, without a name. It is kept, shown and compared in one form: the domain in ASCII (Punycode), ASCII letters in lower case.',
    examples: ['ada@example.com'],
  }),
  (text) => canonicalAddress(text) === text,
  () =>
    'must be an e-mail address that mail servers accept, such as ada@example.com: without quotes, spaces and invisible characters; no dot at the start, at the end, or after another dot; at most 64 bytes before the @ and 63 in each label of the domain',
)

/** Running text. */
export const Text = (maximum: number, options: Type.TSchemaOptions = {}) => Type.String({ maxLength: maximum, ...options })

const WEB = /^https?:\/\//i

/** An http(s) URL. */
export const WebUrl = (maximum = 2048, options: Type.TSchemaOptions = {}) =>
  Type.Refine(
    Type.String({ maxLength: maximum, examples: ['https://example.com/'], ...options }),
    (text) => WEB.test(text) && URL.canParse(text),
    () => 'must be an http or https URL',
  )

/** Money in a request. Handlers get it rounded. */
export const Usd = Type.Number({
  minimum: 0,
  maximum: 1e9,
  'x-canonical': roundUsd,
  description: 'USD, at most 1,000,000,000; rounded half up to 6 decimals.',
  examples: [1.25],
})

/** Money in an answer. */
export const UsdAnswer = Type.Number({ description: 'USD.', examples: [12.5] })

export const Count = Type.Integer({ minimum: 0, maximum: 2_147_483_647 })

/** A closed object with nothing in it: for actions, whose body may be absent. */
export const Nothing = Shape({})

/** A page of records. */
export const Page = <Item extends TSchema>(item: Item) =>
  Shape({
    total: Count,
    page: Type.Integer({ minimum: 1 }),
    page_size: Type.Integer({ minimum: 1, maximum: 100 }),
    items: Type.Array(item),
  })

/** The query of a page. Absent values are filled in before a handler sees them. */
export const pageQuery = {
  page: Type.Integer({ minimum: 1, maximum: 2_147_483_647, default: 1, description: 'Which page, from 1.' }),
  page_size: Type.Integer({ minimum: 1, maximum: 100, default: 20, description: 'Items on a page.' }),
}

/** The query of a plain list. */
export const listQuery = {
  limit: Type.Integer({
    minimum: 1,
    maximum: 1000,
    default: 1000,
    description: 'How many at the most; where more follow, `Link` says so.',
  }),
}
