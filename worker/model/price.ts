/** What tokens cost. */

/** No call has so many; whoever reports more reports nonsense. */
const MOST_TOKENS = 1e8

const tokensOf = (usage: unknown, name: string): number => {
  const count = typeof usage === 'object' && usage !== null ? (usage as Record<string, unknown>)[name] : 0
  return typeof count === 'number' && Number.isInteger(count) && count >= 0 && count <= MOST_TOKENS ? count : 0
}

const MILLION = 1_000_000n
const HALF = MILLION / 2n

/** Prices have six decimals, so this is exact. */
const millionthsOf = (usd: number): bigint => BigInt(Math.round(usd * 1e6))

/**
 * The cost of one call.
 *
 * @param usage as the answer reports it; what it leaves out, or what cannot be, counts nothing
 * @param input USD for a million tokens read
 * @param output USD for a million tokens written
 * @returns USD, rounded half up to six decimals
 */
export function costOf(usage: unknown, input: number, output: number): number {
  const read = BigInt(tokensOf(usage, 'prompt_tokens')) * millionthsOf(input)
  const written = BigInt(tokensOf(usage, 'completion_tokens')) * millionthsOf(output)
  return Number((read + written + HALF) / MILLION) / 1e6
}
