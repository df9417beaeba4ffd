/** Derives slugs and short keys from names. */

const MAX_SLUG_LENGTH = 48
const MAX_KEY_LENGTH = 6

/** Transliterations of letters that Unicode normalization does not decompose. */
const LETTERS: Record<string, string> = { ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', đ: 'd', ð: 'd', ł: 'l', þ: 'th', ı: 'i' }

/** A name in ASCII kebab case, without accents; `org` if nothing is left. */
export function slugOf(name: string): string {
  const ascii = name
    .normalize('NFKD')
    .replaceAll(/\p{Mark}/gu, '')
    .toLowerCase()
    .replaceAll(/[ßæœøđðłþı]/g, (letter) => LETTERS[letter] ?? '')
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
  return ascii.slice(0, MAX_SLUG_LENGTH).replace(/-+$/, '') || 'org'
}

/** The short key of a slug: the initials of several words, or the first four characters of one. */
export function keyOf(slug: string): string {
  const words = slug.split('-')
  const letters = words.length > 1 ? words.map((word) => word[0]).join('') : slug.slice(0, 4)
  return letters.toUpperCase().slice(0, MAX_KEY_LENGTH).padEnd(2, 'X')
}
