/** Makes user-supplied text safe to embed in messages: without control characters and credentials, and limited in length. */
import { maskCredentials } from './credentials.ts'

/** More combining marks than any language needs for one letter: sorting them takes the square of their number. */
const MAX_MARKS = 16

const LONG_RUN = new RegExp(`\\p{M}{${MAX_MARKS + 1}}`, 'u')

/** Why a text is refused that `nfc` would leave as it is. */
export const TOO_MANY_MARKS = `must not contain more than ${MAX_MARKS} combining marks in a row`

export const hasTooManyMarks = (text: string): boolean => LONG_RUN.test(text)

/** A text in NFC; one with too many marks stays as it is. */
export const nfc = (text: string): string => (hasTooManyMarks(text) ? text : text.normalize('NFC'))

/** Control characters, and characters that change the direction of text (CVE-2021-42574). */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are removed
const UNSAFE = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g

/** Invisible characters: a name with one of them looks like the name without it. */
const INVISIBLE =
  /\u034f|[\u00ad\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b\u2060-\u2065\u206a-\u206f\u2800\u3164\ufeff\uffa0\ufff0-\ufffb]|[\ufe00-\ufe0d]|[\u{1bca0}-\u{1bca3}\u{1d173}-\u{1d17a}\u{e0000}-\u{e00ff}\u{e01f0}-\u{e0fff}]/u

/** Scripts in which a joiner changes how the letters next to it look. */
const JOINING = [
  ...['Arabic', 'Syriac', 'Nko', 'Mongolian', 'Devanagari', 'Bengali', 'Gurmukhi', 'Gujarati', 'Oriya', 'Tamil', 'Telugu'],
  ...['Kannada', 'Malayalam', 'Sinhala', 'Khmer', 'Myanmar', 'Tibetan'],
].map((script) => `\\p{Script_Extensions=${script}}`)
const JOINED = `\\p{Extended_Pictographic}\\p{Emoji_Modifier}\\ufe0f${JOINING.join('')}`

/** Joiners and variation selectors where nothing is joined or varied: like the characters above, they are not seen there. */
const STRAY = new RegExp(
  [
    `(?<![${JOINED}])[\\u200c\\u200d]`,
    `[\\u200c\\u200d](?![${JOINED}])`,
    '(?<!\\p{Emoji})[\\ufe0e\\ufe0f]',
    '(?<!\\p{Script=Han})[\\u{e0100}-\\u{e01ef}]',
  ].join('|'),
  'u',
)

/**
 * Whether a text is one line without control characters, invisible ones, and characters that change the direction of text. It
 * does not begin with a mark, which would be seen on what stands before it, or hardly at all.
 */
export const isPlainLine = (text: string): boolean =>
  text.search(UNSAFE) === -1 && !/[\t\n]|^\p{M}/u.test(text) && !INVISIBLE.test(text) && !STRAY.test(text)

/** Text without control characters and characters that change the direction of text, with `\\n` as its only line break. */
export const printable = (text: string): string =>
  text
    .toWellFormed()
    .replaceAll(/\r\n?|[\v\f\u0085\u2028\u2029]/g, '\n')
    .replaceAll(UNSAFE, '')

/** Text as one line of at most `limit` code points. */
export function line(value: unknown, limit: number): string {
  const text = maskCredentials(String(value).toWellFormed()).replaceAll(UNSAFE, ' ').replaceAll(/\s+/g, ' ').trim()
  return shorten(text, limit)
}

/** Text of at most `limit` code points, with its line breaks. */
export function paragraph(value: unknown, limit: number): string {
  return shorten(
    maskCredentials(String(value).toWellFormed())
      .replaceAll(/\r\n?/g, '\n')
      .replaceAll(UNSAFE, ' ')
      .replaceAll(/\n{3,}/g, '\n\n')
      .trim(),
    limit,
  )
}

/** Cuts between code points. */
function shorten(text: string, limit: number): string {
  // Most texts are short: there are at most as many code points as UTF-16 units.
  if (text.length <= limit) return text
  const points = [...text]
  return points.length <= limit ? text : `${points.slice(0, limit - 1).join('')}…`
}

/** Names in sentences for people who do not know their author are cut to this length. */
const MAX_QUOTED = 60

/** A name in quotation marks, which it cannot close: a reader sees where the words of someone else begin and end. */
export const quotedName = (name: string): string => `“${line(name, MAX_QUOTED).replaceAll(/["“”„‟«»]/g, "'")}”`

/**
 * Text in which mail programs and chats find no addresses to link: of pages with or without `http://`, and of mailboxes. An invisible
 * character (U+200B) separates their parts.
 */
export const unlinked = (text: string): string =>
  text.replaceAll(/:(?=\/\/)|(?<=[\p{L}\p{M}\p{N}])[.。．｡](?=\p{L})|@(?=\S)/gu, '$&\u200b')

/** Text that PostgreSQL can store: well-formed and without U+0000. */
export const storable = (text: string): string => text.toWellFormed().replaceAll('\0', '\uFFFD')
