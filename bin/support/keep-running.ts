/** Restarts processes that end: the API, the worker and the database of `bun start` and `bun run dev`. */

/** A started process. */
export interface Running {
  exited: Promise<unknown>
  stop(): Promise<void>
}

export interface Supervised<Process extends Running> {
  /** The process that runs now, or the last one that ran. */
  current: Process
  /** How often it ended on its own. */
  crashes: number
  /** Stops the process and starts it again at once. */
  restart(): void
  /** Stops the process for good. */
  stop(): Promise<void>
}

const FIRST_DELAY_SECONDS = 0.25
const MAX_DELAY_SECONDS = 10
/** A process that ran for this long was healthy: its next crash starts with the first delay again. */
const HEALTHY_AFTER_MS = 30_000

/**
 * Starts a process, and starts it again whenever it ends, until `stop()`. Rejects if the first start fails.
 *
 * @param start gets the process that ran before, so that the new one can reuse its port
 * @param waits after a crash, for `restart()`; otherwise it is started again after a delay
 */
export async function keepRunning<Process extends Running>(
  name: string,
  start: (previous?: Process) => Promise<Process>,
  waits = false,
): Promise<Supervised<Process>> {
  let state: 'runs' | 'restarts' | 'stops' = 'runs'
  /** Ends the delay before the next start. */
  let restarted = Promise.withResolvers<void>()
  const end = (how: 'restarts' | 'stops') => {
    state = how
    restarted.resolve()
    return kept.current.stop()
  }
  const kept: Supervised<Process> = {
    current: await start(),
    crashes: 0,
    restart: () => void end('restarts'),
    stop: async () => void (await Promise.all([end('stops'), watching])),
  }
  async function watch(): Promise<void> {
    for (let delay = FIRST_DELAY_SECONDS; ; delay = Math.min(delay * 2, MAX_DELAY_SECONDS)) {
      const since = Date.now()
      const code = await kept.current.exited
      if (state === 'runs') {
        kept.crashes++
        console.log(`${name} ended (exit code ${code}). ${waits ? 'It starts again when a file changes.' : 'Starting it again.'}`)
        if (Date.now() - since > HEALTHY_AFTER_MS) delay = FIRST_DELAY_SECONDS
        await (waits ? restarted.promise : within(delay, restarted.promise))
      }
      if (state === 'stops') return
      state = 'runs'
      restarted = Promise.withResolvers()
      try {
        kept.current = await start(kept.current)
      } catch (error) {
        console.log(`${name} could not be started: ${(error as Error).message}`)
      }
      // A stop or restart during the start reached only the previous process.
      if (state !== 'runs') void kept.current.stop()
    }
  }
  const watching = watch()
  return kept
}

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
