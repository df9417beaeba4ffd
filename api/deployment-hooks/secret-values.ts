/** The rules for values that are write-only: those of headers and of template secrets. */
import { MASK } from '../../core/security/secrets.ts'

const SECRET_VALUE = /^[\t\x20-\x7e]*$/

/**
 * What is wrong with a value; null if nothing is.
 *
 * @param stored whether a value of that name is stored, which the placeholder keeps
 */
export function secretValueError(value: string, stored: boolean): [code: string, detail: string] | null {
  if (value === MASK)
    return stored ? null : ['nothing_to_keep', 'is the placeholder for the stored value, but no value is stored']
  if (!SECRET_VALUE.test(value)) return ['malformed', 'may contain only visible ASCII characters, spaces and tabs']
  return null
}
