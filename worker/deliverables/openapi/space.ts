/**
 * Limits the size of a document. References let a short description describe a very long document, because everything that is
 * referred to is written where it is used.
 */
export class Space {
  constructor(private left: number) {}

  /** Takes space for a number of characters; false if there is not enough left. */
  take(characters: number): boolean {
    if (characters > this.left) this.left = 0
    else this.left -= characters
    return this.left > 0
  }

  /** The first rows that fit. */
  fitting(rows: Iterable<string[]>): string[][] {
    const fitting: string[][] = []
    for (const row of rows) {
      if (!this.take(row.reduce((length, cell) => length + cell.length + 3, 2))) break
      fitting.push(row)
    }
    return fitting
  }

  /** The text, or null if it does not fit. */
  text(text: string): string | null {
    return this.take(text.length) ? text : null
  }
}

/** Characters of a text in a table or of a summary, and of one with paragraphs. */
const MAX_LINE = 4_000
const MAX_PROSE = 50_000

const cut = (text: string, limit: number): string => (text.length > limit ? `${text.slice(0, limit)}…` : text)

/** A text for use within a line: long ones are cut. */
export const cutLine = (text: string): string => cut(text, MAX_LINE)

/** A text with paragraphs: long ones are cut. */
export const cutProse = (text: string): string => cut(text, MAX_PROSE)
