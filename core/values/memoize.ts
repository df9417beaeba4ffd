/** Caches the last results of a pure function, by its argument; the oldest is evicted first. Nothing is cached if it throws. */
export function memoize<Value>(size: number, compute: (text: string) => Value): (text: string) => Value {
  const results = new Map<string, Value>()
  return (text) => {
    const cached = results.get(text)
    if (cached !== undefined) return cached
    const value = compute(text)
    const [oldest] = results.keys()
    if (results.size >= size && oldest !== undefined) results.delete(oldest)
    results.set(text, value)
    return value
  }
}
