/** JSON with the numbers as they were written: numbers of JavaScript lose digits of `12345678901234567890`, and the zero of `1.0`. */

/** A number that JavaScript would write differently. `JSON.stringify` writes it as it was. */
interface WrittenNumber {
  readonly rawJSON: string
}

/** What TypeScript does not declare yet. */
const exact = JSON as unknown as {
  parse: (text: string, revive: (key: string, value: unknown, context: { source?: string }) => unknown) => unknown
  rawJSON: (text: string) => WrittenNumber
  isRawJSON: (value: unknown) => value is WrittenNumber
}

export const isWrittenNumber = exact.isRawJSON

/**
 * Parses JSON. Numbers that would be written differently become `WrittenNumber`s.
 *
 * @throws SyntaxError if it is not JSON
 */
export const parseExactly = (text: string): unknown =>
  exact.parse(text, (_, value, { source }) =>
    typeof value === 'number' && source !== undefined && JSON.stringify(value) !== source ? exact.rawJSON(source) : value,
  )
