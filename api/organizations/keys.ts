/** Derives slugs and short keys from names, and numbers those that are taken. */
import { sql } from '../../core/platform/database.ts'
import type { Fragment } from '../../sql/index.ts'

/** Latin letters that Unicode does not decompose into a letter of ASCII and marks. In SQL they are in the function `folded`. */
const SINGLE_LETTERS: Record<string, string> = {
  a: 'ⱥɐᴀᶏɑ',
  b: 'ƀɓƃʙᵬᶀꞗ',
  c: 'ƈȼɕᴄↄꜿꞓꞔ',
  d: 'đɖɗƌȡᴅᵭᶁᶑꝺð',
  e: 'ǝɛɇɘᴇᶒᶓⱸꬲꬴə',
  f: 'ƒᵮᶂꜰꝼꞙ',
  g: 'ɠǥɡɢʛᵷᵹᶃꞡꬶɣ',
  h: 'ħɥɦʜʮʯⱨⱶꞕ',
  i: 'ıɨɪᴉᶖɩ',
  j: 'ȷɉɟʄʝᴊ',
  k: 'ƙʞᴋᶄⱪꝁꝃꝅꞣĸ',
  l: 'łƚȴɫɬɭʟᴌᶅⱡꝇꝉꞁꞎꬷꬸꬹ',
  m: 'ɯɰɱᴍᵯᶆꬺ',
  n: 'ɲƞȵɳɴᵰᶇꞑꞥꬻŋ',
  o: 'øɔᴏᴑᴓᶗⱺꝋꝍꬽꬾꬿ',
  p: 'ƥᴘᵱᵽᶈꝑꝓꝕ',
  q: 'ɋʠꝗꝙ',
  r: 'ʀɍɹɺɻɼɽɾɿᵲᵳᶉⱹꞃꞧꭅꭆꭉꭋꭌ',
  s: 'ȿʂᵴᶊẜẝꜱꞅꞩʃ',
  t: 'ŧƫƭʈȶⱦʇᴛᵵꞇ',
  u: 'ᴜᴝᶙꞹꭎꭒʊ',
  v: 'ʋʌᴠᶌⱱⱴꝟ',
  w: 'ʍᴡⱳ',
  x: 'ᶍꭖꭗꭘꭙ',
  y: 'ƴɏʎʏỿꭚ',
  z: 'ƶȥɀʐʑᴢᵶᶎⱬꝣʒ',
}

const DOUBLE_LETTERS: Record<string, string> = { ß: 'ss', æ: 'ae', œ: 'oe', þ: 'th' }

const ASCII = new Map([
  ...Object.entries(SINGLE_LETTERS).flatMap(([letter, others]) => [...others].map((other) => [other, letter] as const)),
  ...Object.entries(DOUBLE_LETTERS),
])

/** @param text in lower case and decomposed @returns the text with these letters in ASCII */
const withAsciiLetters = (text: string): string => Array.from(text, (character) => ASCII.get(character) ?? character).join('')

const MAX_SLUG_LENGTH = 48
const MAX_KEY_LENGTH = 6

/** A name in ASCII kebab case, without accents; `org` if nothing is left. */
export function slugOf(name: string): string {
  const ascii = withAsciiLetters(
    name
      .normalize('NFKD')
      .replaceAll(/\p{Mark}/gu, '')
      .toLowerCase(),
  )
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

/** The name with a number; the name itself for 1. */
type Numbered = (number: Fragment) => Fragment

/** A slug followed by `-2`, `-3`, …, never longer than 48 characters. */
export const numberedSlug =
  (slug: string): Numbered =>
  (number) =>
    sql`
    case ${number}
      when 1 then ${slug}::text
      else rtrim(left(${slug}::text, 47 - length(${number}::text)), '-') || '-' || ${number}
    end
  `

/** A key followed by 2, 3, …. */
export const numberedKey =
  (key: string): Numbered =>
  (number) =>
    sql`concat(${key}::text, nullif(${number}, 1))`

/**
 * Finds a free name: the number is doubled until the name is free, then narrowed by bisection. A million equal names take
 * forty lookups.
 *
 * `offset 0` keeps PostgreSQL from evaluating the lookup more than once.
 *
 * @param isTaken whether a name is taken, as `(select true …) is not null`: for `exists`, PostgreSQL may hash the whole
 *   table. The caller must hold a lock that keeps others from taking the same name
 */
export const freeName = (numbered: Numbered, isTaken: (name: Fragment) => Fragment) => sql`
  (
    with recursive probe (taken, free, number) as (
      select 0, null::integer, 1
      union all
      select
        step.taken, step.free,
        case when step.free is null then step.taken * 2 else (step.taken + step.free) / 2 end
      from probe
      cross join lateral (
        select
          case when look.is_taken then probe.number else probe.taken end as taken,
          case when look.is_taken then probe.free else probe.number end as free
        from (select ${isTaken(numbered(sql`probe.number`))} as is_taken offset 0) as look
        offset 0
      ) as step
      where probe.free is null or probe.free - probe.taken > 1
    )
    select ${numbered(sql`probe.free`)} from probe where free - taken = 1
  )
`
