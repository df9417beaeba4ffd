/** Cuts and pads text to columns of a terminal. Chinese characters and emoji take two columns each. */

/** The first characters that fit into the width. */
function head(characters: string[], width: number): string {
  let taken = ''
  for (const each of characters) {
    if (Bun.stringWidth(taken + each) > width) break
    taken += each
  }
  return taken
}

const tail = (characters: string[], width: number): string => [...head(characters.toReversed(), width)].toReversed().join('')

const end = (cell: string[], width: number): string => `${head(cell, width - 1)}…`
const middle = (cell: string[], width: number): string =>
  `${head(cell, Math.ceil((width - 1) / 2))}…${tail(cell, Math.floor((width - 1) / 2))}`
const start = (cell: string[], width: number): string => `…${tail(cell, width - 1)}`

/** Cuts a text at its end. */
export const cut = (cell: string, width: number): string => (Bun.stringWidth(cell) <= width ? cell : end([...cell], width))

/** Cuts all cells of a table column at the place (end, middle or start) that leaves the most different texts. */
export function cutColumn(cells: string[], width: number): string[] {
  const candidates = [end, middle, start].map((shorten) =>
    cells.map((cell) => (Bun.stringWidth(cell) <= width ? cell : shorten([...cell], width))),
  )
  return candidates.reduce((best, each) => (new Set(each).size > new Set(best).size ? each : best))
}

export const padEnd = (cell: string, width: number): string => cell + ' '.repeat(Math.max(0, width - Bun.stringWidth(cell)))
export const padStart = (cell: string, width: number): string => ' '.repeat(Math.max(0, width - Bun.stringWidth(cell))) + cell
