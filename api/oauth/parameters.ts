/** The parameters of requests to OAuth endpoints. */
import { parseForm } from '../pages/forms.ts'
import { OAuthError } from './errors.ts'

/** Those of one request. None may be repeated, and an empty one counts as absent (RFC 6749, section 3.2). */
export class Parameters {
  readonly #values: Map<string, string>

  /** @throws OAuthError `invalid_request`; Problem if the form is malformed */
  constructor(form: Uint8Array) {
    const pairs = [...parseForm(form)]
    this.#values = new Map(pairs)
    if (this.#values.size < pairs.length) throw new OAuthError('invalid_request', 'A parameter must not be repeated.')
  }

  optional(name: string): string | undefined {
    return this.#values.get(name) || undefined
  }

  /** @throws OAuthError `invalid_request` */
  required(name: string): string {
    const value = this.optional(name)
    if (value === undefined) throw new OAuthError('invalid_request', `The parameter ${name} is required.`)
    return value
  }

  /** The words of a list that is separated by spaces; undefined if it is absent. */
  words(name: string): string[] | undefined {
    return this.optional(name)?.split(' ').filter(Boolean)
  }
}
