/**
 * The format of personal tokens: `sbx_pat_`, 30 random base-62 digits, and a checksum of 6 digits. Mistyped or invented
 * tokens are rejected without a query, and secret scanners can recognize leaked ones reliably.
 */

export const PREFIX = 'sbx_pat_'

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const RANDOM_DIGITS = 30
const CHECKSUM_DIGITS = 6

function checksum(body: string): string {
  let rest = Bun.hash.crc32(body)
  let digits = ''
  for (let digit = 0; digit < CHECKSUM_DIGITS; digit++) {
    digits = DIGITS.charAt(rest % 62) + digits
    rest = Math.floor(rest / 62)
  }
  return digits
}

/** A token that begins with a text: 178 random bits, and the checksum of both. */
export function newTokenWith(beginning: string): string {
  let digits = ''
  while (digits.length < RANDOM_DIGITS) {
    for (const byte of crypto.getRandomValues(new Uint8Array(RANDOM_DIGITS))) {
      // 248 is four times 62: larger bytes would make the first digits more frequent.
      if (byte < 248 && digits.length < RANDOM_DIGITS) digits += DIGITS.charAt(byte % 62)
    }
  }
  const body = beginning + digits
  return body + checksum(body)
}

export const newToken = (): string => newTokenWith(PREFIX)

/** Whether a token has the right length and checksum, after a beginning of so many characters. */
export function isIntact(token: string, beginning: number): boolean {
  const body = token.slice(0, -CHECKSUM_DIGITS)
  return body.length === beginning + RANDOM_DIGITS && token.slice(-CHECKSUM_DIGITS) === checksum(body)
}

/** Whether a token has the right format and checksum. */
export const isWellFormed = (token: string): boolean => token.startsWith(PREFIX) && isIntact(token, PREFIX.length)
