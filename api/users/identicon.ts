/** The default avatar: a symmetrical pattern generated from the user id. */

const CELL = 16
const ROWS = 5
/** The middle column is its own mirror image. */
const COLUMNS = [0, 1, 2]

/**
 * Draws a pattern of five by five cells, mirrored, in two shades of one hue. The same id always gives the same bytes.
 *
 * @param id in upper or lower case
 * @returns SVG
 */
export function identicon(id: string): string {
  const bytes = new Bun.CryptoHasher('sha256').update(id.toLowerCase()).digest()
  const hue = Math.floor((((bytes[0] ?? 0) * 256 + (bytes[1] ?? 0)) * 360) / 65_536)
  const cells = COLUMNS.flatMap((column) =>
    Array.from({ length: ROWS }, (_, row) => ({ column, row, byte: bytes[2 + column * ROWS + row] ?? 0 })),
  )
  // Eight of fifteen cells are drawn, so that the image is never empty and never full.
  const drawn = cells.toSorted((a, b) => b.byte - a.byte).slice(0, 8)
  const shapes = drawn.flatMap(({ column, row, byte }) => {
    const mirrored = column === 2 ? [column] : [column, ROWS - 1 - column]
    const lightness = byte % 3 === 0 ? 62 : 45
    return mirrored.map(
      (x) =>
        `<rect x="${8 + x * CELL + 1}" y="${8 + row * CELL + 1}" width="14" height="14" rx="4" fill="hsl(${hue},58%,${lightness}%)"/>`,
    )
  })
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 96 96" width="96" height="96"><rect width="96" height="96" rx="20" fill="hsl(${hue},60%,93%)"/>${shapes.join('')}</svg>`
}
