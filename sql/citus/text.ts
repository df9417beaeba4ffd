/** Reads the text of statements. */

/** A text with spaces in place of comments and quoted texts. */
export const mask = (text: string): string =>
  text.replace(/--[^\n]*|\/\*[\s\S]*?\*\/|'(?:[^']|'')*'/g, (opaque) => ' '.repeat(opaque.length))

/** A part of a masked text with spaces in place of what is in parentheses. */
export function withoutInner(masked: string, from: number, to: number): string {
  let depth = 0
  return masked.slice(from, to).replace(/[\s\S]/g, (character) => {
    if (character === ')') depth--
    const shown = depth === 0 ? character : ' '
    if (character === '(') depth++
    return shown
  })
}

/** Where the parentheses that are open at a position are closed; the end of the text if none are. */
export function endOf(masked: string, at: number): number {
  let to = at
  for (let depth = 0; to < masked.length; to++) {
    if (masked[to] === '(') depth++
    else if (masked[to] === ')' && depth-- === 0) break
  }
  return to
}

/** The parentheses around a position: where the text inside begins and ends. */
export function levelAround(masked: string, at: number): [from: number, to: number] {
  let from = at
  for (let depth = 0; from > 0; from--) {
    const before = masked[from - 1]
    if (before === ')') depth++
    else if (before === '(' && depth-- === 0) break
  }
  return [from, endOf(masked, at)]
}
