/** Remembers what a pure function returned for its latest arguments. */

/**
 * Wraps a function of a text whose result is needed again and again.
 *
 * @param most results that are kept; the oldest goes first. Where the function throws, nothing is kept
 */
export function remembered<Value>(most: number, compute: (text: string) => Value): (text: string) => Value {
  const results = new Map<string, Value>()
  return (text) => {
    const known = results.get(text)
    if (known !== undefined) return known
    const value = compute(text)
    const [oldest] = results.keys()
    if (results.size >= most && oldest !== undefined) results.delete(oldest)
    results.set(text, value)
    return value
  }
}
