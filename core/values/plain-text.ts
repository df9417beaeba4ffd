/** Names and texts that people chose, fit to stand among words of ours: they can neither begin lines nor turn text around. */

/** Control characters, and what turns text around (CVE-2021-42574), have no place in a message. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: it is what must go
const UNSEEN = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069]/g

/** One line, without control characters, of at most so many code points. */
export function line(value: unknown, most: number): string {
  const text = String(value).toWellFormed().replaceAll(UNSEEN, ' ').replaceAll(/\s+/g, ' ').trim()
  return shorten(text, most)
}

/** Running text: it keeps its lines. */
export function paragraph(value: unknown, most: number): string {
  return shorten(
    String(value)
      .toWellFormed()
      .replaceAll(/\r\n?/g, '\n')
      .replaceAll(UNSEEN, ' ')
      .replaceAll(/\n{3,}/g, '\n\n')
      .trim(),
    most,
  )
}

/** Cuts by code points, so that no character is torn. */
function shorten(text: string, most: number): string {
  // A code point has at most two units: most texts are short, and are not taken apart.
  if (text.length <= most) return text
  const points = [...text]
  return points.length <= most ? text : `${points.slice(0, most - 1).join('')}…`
}

/** Text that PostgreSQL can hold: valid, and without U+0000. */
export const storable = (text: string): string => text.toWellFormed().replaceAll('\0', '\uFFFD')
