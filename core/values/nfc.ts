/** Unicode NFC, in linear time. Sorting the combining marks of one letter takes the square of their number. */

/** More than any language needs for one letter. */
const MAX_MARKS = 16

const LONG_RUN = new RegExp(`\\p{M}{${MAX_MARKS + 1}}`, 'u')

/** Why a text is refused that `nfc` would leave as it is. */
export const TOO_MANY_MARKS = `must not contain more than ${MAX_MARKS} combining marks in a row`

export const hasTooManyMarks = (text: string): boolean => LONG_RUN.test(text)

/** A text in NFC; one with too many marks stays as it is. */
export const nfc = (text: string): string => (hasTooManyMarks(text) ? text : text.normalize('NFC'))
