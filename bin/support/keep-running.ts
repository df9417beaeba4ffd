/** Starts again what dies: the API, the worker and the database of `bun start`. */
import { within } from './within.ts'

/** Something that was started, and may end by itself. */
export interface Running {
  exited: Promise<unknown>
  stop(): Promise<void>
}

export interface Kept<Thing extends Running> {
  /** What runs now, or ran last. */
  current: Thing
  /** How often it ended by itself. */
  deaths: number
  stop(): Promise<void>
}

interface KeepOptions<Thing extends Running> {
  name: string
  /** Gets what ran before, so that it can take over its port. */
  start: (previous?: Thing) => Promise<Thing>
  say: (line: string) => void
}

const FIRST_DELAY_SECONDS = 0.25
const LONGEST_DELAY_SECONDS = 10
// Whoever lived this long was well, and does not pay for deaths of long ago.
const WELL_AFTER_MS = 30_000

/** Starts a thing, and from then on starts it again whenever it ends, until `stop()`. The first start may fail. */
export async function keepRunning<Thing extends Running>({ name, start, say }: KeepOptions<Thing>): Promise<Kept<Thing>> {
  const stopping = Promise.withResolvers<void>()
  let stopped = false
  const kept: Kept<Thing> = {
    current: await start(),
    deaths: 0,
    async stop() {
      stopped = true
      stopping.resolve()
      await Promise.all([kept.current.stop(), watching])
    },
  }

  async function watch(): Promise<void> {
    let delay = FIRST_DELAY_SECONDS
    for (;;) {
      const since = Date.now()
      const code = await kept.current.exited
      if (stopped) return
      kept.deaths++
      if (Date.now() - since > WELL_AFTER_MS) delay = FIRST_DELAY_SECONDS
      say(`${name} ended (exit code ${code}). It is started again.`)
      for (let started = false; !started; ) {
        if (await within(delay, stopping.promise)) return
        delay = Math.min(delay * 2, LONGEST_DELAY_SECONDS)
        try {
          kept.current = await start(kept.current)
          started = true
        } catch (error) {
          say(`${name} could not be started: ${(error as Error).message}. It is tried again.`)
        }
      }
      // A stop that came while it was starting found only the dead one.
      if (stopped) return kept.current.stop()
    }
  }

  const watching = watch()
  return kept
}
