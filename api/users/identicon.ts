/** The picture of who uploaded none: a symmetrical pattern, made from the id and from nothing else. */

const CELL = 16
const ROWS = 5
/** The middle column is its own mirror image. */
const COLUMNS = [0, 1, 2]

/**
 * Draws it: five rows of five, mirrored, in one hue of two depths. Equal ids give equal bytes.
 *
 * @param id in any case of letters
 */
export function identicon(id: string): string {
  const bytes = new Bun.CryptoHasher('sha256').update(id.toLowerCase()).digest()
  const hue = Math.floor((((bytes[0] ?? 0) * 256 + (bytes[1] ?? 0)) * 360) / 65_536)
  const cells = COLUMNS.flatMap((column) =>
    Array.from({ length: ROWS }, (_, row) => ({ column, row, byte: bytes[2 + column * ROWS + row] ?? 0 })),
  )
  // The eight largest of fifteen are drawn: never an empty picture, never a full one.
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
