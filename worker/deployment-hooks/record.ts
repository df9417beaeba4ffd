/** Writes down what came of attempts, many at once: a statement for each would be what limits the rate. */
import { sql } from '../../core/database.ts'
import { log } from '../../core/log.ts'
import { askForDrain, commit } from '../../core/outbox.ts'
import { switchOff } from './disable.ts'
import { type Attempted, type Served, settle } from './settle.ts'

/** Only a failure can switch a hook off, and then both are one transaction; without one a single round trip will do. */
async function write(attempts: Attempted[]): Promise<Served[]> {
  const served = attempts.every(({ outcome }) => outcome.kind === 'succeeded')
    ? await settle(sql, attempts)
    : await commit(async (tx) => {
        const hooks = await settle(tx, attempts)
        for (const { version: _, heard: __, reason, ...hook } of hooks)
          if (reason !== null) await switchOff(tx, { ...hook, reason })
        return hooks
      })
  if (served.some(({ heard }) => heard)) askForDrainSoon()
  return served
}

/** Nothing waits for these events to the millisecond, and each asking costs every worker a look for jobs. */
const ASK_MS = 50

let asked = false

function askForDrainSoon(): void {
  if (asked) return
  asked = true
  setTimeout(() => {
    asked = false
    void askForDrain()
  }, ASK_MS)
}

const FLUSH_MS = 4
const FLUSH_ROWS = 300
/** While one waits for the disk, another is being worked off. */
const FLUSHES = 2

interface Waiting {
  attempted: Attempted
  done: (lane_version: number | null) => void
}

const waiting: Waiting[] = []
let flushing = 0

/**
 * Records an attempt; resolves once it is on record.
 *
 * @returns the version of the hook's lane just before; null where nothing was left to record
 */
export function recordAttempt(attempted: Attempted): Promise<number | null> {
  return new Promise((done) => {
    waiting.push({ attempted, done })
    if (flushing < FLUSHES) void flush()
  })
}

/** Writes batch after batch until none waits. What cannot be written is tried until it can: an answer is not lost. */
async function flush(): Promise<void> {
  flushing += 1
  while (waiting.length > 0) {
    if (waiting.length < FLUSH_ROWS) await Bun.sleep(FLUSH_MS)
    const batch = waiting.splice(0, FLUSH_ROWS)
    if (batch.length === 0) break
    for (let tries = 1; ; tries++) {
      try {
        const served = await write(batch.map(({ attempted }) => attempted))
        const versions = new Map(served.map(({ id, version }) => [id, version]))
        for (const { attempted, done } of batch) done(versions.get(attempted.hook_id) ?? null)
        break
      } catch (error) {
        log.error({ error, attempts: batch.length, tries }, 'attempts could not be recorded yet')
        await Bun.sleep(Math.min(100 * 2 ** tries, 2_000))
      }
    }
  }
  flushing -= 1
}
