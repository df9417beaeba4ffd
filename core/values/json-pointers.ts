/** JSON Pointers (RFC 6901) to values inside an object. */

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
