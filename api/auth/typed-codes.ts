/** Codes that people type or paste: phones write them in groups, keyboards have digits of other scripts, and clipboards add what is not seen. */

/** The value of a decimal digit of any script: each script has its ten in a row. */
function digitOf(digit: string): string {
  const at = digit.codePointAt(0) ?? 0
  let value = 0
  while (value < 9 && /\p{Nd}/u.test(String.fromCodePoint(at - value - 1))) value += 1
  return String(value)
}

/** A code without what separates its letters and digits, in lower case, with digits and letters of ASCII where they only look otherwise. */
export const typedCode = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{Nd}]/gu, '')
    .replaceAll(/\p{Nd}/gu, digitOf)

export const isSixDigits = (text: string): boolean => /^\d{6}$/.test(typedCode(text))
