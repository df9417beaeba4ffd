/** Whether `promise` settles within the time; the timer does not keep a process alive that is otherwise done. */
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
