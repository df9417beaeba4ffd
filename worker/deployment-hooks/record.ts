/** Writes down what came of attempts, many at once: a statement for each would be what limits the rate. */
import { sql } from '../../core/database.ts'
import { log } from '../../core/log.ts'
import { askForDrain, commit } from '../../core/outbox.ts'
import type { Tx } from '../../sql/index.ts'
import { switchOff } from './disable.ts'
import { type Outcome, outcomeAfterMove } from './outcome.ts'
import { type Attempted, type Served, settle } from './settle.ts'

/** What a batch came to. */
interface Written {
  attempts: Attempted[]
  served: Served[]
}

/** Only a failure can switch a hook off, and then both are one transaction; without one a single round trip will do. */
async function write(given: Attempted[]): Promise<Written> {
  const written = given.every(({ outcome }) => outcome.kind === 'succeeded')
    ? { attempts: given, served: await settle(sql, given) }
    : await commit(async (tx) => {
        const attempts = await againstTargets(tx, given)
        const served = await settle(tx, attempts)
        for (const { version: _, heard: __, reason, ...hook } of served)
          if (reason !== null) await switchOff(tx, { ...hook, reason })
        return { attempts, served }
      })
  if (written.served.some(({ heard }) => heard)) askForDrainSoon()
  return written
}

/** Whether a change of the url would make a difference: the answer ends a dispatch early, or switches the hook off. */
const dependsOnTarget = ({ outcome, dispatch }: Attempted): boolean =>
  outcome.kind === 'failed' && (outcome.gone || dispatch.attempt_count + 1 < dispatch.max_attempts)

/**
 * The attempts as they count for hooks whose url may have been changed since they began. Hooks for which that
 * matters are held, so that none is changed between this and the commit.
 */
async function againstTargets(tx: Tx, attempts: Attempted[]): Promise<Attempted[]> {
  const held = attempts.filter(dependsOnTarget).map(({ hook_id }) => hook_id)
  if (held.length > 0) await tx`select from deployment_hooks where id = any(${held}::uuid[]) order by id for no key update`
  const failing = attempts.filter(({ outcome }) => outcome.kind !== 'succeeded').map(({ hook_id }) => hook_id)
  const hooks = await tx<{ id: string; target_since: string }[]>`
    select id, target_since from deployment_hooks where id = any(${[...new Set(failing)]}::uuid[])
  `
  const targets = new Map(hooks.map(({ id, target_since }) => [id, target_since]))
  return attempts.map((attempted) => {
    const { hook_id, target_since, dispatch, outcome } = attempted
    if ((targets.get(hook_id) ?? target_since) === target_since) return attempted
    const number = dispatch.attempt_count + 1
    return { ...attempted, isStale: true, outcome: outcomeAfterMove(outcome, number, dispatch.max_attempts) }
  })
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

/** An attempt that is on record. */
interface Recorded {
  outcome: Outcome
  /** Of the hook's lane just before; null where nothing was left to record. */
  lane_version: number | null
}

interface Waiting {
  attempted: Attempted
  done: (recorded: Recorded) => void
}

const waiting: Waiting[] = []
let flushing = 0

/** Records an attempt; resolves once it is on record, with what it came to. */
export function recordAttempt(attempted: Attempted): Promise<Recorded> {
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
        const { attempts, served } = await write(batch.map(({ attempted }) => attempted))
        const versions = new Map(served.map(({ id, version }) => [id, version]))
        for (const [place, { attempted, done }] of batch.entries()) {
          const { outcome } = attempts[place] ?? attempted
          done({ outcome, lane_version: versions.get(attempted.hook_id) ?? null })
        }
        break
      } catch (error) {
        log.error({ error, attempts: batch.length, tries }, 'attempts could not be recorded yet')
        await Bun.sleep(Math.min(100 * 2 ** tries, 2_000))
      }
    }
  }
  flushing -= 1
}
