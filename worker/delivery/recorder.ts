/**
 * Records attempts and what follows from them, the same for hooks and channels. In batches: a transaction per attempt would limit the
 * throughput.
 */
import { type Lane, type LaneKind, type LaneVersion, laneVersions } from '../../core/delivery/lanes.ts'
import { transaction } from '../../core/platform/database.ts'
import { announceChange, scopePath } from '../../core/tenants/changes.ts'
import type { Tx } from '../../sql/index.ts'
import { joinByKeys } from '../../sql/transaction.ts'
import { isOutage, retryUntilDone } from '../process/errors.ts'
import { pace } from '../process/pace.ts'
import { groupOf } from '../process/tenant-groups.ts'
import type { AttemptResult, Destination, Due } from './destination.ts'
import { healthUpdates, reasonsToDisable, recordHealth } from './health.ts'

const FLUSH_ROWS = 300
const RECORDING = 'recording attempts'

interface Recorded<Attempt> {
  /** As it was recorded: corrected if the target of its destination was changed meanwhile. */
  attempt: Attempt
  /** The current version of its lane; null if the attempt did not have to be recorded. */
  current: LaneVersion | null
}

interface PendingRecord<Attempt> {
  attempt: Attempt
  done: (recorded: Recorded<Attempt>) => void
}

/**
 * One per kind of destination. Lanes are assigned to one of two flushers of their group by id: while one waits for its commit, the other
 * works, and attempts of one lane are not recorded by two transactions at the same time. The exception is an attempt that cannot be
 * recorded: it is retried alongside later ones. They cannot conflict, because a statement records only the next attempt of a delivery.
 */
export class Recorder<Attempt extends AttemptResult<Due>> {
  readonly #flushers = new Map<string, Flusher<Attempt>>()

  constructor(private readonly destination: Completing<Attempt>) {}

  async record(attempt: Attempt): Promise<Recorded<Attempt>> {
    const { id, organization_id } = attempt.lane
    const half = id.charCodeAt(id.length - 1) % 2
    return this.#flusher(`${half} ${groupOf(organization_id)}`).add(attempt)
  }

  #flusher(key: string): Flusher<Attempt> {
    const flusher = this.#flushers.get(key) ?? new Flusher(this.destination, () => this.#flushers.delete(key))
    this.#flushers.set(key, flusher)
    return flusher
  }
}

class Flusher<Attempt extends AttemptResult<Due>> {
  #pending: PendingRecord<Attempt>[] = []
  #isFlushing = false

  /** @param onIdle called when everything that was added is recorded */
  constructor(
    private readonly destination: Completing<Attempt>,
    private readonly onIdle: () => void,
  ) {}

  add(attempt: Attempt): Promise<Recorded<Attempt>> {
    return new Promise((done) => {
      this.#pending.push({ attempt, done })
      if (!this.#isFlushing) void this.#flush()
    })
  }

  async #flush(): Promise<void> {
    this.#isFlushing = true
    while (this.#pending.length > 0) {
      if (this.#pending.length < FLUSH_ROWS) await Bun.sleep(pace().recordMs)
      const batch = this.#pending.splice(0, FLUSH_ROWS)
      await this.#recordAll(batch)
    }
    this.#isFlushing = false
    this.onIdle()
  }

  /**
   * Records a batch, and retries it during an outage. Any other failure is caused by an attempt in the batch: it is found by
   * bisection and retried alone, so that it does not delay the others.
   */
  async #recordAll(batch: PendingRecord<Attempt>[]): Promise<void> {
    const isRecorded = await retryUntilDone(RECORDING, () =>
      this.#record(batch).catch((error: unknown) => {
        if (isOutage(error)) throw error
        return false
      }),
    )
    if (isRecorded) return
    if (batch.length === 1) return void retryUntilDone(RECORDING, () => this.#record(batch))
    const middle = Math.ceil(batch.length / 2)
    await this.#recordAll(batch.slice(0, middle))
    await this.#recordAll(batch.slice(middle))
  }

  async #record(batch: PendingRecord<Attempt>[]): Promise<true> {
    const { attempts, versions } = await completeAttempts(
      this.destination,
      batch.map(({ attempt }) => attempt),
    )
    for (const [index, { attempt, done }] of batch.entries()) {
      done({ attempt: attempts[index] ?? attempt, current: versions.get(attempt.lane.id) ?? null })
    }
    return true
  }
}

interface Completed<Attempt> {
  /** As recorded, in the given order. */
  attempts: Attempt[]
  /** The current version of each lane, by id; absent if none of its attempts had to be recorded. */
  versions: Map<string, LaneVersion>
}

/** What the recording of attempts needs of their destination. */
type Completing<Attempt extends AttemptResult<Due>> = Omit<
  Destination<never, Due, Attempt>,
  'fetchDue' | 'attempt' | 'observe' | 'nextDue'
>

/** An attempt that is already recorded, or whose item is finished or deleted, changes nothing. */
function completeAttempts<Attempt extends AttemptResult<Due>>(
  destination: Completing<Attempt>,
  given: Attempt[],
): Promise<Completed<Attempt>> {
  return transaction(async (tx) => {
    const attempts = await correctForTargetChanges(tx, destination, given)
    await joinByKeys(tx)
    const recorded = await destination.record(tx, attempts)
    const newlyRecorded = attempts.filter(({ item }) => recorded.has(item.id))
    announceChange(tx, ...newlyRecorded.map((attempt) => scopePath(destination.scopeOf(attempt))))
    const [versions, healths] = await Promise.all([
      laneVersions(
        tx,
        newlyRecorded.map(({ lane }) => lane),
      ),
      recordHealth(tx, healthUpdates(destination, newlyRecorded)),
      destination.follow?.(tx, newlyRecorded),
    ])
    // One by one: a destination is disabled once in days, and rarely with another one.
    for (const [attempt, reason] of reasonsToDisable(destination, newlyRecorded, healths)) {
      await destination.disable(tx, attempt, reason)
    }
    return { attempts, versions }
  })
}

/** Null where nobody changes the target. */
const TABLES: Record<LaneKind, string | null> = { hook: 'deployment_hooks', channel: 'notification_channels', github: null }

/**
 * Locks the destinations of failed attempts until the commit, so that none changes before the attempts are recorded. To avoid
 * deadlocks, all code locks destinations before their deliveries.
 *
 * @returns when the target of each was set
 */
async function lockTargets(tx: Tx, kind: Lane['kind'], attempts: AttemptResult<Due>[]): Promise<Map<string, string>> {
  const failed = attempts.filter(({ succeeded }) => !succeeded).map(({ lane }) => lane)
  const table = TABLES[kind]
  if (failed.length === 0 || table === null) return new Map()
  const targets = await tx<{ id: string; target_since: string }[]>`
    select id, target_since
    from ${tx(table)}
    where id = any(${[...new Set(failed.map(({ id }) => id))]}::uuid[])
      and organization_id = any(${[...new Set(failed.map(({ organization_id }) => organization_id))]}::uuid[])
    order by id
    for no key update
  `
  return new Map(targets.map(({ id, target_since }) => [id, target_since]))
}

/**
 * Corrects failed attempts whose target was changed meanwhile: no dispatch or message fails for good, and no destination is
 * disabled, because of a response of the former target.
 */
async function correctForTargetChanges<Attempt extends AttemptResult<Due>>(
  tx: Tx,
  { kind, afterTargetChange }: Completing<Attempt>,
  attempts: Attempt[],
): Promise<Attempt[]> {
  const since = await lockTargets(tx, kind, attempts)
  return attempts.map((attempt) => {
    const current = since.get(attempt.lane.id) ?? attempt.target_since
    return attempt.succeeded || current === attempt.target_since
      ? attempt
      : { ...afterTargetChange(attempt), targetChanged: true }
  })
}
