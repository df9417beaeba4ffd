/** The price of tokens. */

/** More than any call uses; higher numbers are errors of the server. */
const MAX_TOKENS = 1e8

const tokensOf = (usage: unknown, name: string): number => {
  const count = typeof usage === 'object' && usage !== null ? (usage as Record<string, unknown>)[name] : 0
  return typeof count === 'number' && Number.isInteger(count) && count >= 0 && count <= MAX_TOKENS ? count : 0
}

const MILLION = 1_000_000n
const HALF = MILLION / 2n

/** Exact, because prices have six decimals. */
const millionthsOf = (usd: number): bigint => BigInt(Math.round(usd * 1e6))

/**
 * The cost of one call.
 *
 * @param usage as reported by the server; missing and invalid numbers count as 0
 * @param input USD per million input tokens
 * @param output USD per million output tokens
 * @returns USD, rounded half up to six decimals
 */
export function costOf(usage: unknown, input: number, output: number): number {
  const read = BigInt(tokensOf(usage, 'prompt_tokens')) * millionthsOf(input)
  const written = BigInt(tokensOf(usage, 'completion_tokens')) * millionthsOf(output)
  return Number((read + written + HALF) / MILLION) / 1e6
}
