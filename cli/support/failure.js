/** Errors that tell the user what to do next. They are printed without a stack trace. */

export class Failure extends Error {
  /**
   * @param {string} message
   * @param {{ next?: string, code?: string, status?: number, usage?: boolean }} [more] `next` is what to do; `code` the code of the API
   */
  constructor(message, { next, code, status, usage } = {}) {
    super(message)
    this.next = next
    this.code = code
    this.status = status
    this.usage = usage ?? false
  }
}

/**
 * An error of the command line.
 *
 * @param {string} message
 */
export const wrongUsage = (message) => new Failure(message, { usage: true })
