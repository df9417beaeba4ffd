/** The lanes that this process serves. A job or the drain starts a lane; it then runs until nothing is due. */

import { LANE_FLAG, LANE_TASK, type Lane, type LaneKind, type LaneTask } from '../../core/delivery/lanes.ts'
import type { Tasks } from '../../core/jobs/tasks.ts'
import { config } from '../../core/platform/config.ts'
import { sql } from '../../core/platform/database.ts'
import { log } from '../../core/platform/log.ts'
import { UnreadableSecret } from '../../core/security/secrets.ts'
import { hasRecentHeartbeat, isStopping, workerId } from '../process/heartbeat.ts'
import { isPaused } from '../process/pauses.ts'
import { batched, laneCursors } from './batched.ts'
import { BodyBudget } from './body-budget.ts'
import type { AttemptResult, ChangedLeasedLane, Destination, Due, LeasedLane } from './destination.ts'
import { maySend, noRun, type RunDependencies, type RunSignals, runLane } from './lane-run.ts'
import { lease, type Release, releaseAll, retryUntilDone } from './lease.ts'
import { Recorder } from './recorder.ts'
import { Slots } from './slots.ts'

/** A worker with this many lanes takes only lanes of tenants that have none here. Other workers take the rest. */
const MAX_LANES = 500
/** Delay before a lane is served again after an error, such as a secret that no key decrypts. */
const RETRY_SECONDS = 5

/** Of bodies. With their copies in requests and sockets, about three times as much memory. */
const MAX_BODY_BYTES = 4 * 1_048_576

interface Runner {
  /** Sends until nothing is due. Returns the lane as it was last read, and why it could not be served. */
  run: (lane: LeasedLane, signals: RunSignals) => Promise<{ lane: Lane; error_code: string | null }>
  /** Releases a lane. Returns null if it was released; the current lane if there is new work. */
  release: (lane: Lane, error_code: string | null) => Promise<Lane | null>
}

const laneErrorCode = (error: unknown): string => (error instanceof UnreadableSecret ? 'secret_unreadable' : 'delivery_error')

type ServedLane = { signals: RunSignals; done: Promise<void> }

/** The kinds of destinations, each of which reads, sends and records its own items. */
type Destinations = Record<LaneKind, Destination<unknown, Due, AttemptResult<Due>>>

export class Delivery {
  readonly #slots = new Slots(config.DELIVERY_IN_FLIGHT)
  readonly #bodies = new BodyBudget(MAX_BODY_BYTES)
  readonly #served = new Map<string, ServedLane>()
  readonly #runners: Record<LaneKind, Runner>

  constructor({ hook, channel }: Destinations) {
    this.#runners = { hook: this.#runnerFor(hook), channel: this.#runnerFor(channel) }
  }

  #runnerFor(destination: Destinations[LaneKind]): Runner {
    const dependencies: RunDependencies<unknown, Due, AttemptResult<Due>> = {
      destination,
      slots: this.#slots,
      bodies: this.#bodies,
      recorder: new Recorder(destination),
    }
    const release = batched((releases: Release[]) => releaseAll(releases, destination.nextDue, RETRY_SECONDS))
    return {
      run: async (lane, signals) => {
        try {
          return { lane: await runLane(dependencies, lane, signals), error_code: null }
        } catch (error) {
          const error_code = laneErrorCode(error)
          log.error({ error, [lane.kind]: lane.id, error_code }, `${lane.kind} delivery failed; retrying in ${RETRY_SECONDS} s`)
          return { lane, error_code }
        }
      },
      release: (lane, error_code) => {
        const { organization_id } = lane
        return retryUntilDone('releasing a lane', () =>
          release({ lane, organization_id, error_code, isFinal: error_code !== null || !maySend(lane) }),
        )
      },
    }
  }

  /** Serves a leased lane until nothing is due, and releases it. Starts again if the lane was woken meanwhile. */
  async #serve(leased: LeasedLane, entry: ServedLane): Promise<void> {
    const runner = this.#runners[leased.kind]
    let lane: LeasedLane | null = leased
    while (lane !== null) {
      entry.signals.isWoken = false
      const { lane: lastRead, error_code }: Awaited<ReturnType<Runner['run']>> = await runner.run(lane, entry.signals)
      Object.assign(entry.signals, noRun())
      lane = await runner.release(lastRead, error_code)
      if (lane === null && entry.signals.isWoken && error_code === null)
        lane = await retryUntilDone('leasing a lane', () => lease(lastRead))
    }
    this.#served.delete(leased.id)
  }

  #start(lane: LeasedLane): void {
    const entry: ServedLane = { signals: { ...noRun(), isWoken: false }, done: Promise.resolve() }
    this.#served.set(lane.id, entry)
    entry.done = this.#serve(lane, entry)
  }

  serveLeased(lanes: ChangedLeasedLane[]): void {
    for (const lane of lanes) {
      const entry = this.#served.get(lane.id)
      if (!entry) this.#start(lane)
      else if (!entry.signals.moreDue(lane)) entry.signals.isWoken = true
    }
  }

  /**
   * dispatch_hook, deliver_channel: leases a lane and starts to serve it. The job ends at once, so that slow receivers do not
   * occupy job slots.
   */
  async wake({ organization_id, lane_id }: Tasks[LaneTask]): Promise<void> {
    // What it is woken for may have been due for long, such as what an operator retries.
    laneCursors.forget(lane_id)
    const entry = this.#served.get(lane_id)
    if (entry) {
      entry.signals.isWoken = true
      entry.signals.refetch()
      return
    }
    const lane = await lease({ id: lane_id, organization_id })
    if (lane) this.serveLeased([lane])
  }

  isServed = (lane_id: string): boolean => this.#served.has(lane_id)

  #hasRoom = (): boolean => this.#served.size < MAX_LANES

  /** The id of this worker if the drain may lease lanes of a kind for it; null otherwise. */
  workerFor(kind: LaneKind): string | null {
    const mayLease = this.#hasRoom() && hasRecentHeartbeat() && !isStopping() && !isPaused(LANE_TASK[kind], null)
    return mayLease ? workerId : null
  }

  /** Flags of the jobs that this process must not take: if it is full, those of tenants whose lanes it serves already. */
  flagsToSkipWhenFull = (): string[] => (this.#hasRoom() ? [] : this.#slots.tenants().map((tenant) => LANE_FLAG + tenant))

  /** Serves lanes that this process has leased without noticing, because the result of the drain's commit was lost. */
  async serveUnnoticed(): Promise<void> {
    const owned = await sql<{ lane_id: string; organization_id: string }[]>`
      select id as lane_id, organization_id from lanes where owner_id = ${workerId}
    `
    await Promise.all(owned.filter(({ lane_id }) => !this.#served.has(lane_id)).map((lane) => this.wake(lane)))
  }

  /** Resolves when no request is in flight and all lanes are released. */
  async done(): Promise<void> {
    while (this.#served.size > 0) await Promise.all([...this.#served.values()].map(({ done }) => done))
  }
}
