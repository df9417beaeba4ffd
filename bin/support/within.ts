/** Whether the promise settles within the time. The timer is cleared, so that it does not keep the process alive. */
export async function within(seconds: number, promise: Promise<unknown>): Promise<boolean> {
  const { promise: late, resolve } = Promise.withResolvers<false>()
  const timer = setTimeout(() => resolve(false), seconds * 1000)
  const settled = promise.then(
    () => true,
    () => true,
  )
  const answer = await Promise.race([settled, late])
  clearTimeout(timer)
  return answer
}
