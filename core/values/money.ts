/** Amounts of money: USD with six decimals. PostgreSQL stores them as `numeric` and adds them up exactly. */

/**
 * Rounds half up to six decimals, by the decimal digits of the number: 1.0000005 becomes 1.000001, although the
 * binary fraction behind it is a little smaller.
 */
export function roundUsd(usd: number): number {
  const [digits = '', exponent] = String(usd).split('e')
  // JavaScript writes what is below a millionth with an exponent.
  if (exponent !== undefined) return usd < 5e-7 ? 0 : 1e-6
  const [whole = '', fraction = ''] = digits.split('.')
  const millionths = Number(whole + fraction.slice(0, 6).padEnd(6, '0'))
  return (fraction.charAt(6) >= '5' ? millionths + 1 : millionths) / 1e6
}

/** Adds amounts up; the sum has six decimals, as they have. */
export const sumUsd = (amounts: number[]): number => roundUsd(amounts.reduce((sum, amount) => sum + amount, 0))
