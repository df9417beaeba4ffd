/** Whether the promise settles within the time. The timer is cleared, so that it does not keep the process alive. */
export async function within(seconds: number, promise: Promise<unknown>): Promise<boolean> {
  let timer: Timer | undefined
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), seconds * 1000)
  })
  const settled = promise.then(
    () => true,
    () => true,
  )
  return Promise.race([settled, late]).finally(() => clearTimeout(timer))
}

const STOP_SECONDS = 30

/** Sends each signal 30 seconds after the one before, until the process has ended. The returned function may be called repeatedly. */
export function stopper(exited: Promise<unknown>, kill: (signal: NodeJS.Signals) => unknown, ...signals: NodeJS.Signals[]) {
  let stopping: Promise<void> | undefined
  async function stop(): Promise<void> {
    for (const signal of signals) {
      kill(signal)
      if (await within(STOP_SECONDS, exited)) return
    }
  }
  return () => (stopping ??= stop())
}
