/** Reads names with values, such as headers, from the lines of a field: `Name: value`. `headerLines` writes them. */
import { invalidField } from '../../problems.ts'

/**
 * Reads the lines of such a field.
 *
 * @param pointer to the field
 * @throws Problem 422 for a line without a colon, or a name that is there twice
 */
export function pairsIn(pointer: string, text: string): Record<string, string> {
  const pairs = new Map<string, string>()
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue
    const colon = line.indexOf(':')
    const name = line.slice(0, Math.max(colon, 0)).trim()
    if (name === '') throw invalidField(pointer, 'malformed', `must have lines such as "Name: value"; line ${index + 1} has not`)
    if (pairs.has(name)) throw invalidField(pointer, 'duplicate', `must not have the name ${name} twice`)
    pairs.set(name, line.slice(colon + 1).trim())
  }
  return Object.fromEntries(pairs)
}
