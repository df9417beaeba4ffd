/** Makes user-supplied text safe to embed in messages: without control characters and credentials, and limited in length. */
import { maskCredentials } from '../security/credentials.ts'

/** Control characters, and characters that change the direction of text (CVE-2021-42574). */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are removed
const UNSAFE = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g

/** Whether a text is one line without control characters and characters that change the direction of text. */
export const isPlainLine = (text: string): boolean => text.search(UNSAFE) === -1 && !/[\t\n]/.test(text)

/** Text without control characters and characters that change the direction of text, with `\\n` as its only line break. */
export const printable = (text: string): string =>
  text
    .toWellFormed()
    .replaceAll(/\r\n?|[\v\f\u0085\u2028\u2029]/g, '\n')
    .replaceAll(UNSAFE, '')

/** Text as one line of at most `limit` code points. */
export function line(value: unknown, limit: number): string {
  const text = maskCredentials(String(value).toWellFormed()).replaceAll(UNSAFE, ' ').replaceAll(/\s+/g, ' ').trim()
  return shorten(text, limit)
}

/** Text of at most `limit` code points, with its line breaks. */
export function paragraph(value: unknown, limit: number): string {
  return shorten(
    maskCredentials(String(value).toWellFormed())
      .replaceAll(/\r\n?/g, '\n')
      .replaceAll(UNSAFE, ' ')
      .replaceAll(/\n{3,}/g, '\n\n')
      .trim(),
    limit,
  )
}

/** Cuts between code points. */
function shorten(text: string, limit: number): string {
  // Most texts are short: there are at most as many code points as UTF-16 units.
  if (text.length <= limit) return text
  const points = [...text]
  return points.length <= limit ? text : `${points.slice(0, limit - 1).join('')}…`
}

/** Text that PostgreSQL can store: well-formed and without U+0000. */
export const storable = (text: string): string => text.toWellFormed().replaceAll('\0', '\uFFFD')
