/** Slugs and short keys: what a name becomes in addresses and ticket numbers. Pure. */

const LONGEST_SLUG = 48
const LONGEST_KEY = 6

/** Letters that no accent makes, and that fall apart into none: each by what it is written as without it. */
const LETTERS: Record<string, string> = { ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', đ: 'd', ð: 'd', ł: 'l', þ: 'th', ı: 'i' }

/** A name in ASCII kebab case; accents fall away, and where nothing is left it is `org`. */
export function slugOf(name: string): string {
  const ascii = name
    .normalize('NFKD')
    .replaceAll(/\p{Mark}/gu, '')
    .toLowerCase()
    .replaceAll(/[ßæœøđðłþı]/g, (letter) => LETTERS[letter] ?? '')
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
  return ascii.slice(0, LONGEST_SLUG).replace(/-+$/, '') || 'org'
}

/** The short key of a slug: initials of several words, the first four characters of one. */
export function keyOf(slug: string): string {
  const words = slug.split('-')
  const letters = words.length > 1 ? words.map((word) => word[0]).join('') : slug.slice(0, 4)
  return letters.toUpperCase().slice(0, LONGEST_KEY).padEnd(2, 'X')
}
