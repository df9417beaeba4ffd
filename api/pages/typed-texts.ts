/** What people type into one field: digests, and names with values. */
import { invalidField } from '../problems.ts'

/** `sha256:9f86…`, `gitCommit:7d3f…`, or the hexadecimal digits alone: a commit has 40. */
const DIGEST = /^(?:(gitCommit|sha256):)?(.*)$/s

export function digestIn(text: string): Record<string, string> | null {
  const [, algorithm, digits = ''] = DIGEST.exec(text.trim()) ?? []
  if (digits === '') return null
  return { [algorithm ?? (digits.length === 40 ? 'gitCommit' : 'sha256')]: digits }
}

export const DIGEST_HINT =
  'sha256: with 64, or gitCommit: with 40 or 64 hexadecimal digits. Digits alone: those of a commit if there are 40.'

/** Reads lines such as `Name: value`, as `headerLines` writes them. @throws Problem 422 for a malformed line, or a name that is there twice */
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
