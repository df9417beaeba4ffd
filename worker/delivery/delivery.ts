/** The lanes that this process serves. A job or the drain starts a lane; it then runs until nothing is due. */

import { type ChangedLane, LANE_TASK, type Lane, type LaneKind, type LaneTask } from '../../core/delivery/lanes.ts'
import type { Tasks } from '../../core/jobs/tasks.ts'
import { config } from '../../core/platform/config.ts'
import { sql } from '../../core/platform/database.ts'
import { acrossTenants } from '../../sql/reach.ts'
import { hasRecentHeartbeat, isStopping, workerId } from '../process/heartbeat.ts'
import { isPaused } from '../process/pauses.ts'
import { batched, laneCursors } from './batched.ts'
import { BodyBudget } from './body-budget.ts'
import type { AttemptResult, Destination, Due } from './destination.ts'
import { Recorder } from './recorder.ts'
import { LANE_FLAG, type Release, releaseAll } from './release.ts'
import { type LaneTools, ServedLane } from './served-lane.ts'
import { Slots } from './slots.ts'

/** A worker with this many lanes takes only lanes of tenants that have none here. Other workers take the rest. */
const MAX_LANES = 500

/** Of bodies. With their copies in requests and sockets, about three times as much memory. */
const MAX_BODY_BYTES = 4 * 1_048_576

type Attempt = AttemptResult<Due>

/** The kinds of destinations, each of which reads, sends and records its own items. */
type Destinations = Record<LaneKind, Destination<unknown, Due, Attempt>>

/** Succeeds also if this process owns it already. @returns null if it is deleted, or another worker serves it, which finds the work */
async function lease({ id, organization_id }: Pick<Lane, 'id' | 'organization_id'>): Promise<Lane | null> {
  const [lane] = await sql<Lane[]>`
    update lanes
    set owner_id = ${workerId}
    where id = ${id}
      and organization_id = ${organization_id}
      and (owner_id is null or owner_id = ${workerId})
    returning id, organization_id, kind, version
  `
  return lane ?? null
}

export class Delivery {
  readonly #slots = new Slots(config.DELIVERY_IN_FLIGHT)
  readonly #bodies = new BodyBudget(MAX_BODY_BYTES)
  readonly #served = new Map<string, ServedLane<unknown, Due, Attempt>>()
  readonly #tools: Record<LaneKind, LaneTools<unknown, Due, Attempt>>

  constructor({ hook, channel, github }: Destinations) {
    this.#tools = { hook: this.#toolsFor(hook), channel: this.#toolsFor(channel), github: this.#toolsFor(github) }
  }

  #toolsFor(destination: Destinations[LaneKind]): LaneTools<unknown, Due, Attempt> {
    return {
      destination,
      slots: this.#slots,
      bodies: this.#bodies,
      recorder: new Recorder(destination),
      maySend: ({ kind, organization_id }) =>
        !isStopping() && hasRecentHeartbeat() && !isPaused(LANE_TASK[kind], organization_id),
      lease,
      release: batched((releases: Release[]) => releaseAll(releases, destination.nextDue)),
    }
  }

  #start(lane: Lane): void {
    const served = new ServedLane(this.#tools[lane.kind], lane, () => this.#served.delete(lane.id))
    this.#served.set(lane.id, served)
  }

  /** Serves leased lanes to which work was added. */
  serveLeased(lanes: ChangedLane[]): void {
    for (const lane of lanes) {
      const served = this.#served.get(lane.id)
      if (served) served.wake(lane.revision)
      else this.#start(lane)
    }
  }

  /**
   * dispatch_hook, deliver_channel, serve_github: leases a lane and starts to serve it. The job ends at once, so that slow receivers do not
   * occupy job slots.
   */
  async wake({ organization_id, lane_id }: Tasks[LaneTask]): Promise<void> {
    // What it is woken for may have been due for long, such as what an operator retries.
    laneCursors.forget(lane_id)
    const served = this.#served.get(lane_id)
    if (served) return served.wake()
    const lane = await lease({ id: lane_id, organization_id })
    if (!lane) return
    // The drain may have started it meanwhile.
    const started = this.#served.get(lane_id)
    if (started) started.wake()
    else this.#start(lane)
  }

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
    const owned = await acrossTenants(
      sql<{ lane_id: string; organization_id: string }[]>`
      select id as lane_id, organization_id from lanes where owner_id = ${workerId}
    `,
      'partly',
    )
    await Promise.all(owned.filter(({ lane_id }) => !this.#served.has(lane_id)).map((lane) => this.wake(lane)))
  }

  /** Resolves when no request is in flight and all lanes are released. */
  async done(): Promise<void> {
    while (this.#served.size > 0) await Promise.all([...this.#served.values()].map(({ done }) => done))
  }
}
