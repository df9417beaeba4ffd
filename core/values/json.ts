/** Parsed JSON: its objects, pointers to values in it (RFC 6901), and numbers as they were written. */

const POINTER = /^(\/([^/~]|~[01])*)+$/
const INDEX = /^(0|[1-9]\d{0,9})$/

/** Whether a text is a pointer to a value inside an object. The empty pointer, to the object itself, is none here. */
export const isWellFormedPointer = (text: string): boolean => POINTER.test(text)

/** The name that a reference token stands for. */
export const unescapePointer = (token: string): string => token.replaceAll('~1', '/').replaceAll('~0', '~')

/**
 * The value at a well-formed pointer.
 *
 * @returns undefined if it is absent: what an object inherits, such as `constructor`, is no value in it
 */
export function valueAt(root: unknown, pointer: string): unknown {
  let value = root
  for (const token of pointer.split('/').slice(1)) {
    if (value === null || typeof value !== 'object') return undefined
    const key = unescapePointer(token)
    if (Array.isArray(value) ? !INDEX.test(key) : !Object.hasOwn(value, key)) return undefined
    value = (value as Record<string, unknown>)[key]
  }
  return value
}

/** A number that JavaScript would write differently, such as `12345678901234567890` or `1.0`. `JSON.stringify` writes it as it was. */
type WrittenNumber = { readonly rawJSON: string }

/** What TypeScript does not declare yet. */
const exact = JSON as unknown as {
  parse: (text: string, revive: (key: string, value: unknown, context: { source?: string }) => unknown) => unknown
  rawJSON: (text: string) => WrittenNumber
  isRawJSON: (value: unknown) => value is WrittenNumber
}

export const isWrittenNumber = exact.isRawJSON

/** Parses JSON. Numbers that would be written differently become `WrittenNumber`s. @throws SyntaxError if it is not JSON */
export const parseExactly = (text: string): unknown =>
  exact.parse(text, (_, value, { source }) =>
    typeof value === 'number' && source !== undefined && JSON.stringify(value) !== source ? exact.rawJSON(source) : value,
  )

/** Whether a value, such as one of parsed JSON, is an object with names: neither null nor a list. */
export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
