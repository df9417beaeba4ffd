/**
 * Resolves like an awaited event, for limits that Signalbox promises.
 *
 * @throws Error when the event does not come in time
 */
export async function within<Value>(ms: number, what: string, event: Promise<Value>): Promise<Value> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => late.reject(new Error(`It did not come within ${ms} ms: ${what}`)), ms)
  try {
    return await Promise.race([event, late.promise])
  } finally {
    clearTimeout(timer)
  }
}

/**
 * Resolves like an event that ends a wait of 25 seconds, the longest that a request can ask for, ahead of its time.
 *
 * @throws Error when the wait may have ended by itself
 */
export const beforeWaitEnds = <Value>(what: string, event: Promise<Value>): Promise<Value> => within(20_000, what, event)
