/** Amounts of money: USD with six decimals. PostgreSQL stores them as `numeric` and sums them exactly. */

/**
 * Rounds half up to six decimals, by the decimal digits of the number: 1.0000005 becomes 1.000001, although its binary
 * representation is slightly smaller.
 */
export function roundUsd(usd: number): number {
  const [digits = '', exponent] = String(usd).split('e')
  // JavaScript formats numbers below 0.000001 with an exponent.
  if (exponent !== undefined) return usd < 5e-7 ? 0 : 1e-6
  const [whole = '', fraction = ''] = digits.split('.')
  const millionths = Number(whole + fraction.slice(0, 6).padEnd(6, '0'))
  return (fraction.charAt(6) >= '5' ? millionths + 1 : millionths) / 1e6
}

/** The sum of amounts, with six decimals. */
export const sumUsd = (amounts: number[]): number => roundUsd(amounts.reduce((sum, amount) => sum + amount, 0))

const dollars = new Intl.NumberFormat('en', { minimumFractionDigits: 2, maximumFractionDigits: 2 })
const cents = new Intl.NumberFormat('en', { minimumFractionDigits: 2, maximumFractionDigits: 6 })

/** An amount for people: `$1,004.50`. Below a dollar, fractions of a cent are shown: `$0.0042`. */
export const usdText = (usd: number): string => `$${(Math.abs(usd) < 1 ? cents : dollars).format(usd)}`
