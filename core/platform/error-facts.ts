/** What a log line holds of an error. */

export interface ErrorFacts {
  class: string
  message: string
  code?: string
  stack?: string
}

/** The code of an error: a SQLSTATE, or that of a driver or the system. Empty where it has none. */
export const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && error.code !== undefined ? String(error.code) : ''

/** The message, or those of the errors that it stands for: a name with several addresses fails once for each. */
export function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (error instanceof AggregateError && error.message === '') return error.errors.map(messageOf).join('; ')
  return error.message || error.name
}

/** Class, message, code and stack. Anything else that hangs on an error may be a secret or a tenant's data. */
export function factsOf(error: Error): ErrorFacts {
  const code = codeOf(error)
  return {
    class: error.constructor.name,
    message: messageOf(error),
    ...(code ? { code } : {}),
    ...(error.stack ? { stack: error.stack } : {}),
  }
}
