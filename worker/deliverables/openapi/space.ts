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
