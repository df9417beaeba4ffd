/** Character references of HTML, which Markdown allows in text and links: `&lt;`, `&#35;`, `&#x23;`. */

const NAMED: Record<string, string> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: '\u00a0',
  hellip: '…',
  mdash: '—',
  ndash: '–',
  zwj: '\u200d',
}

/** Replaces character references. An unknown name remains as it is written. */
export const decodeReferences = (text: string): string =>
  text.replaceAll(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]{2,6}));/gi, (written, decimal, hex, name) => {
    if (name !== undefined) return Object.hasOwn(NAMED, name) ? (NAMED[name] ?? written) : written
    const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal)
    // As CommonMark requires; a surrogate alone is no character.
    const isCharacter = code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff)
    return isCharacter ? String.fromCodePoint(code) : '\ufffd'
  })
