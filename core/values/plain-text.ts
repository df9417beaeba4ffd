/** Makes user-supplied text safe to embed in messages: without control characters, and limited in length. */

/** Control characters, and characters that change the direction of text (CVE-2021-42574). */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are removed
const UNSAFE = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069]/g

/** Whether a text is one line without control characters and characters that change the direction of text. */
export const isPlainLine = (text: string): boolean => text.search(UNSAFE) === -1 && !/[\t\n]/.test(text)

/** Overrides, embeddings and isolates: a name that opens one without closing it would reorder the text around it. */
const BIDIRECTIONAL = /[\u202a-\u202e\u2066-\u2069]/g

/** Text without characters that reorder the text around it. Arabic and Hebrew are displayed correctly without them. */
export const withoutOverrides = (text: string): string => text.replaceAll(BIDIRECTIONAL, '')

/** Text as one line of at most `limit` code points. */
export function line(value: unknown, limit: number): string {
  const text = String(value).toWellFormed().replaceAll(UNSAFE, ' ').replaceAll(/\s+/g, ' ').trim()
  return shorten(text, limit)
}

/** Text of at most `limit` code points, with its line breaks. */
export function paragraph(value: unknown, limit: number): string {
  return shorten(
    String(value)
      .toWellFormed()
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
