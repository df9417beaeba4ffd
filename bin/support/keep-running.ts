/** Restarts processes that end: the API, the worker and the database of `bun start` and `bun run dev`. */
import { within } from './within.ts'

/** A started process. */
export interface Running {
  exited: Promise<unknown>
  stop(): Promise<void>
}

export interface Kept<Process extends Running> {
  /** The process that runs now, or the last one that ran. */
  current: Process
  /** How often it ended on its own. */
  crashes: number
  /** Stops the process and starts it again at once. */
  restart(): void
  /** Stops the process for good. */
  stop(): Promise<void>
}

interface KeepOptions<Process extends Running> {
  name: string
  /** Gets the process that ran before, so that the new one can reuse its port. */
  start: (previous?: Process) => Promise<Process>
  say: (line: string) => void
  /** After a crash: start again after a delay (the default), or wait for `restart()`. */
  afterCrash?: 'start' | 'wait'
}

const FIRST_DELAY_SECONDS = 0.25
const MAX_DELAY_SECONDS = 10
/** A process that ran for this long was healthy: its next crash starts with the first delay again. */
const HEALTHY_AFTER_MS = 30_000

/** Starts a process, and starts it again whenever it ends, until `stop()`. Rejects if the first start fails. */
export async function keepRunning<Process extends Running>(options: KeepOptions<Process>): Promise<Kept<Process>> {
  const { name, start, say, afterCrash = 'start' } = options
  let stopped = false
  let restarting = false
  /** Ends the delay before the next start. */
  let wake = Promise.withResolvers<void>()
  const kept: Kept<Process> = {
    current: await start(),
    crashes: 0,
    restart() {
      restarting = true
      wake.resolve()
      void kept.current.stop()
    },
    async stop() {
      stopped = true
      wake.resolve()
      await Promise.all([kept.current.stop(), watching])
    },
  }

  /** Starts the process until a start succeeds. @returns the delay before the next start */
  async function startAgain(delay: number): Promise<number> {
    for (;;) {
      if (!restarting) await (afterCrash === 'start' ? within(delay, wake.promise) : wake.promise)
      if (stopped) return delay
      delay = restarting ? FIRST_DELAY_SECONDS : Math.min(delay * 2, MAX_DELAY_SECONDS)
      restarting = false
      wake = Promise.withResolvers()
      try {
        kept.current = await start(kept.current)
        return delay
      } catch (error) {
        say(`${name} could not be started: ${(error as Error).message}. ${next()}`)
      }
    }
  }

  const next = (): string => (afterCrash === 'start' ? 'Starting it again.' : 'It starts again when a file changes.')

  async function watch(): Promise<void> {
    let delay = FIRST_DELAY_SECONDS
    for (;;) {
      const since = Date.now()
      const code = await kept.current.exited
      if (stopped) return
      if (!restarting) {
        kept.crashes++
        if (Date.now() - since > HEALTHY_AFTER_MS) delay = FIRST_DELAY_SECONDS
        say(`${name} ended (exit code ${code}). ${next()}`)
      }
      delay = await startAgain(delay)
      // A stop or restart during the start reached only the previous process.
      if (stopped) return kept.current.stop()
      if (restarting) void kept.current.stop()
    }
  }

  const watching = watch()
  return kept
}
