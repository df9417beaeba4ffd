/** Values that break careless services, by the type of field. */

/** What is expected of each value: refused with 422, or accepted by validation. */
export interface Hostile {
  refused: unknown[]
  accepted: unknown[]
}

/** A number that JSON can hold and JavaScript cannot: it is inserted into the body as text. */
export const RAW = '@1e309@'

export interface AtomSchema {
  type?: string
  format?: string
  pattern?: string
  minLength?: number
  maxLength?: number
  minimum?: number
  exclusiveMinimum?: number
  maximum?: number
}

const ID = '019a2f6e-7c1b-7d52-8a3f-5a0e6c1f2b3d'

const TIMES: Hostile = {
  refused: [
    '',
    'yesterday',
    'now',
    'infinity',
    'epoch',
    '2026-01-01',
    '2026-01-01T00:00:00',
    ' 2026-01-01T00:00:00Z',
    '2026-01-01T00:00:00Z\n',
    '2026-01-01T00:00:00.Z',
    '2026-01-01T00:00:00.1234567890Z',
    '2026-1-1T0:0:0Z',
    '2026-13-01T00:00:00Z',
    '2026-00-01T00:00:00Z',
    '2026-02-30T00:00:00Z',
    '2026-02-31T00:00:00Z',
    '2025-02-29T00:00:00Z',
    '2026-01-00T00:00:00Z',
    '2026-01-01T24:00:00Z',
    '2026-01-01T23:60:00Z',
    '2016-12-31T23:59:60Z',
    '2026-01-01T00:00:00+14:01',
    '2026-01-01T00:00:00-14:01',
    '2026-01-01T00:00:00+18:00',
    '2026-01-01T00:00:00+23:59',
    '2026-01-01T00:00:00+99:99',
    '2026-01-01T00:00:00+01:60',
    '2026-01-01T00:00:00+1',
    '2026-01-01T00:00:00+01:0',
    '0000-01-01T00:00:00Z',
    '0000-12-31T23:59:59.999Z',
    '0001-01-01T00:00:00+14:00',
    '0001-01-01T00:00:00+00:01',
    '9999-12-31T23:59:59.999-00:01',
    '9999-12-31T23:59:59.999-12:00',
    '10000-01-01T00:00:00Z',
    '+010000-01-01T00:00:00Z',
    '-0001-01-01T00:00:00Z',
    '２０２６-01-01T00:00:00Z',
  ],
  accepted: [
    '0001-01-01T00:00:00Z',
    '0000-12-31T23:00:00-14:00',
    '1969-12-31T23:59:59.999Z',
    '2024-02-29T23:59:59.123456789-00:00',
    '2026-07-01T00:00:00+14:00',
    '9999-12-31T23:59:59.999Z',
    '9999-12-31T23:59:59.999999999Z',
    '9999-12-31T00:00:00.001Z',
    '2026-01-01 00:00:00Z',
    '2026-01-01t00:00:00z',
    '2026-01-01T00:00:00+0100',
    '2026-01-01T00:00Z',
  ],
}

const IDS: Hostile = {
  refused: [
    '1',
    'me',
    `${ID}0`,
    `{${ID}}`,
    `urn:uuid:${ID}`,
    ID.replaceAll('-', ''),
    ` ${ID}`,
    `${ID}\n`,
    `${ID.slice(0, -1)}３`,
    "1' or '1'='1",
    '🚂',
    'x'.repeat(5000),
  ],
  accepted: [ID, ID.toUpperCase(), '00000000-0000-0000-0000-000000000000', 'ffffffff-ffff-ffff-ffff-ffffffffffff'],
}

/** Names that combine several hazards. */
const NAMES = [
  '__proto__',
  'e\u0301 🚂👩‍👩‍👧‍👦 مرحبا',
  "'; drop table users; -- % _ * \\ {} $1 <script>alert(1)</script> ../../etc/passwd",
]

/** What names may not contain. */
const NOT_IN_NAMES = ['a\nb', 'a\tb', 'a\u001b[31m', 'a\u202eb', 'a\u200bb', 'a\u200db', 'a\u00adb', 'a\ufeffb', '\u2066a']

/** Texts with a short limit that must not be empty are names. */
const isName = ({ minLength = 0, maxLength = Number.POSITIVE_INFINITY }: AtomSchema): boolean =>
  minLength === 1 && maxLength < 256

/** Complete texts that combine several hazards, as a request for each would take long. */
const TEXTS = [
  ' ',
  '__proto__',
  'e\u0301 \u200B\u202E\uFFFF\u{10FFFF} 🚂👩‍👩‍👧‍👦 مرحبا',
  "'; drop table users; -- % _ * \\ {} $1 <script>alert(1)</script> ../../etc/passwd\r\nX-Injected: 1\u001B[31m",
]

const texts = (schema: AtomSchema, { minLength = 0, maxLength } = schema): Hostile => ({
  refused: [
    'a\0b',
    ...(isName(schema) ? NOT_IN_NAMES : []),
    ...(minLength > 0 ? [''] : []),
    ...(maxLength !== undefined && maxLength < 100_000 ? ['x'.repeat(maxLength + 1), '🚂'.repeat(maxLength + 1)] : []),
  ],
  accepted: [
    ...(isName(schema) ? NAMES : TEXTS),
    ...(maxLength !== undefined && maxLength < 100_000 ? ['x'.repeat(maxLength), '🚂'.repeat(maxLength)] : []),
  ],
})

const numbers = ({ minimum = 0, exclusiveMinimum, maximum = 0 }: AtomSchema): Hostile => ({
  refused: [RAW, 1e308, -1e308, -1, -0.000_000_1, maximum + 1, ...(exclusiveMinimum === undefined ? [] : [0, -0])],
  accepted: [
    maximum,
    ...(exclusiveMinimum === undefined ? [minimum, -0] : []),
    5e-324,
    1e-7,
    0.1 + 0.2,
    ...[1.140_000_000_000_000_1, 123_456_789.123_456_5, 999_999_999.999_999_9].filter((each) => each <= maximum),
  ],
})

const integers = ({ minimum = 0, maximum = 0 }: AtomSchema): Hostile => ({
  refused: [RAW, 1e308, -1e308, minimum - 1, minimum + 0.5, ...(maximum < Number.MAX_SAFE_INTEGER ? [maximum + 1] : [])],
  accepted: [minimum, maximum],
})

/** Strings that are not integers in a query. */
const NO_INTEGERS = ['', 'ten', '1.5', '1e1', '+1', '0x1', ' 1', '1 ', '１', '1_0', '99999999999999999999', '-', 'NaN', '1\0']

/** Values of the wrong JSON type. */
const wrongTypes = (type: string): unknown[] => [true, [], ['x'], {}, ...(type === 'string' ? [0, 1] : ['1', '', '1.5'])]

function byKind(schema: AtomSchema): Hostile {
  if (schema.format === 'date-time') return TIMES
  if (schema.pattern?.includes('{8}-')) return IDS
  if (schema.pattern)
    return {
      refused: [...(new RegExp(schema.pattern, 'u').test('') ? [] : ['']), 'a\0b', '\u{10FFFF}'],
      accepted: ['1000-01', '9999-12', '0'.repeat(64), 'f'.repeat(64)],
    }
  if (schema.type === 'number') return numbers(schema)
  if (schema.type === 'integer') return integers(schema)
  return texts(schema)
}

/**
 * The values for a field of a body.
 *
 * @param hashesPassword whether an accepted request hashes a password: then only the last value, the longest, is sent
 */
export function inBody(schema: AtomSchema, hashesPassword: boolean): Hostile {
  const { refused, accepted } = byKind(schema)
  const surrogates = schema.type === 'string' ? ['\uD800', 'a\uDC00b'] : []
  return {
    refused: [...refused, ...surrogates, ...wrongTypes(schema.type ?? '')],
    accepted: hashesPassword ? accepted.slice(-1) : accepted,
  }
}

/** The values for a query parameter, which is text. */
export function inQuery(schema: AtomSchema): Hostile {
  const { refused, accepted } = byKind(schema)
  return {
    refused: [...refused, ...(schema.type === 'integer' ? NO_INTEGERS : [])].filter((value) => value !== RAW).map(String),
    accepted: accepted.map(String),
  }
}

/** The values for an id in a path. */
export const inPath: Hostile = { refused: [...IDS.refused, 'a\0b'], accepted: IDS.accepted }
