/** Reads what the `data` of an event holds, whatever it holds: a message is made even of an event that lacks a field. */

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

/** Cut by code points, so that no character is torn. */
function shorten(text: string, most: number): string {
  // A code point has at most two units: most texts are short, and are not taken apart.
  if (text.length <= most) return text
  const points = [...text]
  return points.length <= most ? text : `${points.slice(0, most - 1).join('')}…`
}

const isObject = (value: unknown): value is Record<string, unknown> => value !== null && typeof value === 'object'

/** A value of `data`, by its path; null where it is absent. */
export function at(data: unknown, path: string): unknown {
  let value = data
  for (const key of path.split('.')) value = isObject(value) && Object.hasOwn(value, key) ? value[key] : null
  return value ?? null
}

/** What data says about one thing. */
export class Facts {
  constructor(readonly data: Record<string, unknown>) {}

  /** A name in a sentence: quoted, or the noun alone where there is none. */
  named(noun: string, path: string): string {
    const name = this.text(path)
    return name === null ? `the ${noun}` : `the ${noun} “${name}”`
  }

  /** One line; null where there is nothing. */
  text(path: string, most = 160): string | null {
    const value = at(this.data, path)
    if (value === null || typeof value === 'object') return null
    return line(value, most) || null
  }

  /** Running text; null where there is none. */
  prose(path: string, most = 500): string | null {
    const value = at(this.data, path)
    return typeof value === 'string' ? paragraph(value, most) || null : null
  }

  number(path: string): number | null {
    const value = at(this.data, path)
    return typeof value === 'number' && Number.isFinite(value) ? value : null
  }

  usd(path: string): string | null {
    const value = this.number(path)
    return value === null ? null : `$${value.toFixed(2)}`
  }
}
