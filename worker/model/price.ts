/** What tokens cost. */

/** No call has so many; whoever reports more reports nonsense. */
const MOST_TOKENS = 1e8

const tokensOf = (usage: unknown, name: string): number => {
  const count = typeof usage === 'object' && usage !== null ? (usage as Record<string, unknown>)[name] : 0
  return typeof count === 'number' && count >= 0 && count <= MOST_TOKENS ? count : 0
}

/**
 * The cost of one call.
 *
 * @param usage as the answer reports it; what it leaves out, or what cannot be, counts nothing
 * @param input USD for a million tokens read
 * @param output USD for a million tokens written
 * @returns USD, to the millionth
 */
export function costOf(usage: unknown, input: number, output: number): number {
  const millionths = tokensOf(usage, 'prompt_tokens') * input + tokensOf(usage, 'completion_tokens') * output
  return Math.round(millionths) / 1e6
}
