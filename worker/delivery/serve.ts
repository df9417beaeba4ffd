/** The lanes that this process serves. A job or the drain starts a lane; it then runs until nothing is due. */

import type { Lane, LaneKind } from '../../core/delivery/lanes.ts'
import { LANE_FLAG, type LaneTask } from '../../core/jobs/lanes.ts'
import type { Tasks } from '../../core/jobs/tasks.ts'
import { config } from '../../core/platform/config.ts'
import { sql } from '../../core/platform/database.ts'
import { log } from '../../core/platform/log.ts'
import { isAmong, withinReach } from '../../core/reachable-tenants.ts'
import { hookDestination } from '../deployment-hooks/destination.ts'
import { channelDestination } from '../notification-channels/destination.ts'
import { workerId } from '../process/heartbeat.ts'
import { BodyBudget } from './body-budget.ts'
import type { AttemptResult, Destination, Due } from './destination.ts'
import { type LaneErrorCode, laneErrorCode } from './lane-errors.ts'
import { maySend, noRun, type RunDependencies, type RunSignals, runLane } from './lane-run.ts'
import { lease, release, retryUntilDone } from './lease.ts'
import { Permits } from './permits.ts'
import { Recorder } from './recorder.ts'

/** A worker with this many lanes takes only lanes of tenants that have none here. Other workers take the rest. */
const MAX_LANES = 500
/** Delay before a lane is served again after an error, such as a secret that no key decrypts. */
const RETRY_SECONDS = 5

/** Of bodies. With their copies in requests and sockets, about three times as much memory. */
const MAX_BODY_BYTES = 16 * 1_048_576

const permits = new Permits(config.DELIVERY_IN_FLIGHT)
const bodies = new BodyBudget(MAX_BODY_BYTES)

/** Serves lanes of one kind. */
interface Runner {
  /** Sends until nothing is due. Returns the lane as it was last read, and why it could not be served. */
  run: (lane: Lane, signals: RunSignals) => Promise<{ lane: Lane; error_code: LaneErrorCode | null }>
  /** Releases a lane. Returns null if it was released; the current lane if there is new work. */
  release: (lane: Lane, error_code: LaneErrorCode | null) => Promise<Lane | null>
}

function runnerFor<Target, Item extends Due, Attempt extends AttemptResult<Item>>(
  destination: Destination<Target, Item, Attempt>,
): Runner {
  const dependencies: RunDependencies<Target, Item, Attempt> = {
    destination,
    permits,
    bodies,
    recorder: new Recorder(destination),
  }
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
    release: (lane, error_code) =>
      retryUntilDone('releasing a lane', () =>
        release(
          lane,
          destination.nextDueAt,
          error_code,
          error_code !== null || !maySend(lane),
          error_code === null ? 0 : RETRY_SECONDS,
        ),
      ),
  }
}

const RUNNERS: Record<LaneKind, Runner> = {
  hook: runnerFor(hookDestination),
  channel: runnerFor(channelDestination),
}

/** A lane that this process serves. */
interface ServedLane {
  organization_id: string
  /** Whether it was woken since its current run began. */
  isWoken: boolean
  signals: RunSignals
  done: Promise<void>
}

const served = new Map<string, ServedLane>()

/** Serves a leased lane until nothing is due, and releases it. Starts again if the lane was woken meanwhile. */
async function serve(leased: Lane, entry: ServedLane): Promise<void> {
  const { id } = leased
  let lane: Lane | null = leased
  while (lane !== null) {
    entry.isWoken = false
    const runner: Runner = RUNNERS[lane.kind]
    const { lane: lastRead, error_code }: Awaited<ReturnType<Runner['run']>> = await runner.run(lane, entry.signals)
    Object.assign(entry.signals, noRun())
    lane = await runner.release(lastRead, error_code)
    if (lane === null && entry.isWoken && error_code === null)
      lane = await retryUntilDone('leasing a lane', () => lease(lastRead))
  }
  served.delete(id)
}

/** Serves lanes that are leased to this process. Lanes that are served already have more to send. */
export function serveLeased(lanes: (Lane & { revision: number })[]): void {
  for (const lane of lanes) {
    const entry = served.get(lane.id)
    if (!entry) start(lane)
    else {
      entry.isWoken = true
      entry.signals.moreDue(lane.revision)
    }
  }
}

function start(lane: Lane): void {
  const entry: ServedLane = {
    organization_id: lane.organization_id,
    isWoken: false,
    signals: noRun(),
    done: Promise.resolve(),
  }
  served.set(lane.id, entry)
  entry.done = serve(lane, entry)
}

/**
 * dispatch_hook, deliver_channel: leases a lane and starts to serve it. The job ends at once, so that slow receivers do not
 * occupy job slots.
 */
export async function serveLane({ organization_id, lane_id }: Tasks[LaneTask]): Promise<void> {
  const entry = served.get(lane_id)
  if (entry) {
    entry.isWoken = true
    entry.signals.refetch()
    return
  }
  const lane = await lease({ id: lane_id, organization_id })
  if (lane) serveLeased([lane])
}

/** Whether the drain may lease lanes for this process. */
export const hasRoomForLanes = (): boolean => served.size < MAX_LANES

/** Flags of the jobs that this process must not take: if it is full, those of tenants whose lanes it serves already. */
export const flagsToSkipWhenFull = (): string[] =>
  hasRoomForLanes() ? [] : permits.tenants().map((tenant) => LANE_FLAG + tenant)

/** Serves lanes that this process has leased without noticing, because the result of the drain's commit was lost. */
export async function serveUnnoticedLeases(): Promise<void> {
  const owned = await withinReach(
    (among) => sql<{ lane_id: string; organization_id: string }[]>`
      select id as lane_id, organization_id from lanes where owner_id = ${workerId} and ${isAmong(sql`organization_id`, among)}
    `,
  )
  await Promise.all(owned.filter(({ lane_id }) => !served.has(lane_id)).map(serveLane))
}

/** Resolves when no request is in flight and all lanes are released. */
export async function deliveriesDone(): Promise<void> {
  while (served.size > 0) await Promise.all([...served.values()].map(({ done }) => done))
}
