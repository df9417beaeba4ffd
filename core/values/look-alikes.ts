/** Names that people take for another one. */

/** Letters of other alphabets, digits and signs, by the Latin letter that they look like. */
const LOOK_ALIKES: Record<string, string> = {
  a: 'аαɑ@4',
  b: 'ьв8ß',
  e: 'еε3',
  g: 'ɡց9',
  i: 'іıιɩӏl1|!',
  n: 'ոη',
  o: 'оοօσ0',
  s: 'ѕꜱʂ5$',
  x: 'хχ×',
}

const LATIN = new Map(Object.entries(LOOK_ALIKES).flatMap(([latin, others]) => [...others].map((other) => [other, latin])))

/** What is left of a text for a reader who looks at it briefly: without case, accents, spaces and signs. */
const seen = (text: string): string =>
  Array.from(text.normalize('NFKC').toLowerCase().normalize('NFKD'), (character) => LATIN.get(character) ?? character)
    .join('')
    .replaceAll(/[^\p{L}\p{N}]/gu, '')

/** Whether a text contains what people would read as a word. */
export const looksLike = (text: string, word: string): boolean => seen(text).includes(seen(word))
