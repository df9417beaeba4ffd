/**
 * How a personal token looks: `sbx_pat_`, 30 random digits of base 62, and 6 that check them. What was mistyped, cut
 * off or made up is told apart without a look into the database, and scanners of leaked secrets can be sure.
 */

export const PREFIX = 'sbx_pat_'

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const RANDOM_DIGITS = 30
const CHECK_DIGITS = 6

function checkDigits(body: string): string {
  let rest = Bun.hash.crc32(body)
  let digits = ''
  for (let place = 0; place < CHECK_DIGITS; place++) {
    digits = DIGITS.charAt(rest % 62) + digits
    rest = Math.floor(rest / 62)
  }
  return digits
}

/** Makes a token: 178 bits that nobody can guess. */
export function newToken(): string {
  let digits = ''
  while (digits.length < RANDOM_DIGITS) {
    for (const byte of crypto.getRandomValues(new Uint8Array(RANDOM_DIGITS))) {
      // 248 is four times 62: beyond it the first digits would come more often.
      if (byte < 248 && digits.length < RANDOM_DIGITS) digits += DIGITS.charAt(byte % 62)
    }
  }
  const body = PREFIX + digits
  return body + checkDigits(body)
}

/** Whether a text is whole and was made here, as far as its check digits say. */
export function isWhole(token: string): boolean {
  const body = token.slice(0, -CHECK_DIGITS)
  return (
    body.length === PREFIX.length + RANDOM_DIGITS && token.startsWith(PREFIX) && token.slice(-CHECK_DIGITS) === checkDigits(body)
  )
}
