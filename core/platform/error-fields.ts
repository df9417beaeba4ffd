/** The fields of an error in log lines. */

/** The code of an error: a SQLSTATE, or a code of the driver or the operating system. Empty if it has none. */
export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && error.code !== undefined ? String(error.code) : ''
}

/** The message of an error, or of the errors in an AggregateError: connecting to a name fails once per address. */
export function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (error instanceof AggregateError && error.message === '') return error.errors.map(messageOf).join('; ')
  return error.message || error.name
}

/** Class, message, code and stack. Other properties of an error may be secrets or tenant data. */
export function errorFields(error: Error): { class: string; message: string; code?: string; stack?: string } {
  const code = codeOf(error)
  return {
    class: error.constructor.name,
    message: messageOf(error),
    ...(code ? { code } : {}),
    ...(error.stack ? { stack: error.stack } : {}),
  }
}
